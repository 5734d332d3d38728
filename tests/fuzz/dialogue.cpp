// SPDX-License-Identifier: MIT
#include <optional>

#include "audit/audit_observer.h"
#include "details/details_out.h"
#include "details/reader.h"
#include "diff/profile.h"
#include "groups/group_out.h"
#include "observed.h"
#include "output/text.h"
#include "paper.h"
#include "records/record_json.h"
#include "records/record_observer.h"
#include "records/record_text.h"
#include "report/report.h"
#include "trace/trace_observer.h"
#include "trace/trace_out.h"
#include "txns/txn_out.h"

namespace kparse::fuzz {
namespace {

const std::vector<std::string> captures = {"fuzz.pcap"};
const cli::Painter plain(cli::When::never, false);

RecordOptions limits() { return {.max_batch = 1u << 20}; }

cli::Summary one_capture() {
  cli::Summary s;
  s.inputs.emplace_back();
  s.inputs.back().name = captures[0];
  return s;
}

void report(const Talk& talk) {
  Cluster cluster(1000);
  report::ReportObserver observer(limits());
  details::Reader reader(observer);
  observe(talk, cluster, reader);
  const report::ReportData data = observer.finish();
  const cli::Summary summary = one_capture();
  const report::Report r(data, cluster, summary);
  const details::Everything all = reader.finish(cluster, {});
  static Paper paper;
  print_report(paper.out(), plain, r);
  print_details(paper.out(), plain, all);
  print_groups(paper.out(), plain, all.groups, captures, true);
  print_txns(paper.out(), plain, all.txns, true);
  JsonWriter json;
  json.begin_object();
  write_report(json, r);
  write_details(json, all);
  json.end_object();
  KPARSE_HOLDS(is_json(json.view()));
}

void follow(const Talk& talk) {
  Cluster cluster(1000);
  trace::Options options;
  options.records = limits();
  trace::TraceObserver observer(options);
  observe(talk, cluster, observer);
  const trace::TraceSeen seen = observer.finish(cluster);
  static Paper paper;
  print_trace(paper.out(), plain, seen, {.captures = captures}, true);
  write_trace(paper.out(), seen, {.captures = captures});
}

void list_records(const Talk& talk) {
  Cluster cluster(1000);
  static Paper paper;
  cli::RecordJson json(paper.out(), captures, BytesAs::text, false);
  cli::RecordObserver observer(cluster, limits(), json, 1u << 16);
  observe(talk, cluster, observer);
  cli::RecordText text(paper.out(), BytesAs::text, plain, false);
  cli::RecordObserver again(cluster, limits(), text);
  observe(talk, cluster, again);
}

void judge(const Talk& talk) {
  Cluster cluster(1000);
  audit::AuditObserver audit(cluster);
  observe(talk, cluster, audit);
  (void)audit.finish();
  diff::ProfileObserver profile;
  observe(talk, cluster, profile);
  (void)profile.finish();
}

}  // namespace

void dialogue(Bytes input) {
  const Talk talk = read_talk(input);
  constexpr void (*all[])(const Talk&) = {report, follow, list_records, judge};
  all[talk.choice](talk);
}

}  // namespace kparse::fuzz
