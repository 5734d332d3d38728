// SPDX-License-Identifier: MIT
// kparse lint: what is wrong or risky.
#include <algorithm>
#include <memory>
#include <optional>

#include <CLI/App.hpp>
#include <fmt/format.h>

#include "commands/command.h"
#include "commands/json_document.h"
#include "commands/header_setup.h"
#include "commands/lint_setup.h"
#include "commands/own_input.h"
#include "lint/baseline.h"
#include "lint/findings_out.h"
#include "output/human.h"
#include "pipeline/pipeline.h"

namespace kparse::cli {
namespace {

using findings::Found;

class LintCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "What is wrong or risky, by rule; with why and what to do",
            .examples =
                "  kparse lint capture.pcap\n"
                "  kparse lint --select 'KP-BATCH-*,KP-CRC' --set KP-SLOW.slow-ms=200 *.pcap\n"
                "  kparse lint --write-baseline known.json monday.pcap\n"
                "  kparse lint --baseline known.json --fail-on warning tuesday.pcap\n"
                "  kparse lint --format sarif --output lint.sarif capture.pcap\n"
                "  kparse lint --format ndjson *.pcap | jq -r 'select(.severity == \"error\").message'\n"
                "  kparse rules KP-CRC                     what a rule means\n",
            .formats = {Format::text, Format::json, Format::ndjson, Format::sarif},
            .takes = Takes::captures | Takes::limits | Takes::drafts};
  }

  void add_options(CLI::App& app) override {
    rules_.add(app);
    config_.add(app);
    app.add_option("--baseline", baseline_, "Findings that FILE has are known: not shown, not counted")
        ->type_name("FILE")
        ->group("Findings");
    app.add_option("--write-baseline", write_baseline_, "Write what is found to FILE, for --baseline")
        ->type_name("FILE")
        ->group("Findings");
    app.add_option("--fail-on", fail_on_, "Exit status 1 if something at least that bad is found: error|warning|notice|info|never")
        ->type_name("SEVERITY")
        ->group("Findings");
    app.add_flag("--all", all_, "Every finding in text, however many a rule has")->group("Output");
  }

  int run(Context& context) override {
    findings::Config config;
    if (!config_.load(context, config)) return status_usage;
    LintOptions options;
    if (const int wrong = rules_.load(context, "lint", config, options)) return wrong;
    findings::FailOn fail_on = config.fail_on;
    if (fail_on_) {
      const auto parsed = findings::parse_fail_on(*fail_on_);
      if (!parsed)
        return usage_error(context, "lint", fmt::format("--fail-on: '{}' is none of error|warning|notice|info|never", *fail_on_));
      fail_on = *parsed;
    }
    findings::Baseline known;
    // A baseline that is being written is what there is, not what is new.
    const std::string& baseline = !baseline_.empty() || !write_baseline_.empty() ? baseline_ : config.baseline;
    if (!baseline.empty()) {
      if (const std::string wrong = known.read(baseline); !wrong.empty()) {
        context.diagnostics.error(baseline, wrong);
        return status_input;
      }
    }
    if (is_own_input(write_baseline_, context.options.captures, context.diagnostics)) return status_usage;
    HeaderSetup headers;
    if (const int wrong = headers.load(context)) return wrong;
    options.records = {.max_batch = context.options.max_batch, .max_ratio = context.options.max_ratio, .draft = headers.decoder()};

    Cluster cluster;
    Linter linter(options, cluster);
    const Summary summary = run_pipeline(context.options, context.options.captures, cluster, linter, Names::while_reading,
                                         context.diagnostics);
    if (summary.bad_filter) return status_of(summary);
    Found found{.findings = linter.finish(end_of(summary)), .known = 0, .left_out = linter.findings_left_out(),
                .limits = linter.limits(), .captures = context.options.captures};
    const auto old = std::stable_partition(found.findings.begin(), found.findings.end(),
                                           [&](const Finding& f) { return !known.has(f); });
    found.known = static_cast<std::uint64_t>(found.findings.end() - old);
    found.findings.erase(old, found.findings.end());

    if (read_nothing(summary)) return status_of(summary);  // "nothing found" would be said of nothing
    write(context, found);
    if (!write_baseline_.empty()) {
      Output file(context.diagnostics);
      if (!file.open(write_baseline_)) return status_input;
      file.write(findings::baseline_text(found.findings));
      if (!file.commit()) return status_input;
    }
    if (const int status = status_of(summary)) return status;
    const bool fails = fail_on.at_least && std::any_of(found.findings.begin(), found.findings.end(), [&](const Finding& f) {
      return f.rule->severity >= *fail_on.at_least;
    });
    return fails ? status_findings : status_done;
  }

 private:
  void write(Context& context, const Found& found) const {
    switch (context.options.format) {
      case Format::ndjson:
        for (const std::string& what : findings::unsaid(found)) context.diagnostics.warning("", what);
        return findings::write_ndjson(context.out, found);
      case Format::sarif: return findings::write_sarif(context.out, found);
      case Format::json:
        return write_document(context.out, [&](JsonWriter& json) {
          findings::write_findings(json, found);
          json.key("known");
          json.unsigned_integer(found.known);
          json.key("leftOut");
          json.unsigned_integer(found.left_out);
          findings::write_limits(json, found);
        });
      default: {
        const Painter paint(context.options.color, context.out.is_terminal());
        return findings::print_findings(context.out, paint, found, all_);
      }
    }
  }

  RuleOptions rules_;
  ConfigOptions config_;
  std::string baseline_, write_baseline_;
  std::optional<std::string> fail_on_;
  bool all_ = false;
};

}  // namespace

std::unique_ptr<Command> make_lint_command() { return std::make_unique<LintCommand>(); }

}  // namespace kparse::cli
