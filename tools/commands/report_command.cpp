// SPDX-License-Identifier: MIT
// kparse report: what happened in these captures.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <CLI/App.hpp>

#include "commands/command.h"
#include "details/details_out.h"
#include "commands/header_setup.h"
#include "commands/json_document.h"
#include "commands/lint_setup.h"
#include "kparse/cluster.h"
#include "kparse/json.h"
#include "kparse/lint.h"
#include "kparse/tee.h"
#include "lint/findings_out.h"
#include "output/text.h"
#include "pipeline/pipeline.h"
#include "pipeline/reading.h"
#include "report/report.h"

namespace kparse::cli {
namespace {

unsigned threads_of(const CommonOptions& options) {
  constexpr unsigned most = 64;  // more than that one reader can't feed
  return std::min(most, options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency()));
}

/// Linting such captures takes a moment at most.
bool is_small(const std::vector<std::string>& captures) {
  const std::uint64_t size = size_of(captures);
  return size > 0 && size <= 16u << 20;
}

/// Reads captures as one observation.
struct Run {
  Cluster cluster;
  Summary summary;
  report::ReportData data;
  std::optional<details::Everything> more;
  std::optional<findings::Found> found;

  /// `rules`: nullptr: no findings.
  Run(Context& context, const std::vector<std::string>& captures, HeaderSetup& headers,
      bool detailed, const LintOptions* rules) {
    const RecordOptions limits{.max_batch = context.options.max_batch,
                               .max_ratio = context.options.max_ratio,
                               .draft = headers.decoder()};
    report::ReportObserver observer(limits, headers.names, threads_of(context.options));
    std::optional<details::Reader> reader;
    if (detailed) reader.emplace(observer);
    Observer& reports = reader ? reader->observer() : observer;
    std::optional<Linter> linter;
    std::optional<Tee> both;
    if (rules) {
      LintOptions options = *rules;
      options.records = limits;
      linter.emplace(options, cluster);
      // The linter first: it has to know which field the records are of that the report hands on.
      both.emplace(std::vector<Observer*>{&*linter, &reports});
      if (observer.may_share_records()) {
        if (RecordListener* const listener = linter->record_listener()) observer.share_records(*listener);
      }
    }
    Observer& hears = both ? static_cast<Observer&>(*both) : reports;
    summary = run_pipeline(context.options, captures, cluster, hears, Names::at_the_end, context.diagnostics);
    if (linter)
      found.emplace(findings::Found{.findings = linter->finish(end_of(summary)), .known = 0,
                                    .left_out = linter->findings_left_out(),
                                    .limits = linter->limits(), .captures = captures});
    data = observer.finish();
    if (reader) more.emplace(reader->finish(cluster, summary.tcp));
  }

  [[nodiscard]] report::Report report() const {
    report::Report r(data, cluster, summary);
    if (!found) return r;
    if (found->left_out > 0) r.full.push_back({"findings", LintOptions{}.max_findings, found->left_out});
    for (const LintLimit& l : found->limits) r.full.push_back({findings::table_of(l), l.limit, l.left_out});
    return r;
  }
};

class ReportCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "What happened: calls, latency, errors, topics, headers, clients",
            .examples = "  kparse report capture.pcapng\n"
                        "  kparse report --format json rotated-*.pcap | jq '.apis[] | [.api, .latencyMs.p99]'\n"
                        "  kparse report --topic orders --client checkout capture.pcap.gz\n"
                        "  kparse report --separate broker1.pcap broker2.pcap\n",
            .formats = {Format::text, Format::json},
            .takes = Takes::captures | Takes::limits | Takes::separate | Takes::headers};
  }

  void add_options(CLI::App& app) override {
    app.add_flag("--details", detailed_,
                 "Also groups, transactions, delay from producers to consumers, leaders, throttling, fetches that don't "
                 "advance, network trouble")
        ->group("Output");
    asked_lint_ = app.add_flag("--lint,!--no-lint", lint_,
                               "What is wrong or risky, as kparse lint has it; in text reports on captures of up to 16 MiB "
                               "together it is looked for without being asked for")
                      ->group("Output");
    rules_.add(app);
    config_.add(app);
  }

  int run(Context& context) override {
    HeaderSetup headers;
    if (const int wrong = headers.load(context)) return wrong;
    LintOptions rules;
    const bool small = is_small(context.options.captures);
    if (asked_lint_->count() == 0) lint_ = rules_.given() || (small && context.options.format == Format::text);
    unlinted_ = asked_lint_->count() == 0 && !lint_;
    if (lint_) {
      findings::Config config;
      if (!config_.load(context, config)) return status_usage;
      if (const int wrong = rules_.load(context, "report", config, rules)) return wrong;
    }
    const LintOptions* const asked = lint_ ? &rules : nullptr;
    if (!context.options.separate) {
      const Run run(context, context.options.captures, headers, detailed_, asked);
      if (run.summary.bad_filter) return status_of(run.summary);
      const report::Report report = run.report();
      if (context.options.format == Format::json) {
        JsonWriter json;
        begin_document(json);
        report::write_report(json, report);
        if (run.found) findings::write_findings(json, *run.found);
        if (run.more) details::write_details(json, *run.more);
        end_document(json, context.out);
      } else {
        print(context, report, run);
      }
      return status_of(run.summary);
    }
    return run_separately(context, headers, asked);
  }

 private:
  bool detailed_ = false, lint_ = false;
  bool unlinted_ = false;  ///< too much for what nobody asked for
  CLI::Option* asked_lint_ = nullptr;
  RuleOptions rules_;
  ConfigOptions config_;

  int run_separately(Context& context, HeaderSetup& headers, const LintOptions* rules) {
    int status = status_done;
    JsonWriter json;
    const bool as_json = context.options.format == Format::json;
    if (as_json) {
      begin_document(json);
      json.key("reports");
      json.begin_array();
    }
    bool first = true;
    for (const std::string& capture : context.options.captures) {
      if (!context.out.wanted()) break;
      const std::vector<std::string> alone = {capture};
      const Run run(context, alone, headers, detailed_, rules);
      if (run.summary.bad_filter) return status_of(run.summary);
      status = std::max(status, status_of(run.summary));
      const report::Report report = run.report();
      if (as_json) {
        json.begin_object();
        report::write_report(json, report);
        if (run.found) findings::write_findings(json, *run.found);
        if (run.more) details::write_details(json, *run.more);
        json.end_object();
      } else {
        if (!first) context.out.write("\n────────\n\n");
        print(context, report, run);
        context.out.flush();
      }
      first = false;
      if (run.summary.stopped) break;
    }
    if (as_json) {
      json.end_array();
      end_document(json, context.out);
    }
    return status;
  }

  void print(Context& context, const report::Report& report, const Run& run) const {
    print_report(context.out, painter(context), report);
    if (run.found) findings::print_top(context.out, painter(context), *run.found);
    if (unlinted_) context.out.write("\nFindings were not looked for (in more than 16 MiB, or a stream, that is --lint)\n");
    if (run.more) details::print_details(context.out, painter(context), *run.more);
  }

  static Painter painter(const Context& context) { return {context.options.color, context.out.is_terminal()}; }
};

}  // namespace

std::unique_ptr<Command> make_report_command() { return std::make_unique<ReportCommand>(); }

}  // namespace kparse::cli
