// SPDX-License-Identifier: MIT
// kparse trace: the way of records.
#include <memory>

#include <fmt/format.h>
#include <CLI/App.hpp>

#include "commands/command.h"
#include "commands/parse.h"
#include "output/version.h"
#include "pipeline/pipeline.h"
#include "trace/trace_observer.h"
#include "trace/trace_out.h"

namespace kparse::cli {
namespace {

class TraceCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "A record's way: produced where and when, fetched by whom and how much later",
            .examples =
                "  kparse trace capture.pcap\n"
                "  kparse trace --topic orders --partition 2 --offset 1041 node*.pcap\n"
                "  kparse trace --key order-17 capture.pcap\n"
                "  kparse trace --by trace --format json capture.pcap | jq '.trace[] | [.mark, .topic]'\n",
            .formats = {Format::text, Format::json},
            .takes = Takes::captures | Takes::limits};
  }

  void add_options(CLI::App& app) override {
    constexpr const char* group = "What to look at";
    app.add_option("--partition", partition_, "Only this partition")->type_name("N")->group(group);
    app.add_option("--offset", offset_, "Only this offset")->type_name("N")->group(group);
    app.add_option("--key", key_, "Only records with this key: through all topics")->type_name("KEY")->group(group);
    app.add_option("--trace-id", trace_id_,
                   "Only records of this trace: traceparent, b3, Jaeger, Datadog, X-Ray, SkyWalking headers")
        ->type_name("ID")
        ->group(group);
    app.add_option("--by", by_, "Records with the same key or trace id together: offset|key|trace (default offset)")
        ->type_name("offset|key|trace")
        ->group("Output");
    app.add_flag("--list", list_, "In text: each record, not just the delays")->group("Output");
    app.add_option("--limit", limit_, "List at most so many records (default 100000)")->type_name("N")->group("Output");
  }

  int run(Context& context) override {
    CommonOptions options = context.options;
    trace::Options what;
    what.records = {.max_batch = options.max_batch, .max_ratio = options.max_ratio};
    if (!key_.empty() && !trace_id_.empty())
      return usage_error(context, "trace", "--key and --trace-id don't go together");
    if (by_ == "key" || !key_.empty()) {
      what.by = trace::Options::By::key;
    } else if (by_ == "trace" || !trace_id_.empty()) {
      what.by = trace::Options::By::trace_id;
    } else if (by_ != "offset") {
      return usage_error(context, "trace", fmt::format("--by: '{}' is none of offset|key|trace", by_));
    }
    if ((by_ == "key" && !trace_id_.empty()) || (by_ == "trace" && !key_.empty()))
      return usage_error(context, "trace", "--by says one thing, --key or --trace-id another");
    what.only = key_.empty() ? trace_id_ : key_;
    // Groups are told by frames that name no topic: the observer chooses, not the filter.
    what.topics = std::move(options.filter.topics);
    options.filter.topics.clear();

    trace::TraceObserver observer(what);
    Cluster cluster;
    const Summary summary =
        run_pipeline(options, options.captures, cluster, observer, Names::at_the_end, context.diagnostics);
    if (summary.bad_filter) return status_of(summary);
    const trace::TraceSeen seen = observer.finish(cluster);
    const trace::Show show{.captures = options.captures,
                           .grouped = what.by != trace::Options::By::offset,
                           .offset = offset_,
                           .partition = partition_,
                           .most = limit_};
    if (context.options.format == Format::json) {
      context.out.print("{{\"schemaVersion\":{},\"kparse\":\"{}\"", schema_version, version());
      trace::write_trace(context.out, seen, show);
      context.out.write("\n");
    } else {
      const Painter paint(context.options.color, context.out.is_terminal());
      trace::print_trace(context.out, paint, seen, show, list_ || show.grouped || offset_ >= 0);
    }
    return status_of(summary);
  }

 private:
  std::int32_t partition_ = -1;
  std::int64_t offset_ = -1;
  std::string key_, trace_id_, by_ = "offset";
  bool list_ = false;
  std::uint64_t limit_ = 100'000;
};

}  // namespace

std::unique_ptr<Command> make_trace_command() { return std::make_unique<TraceCommand>(); }

}  // namespace kparse::cli
