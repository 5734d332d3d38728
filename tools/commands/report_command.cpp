// SPDX-License-Identifier: MIT
// kparse report: what happened in these captures.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "commands/command.h"
#include "kparse/cluster.h"
#include "kparse/json.h"
#include "output/text.h"
#include "output/version.h"
#include "pipeline/pipeline.h"
#include "report/report.h"

namespace kparse::cli {
namespace {

/// Reads captures as one observation.
struct Run {
  Cluster cluster;
  Summary summary;
  report::ReportData data;

  Run(Context& context, const std::vector<std::string>& captures) {
    const RecordOptions limits{.max_batch = context.options.max_batch, .max_ratio = context.options.max_ratio};
    report::ReportObserver observer(limits);
    summary = run_pipeline(context.options, captures, cluster, observer, Names::at_the_end, context.diagnostics);
    data = observer.finish();
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
            .takes = Takes::captures | Takes::limits | Takes::separate};
  }

  int run(Context& context) override {
    if (!context.options.separate) {
      const Run run(context, context.options.captures);
      if (run.summary.bad_filter) return status_of(run.summary);
      const report::Report report(run.data, run.cluster, run.summary);
      if (context.options.format == Format::json) {
        JsonWriter json;
        begin_document(json);
        report::write_report(json, report);
        end_document(json, context.out);
      } else {
        print_report(context.out, painter(context), report);
      }
      return status_of(run.summary);
    }
    return run_separately(context);
  }

 private:
  int run_separately(Context& context) {
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
      const Run run(context, {capture});
      if (run.summary.bad_filter) return status_of(run.summary);
      status = std::max(status, status_of(run.summary));
      const report::Report report(run.data, run.cluster, run.summary);
      if (as_json) {
        json.begin_object();
        report::write_report(json, report);
        json.end_object();
      } else {
        if (!first) context.out.write("\n────────\n\n");
        print_report(context.out, painter(context), report);
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

  static Painter painter(const Context& context) { return {context.options.color, context.out.is_terminal()}; }

  static void begin_document(JsonWriter& json) {
    json.begin_object();
    json.key("schemaVersion");
    json.integer(schema_version);
    json.key("kparse");
    json.string(version());
  }

  static void end_document(JsonWriter& json, Output& out) {
    json.end_object();
    json.newline();
    out.write(json.view());
  }
};

}  // namespace

std::unique_ptr<Command> make_report_command() { return std::make_unique<ReportCommand>(); }

}  // namespace kparse::cli
