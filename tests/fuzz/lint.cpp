// SPDX-License-Identifier: MIT
#include "kparse/lint.h"

#include "lint/baseline.h"
#include "lint/findings_out.h"
#include "observed.h"
#include "paper.h"

namespace kparse::fuzz {

void lint(Bytes input) {
  const Talk talk = read_talk(input);
  static const std::vector<std::string> captures = {"fuzz.pcap"};
  LintOptions options;
  options.max_findings = 200;
  options.records.max_batch = 1u << 20;
  Cluster cluster(1000);
  Linter linter(options, cluster);
  observe(talk, cluster, linter);
  findings::Found found{.findings = linter.finish({.time_ns = 1'700'000'100'000'000'000, .packet = 5000}), .captures = captures};
  KPARSE_HOLDS(found.findings.size() <= options.max_findings);
  JsonWriter json;
  json.begin_object();
  write_findings(json, found);
  json.end_object();
  KPARSE_HOLDS(is_json(json.view()));
  KPARSE_HOLDS(is_json(findings::baseline_text(found.findings)));
  static Paper paper;
  write_sarif(paper.out(), found);
  print_findings(paper.out(), cli::Painter(cli::When::never, false), found, true);
}

}  // namespace kparse::fuzz
