// SPDX-License-Identifier: MIT
// kparse frames: one line per request and response.
#include <memory>

#include "commands/command.h"
#include "commands/frame_rows.h"
#include "pipeline/pipeline.h"
#include "records/frame_summary.h"

namespace kparse::cli {
namespace {

class Frames final : public Observer {
 public:
  explicit Frames(FrameRows& rows) : rows_(rows) {}

  void begin_request(const ConversationInfo&, const Request&) override { summary_.clear(); }
  void end_request(const ConversationInfo& c, const Request& r, const Error& e) override { rows_.request(c, r, summary_, e); }
  void begin_response(const ConversationInfo&, const Response&) override { summary_.clear(); }
  void end_response(const ConversationInfo& c, const Response& r, const Error& e) override { rows_.response(c, r, summary_, e); }
  void on_partition(const PartitionSeen& p) override { summary_.partition(p); }
  void on_error(const ErrorSeen& e) override { summary_.error(e); }
  void on_acks(std::int16_t a) override { summary_.acks(a); }
  void on_records(const RecordsSeen& r) override { summary_.records(r.records, scratch_); }
  void on_sasl(const ConversationInfo& c, const SaslToken& t) override { rows_.sasl(c, t); }
  void on_gap(const ConversationInfo& c, const Gap& g) override { rows_.gap(c, g); }
  void on_other(const ConversationInfo& c, Side from, std::string_view what, Stamp at) override { rows_.other(c, from, what, at); }

 private:
  FrameRows& rows_;
  FrameSummary summary_;
  Scratch scratch_;
};

class FramesCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "One line per request and response, with latency",
            .examples = "  kparse frames node1.pcap\n"
                        "  kparse frames --api Produce --topic orders node1.pcap\n"
                        "  kparse frames --format ndjson *.pcap | jq 'select(.latencyNs > 1e9)'\n",
            .formats = {Format::text, Format::ndjson, Format::csv},
            .takes = Takes::captures | Takes::secrets};
  }

  int run(Context& context) override {
    const CommonOptions& options = context.options;
    const auto rows = options.format == Format::ndjson ? make_frame_json(options, context.out)
                      : options.format == Format::csv  ? make_frame_csv(options, context.out)
                                                       : make_frame_text(options, context.out);
    Cluster cluster;
    Frames frames(*rows);
    return status_of(run_pipeline(options, options.captures, cluster, frames, Names::while_reading, context.diagnostics, &context.out));
  }
};

}  // namespace

std::unique_ptr<Command> make_frames_command() { return std::make_unique<FramesCommand>(); }

}  // namespace kparse::cli
