// SPDX-License-Identifier: MIT
// kparse records: every record that was produced or fetched, with its headers.
#include <memory>

#include <fmt/format.h>
#include <CLI/App.hpp>

#include "commands/command.h"
#include "commands/header_setup.h"
#include "output/human.h"
#include "output/text.h"
#include "pipeline/pipeline.h"
#include "records/record_json.h"
#include "records/record_observer.h"
#include "records/record_text.h"

namespace kparse::cli {
namespace {

BytesAs bytes_as(BytesMode m) {
  switch (m) {
    case BytesMode::automatic: return BytesAs::text;
    case BytesMode::base64: return BytesAs::base64;
    case BytesMode::hex: return BytesAs::hex;
    case BytesMode::none: return BytesAs::nothing;
  }
  return BytesAs::text;
}

std::unique_ptr<RecordOut> make_out(const CommonOptions& o, Output& out, RecordExtras extras) {
  const BytesAs bytes = bytes_as(o.bytes);
  if (o.format == Format::ndjson) return std::make_unique<RecordJson>(out, o.captures, bytes, o.show_secrets, extras);
  if (o.format == Format::csv) return std::make_unique<RecordCsv>(out, o.captures, bytes, o.show_secrets, extras);
  return std::make_unique<RecordText>(out, bytes, Painter(o.color, out.is_terminal()), o.show_secrets, extras);
}

void tell(const RecordObserver::Unread& unread, const CommonOptions& options, Diagnostics& diagnostics) {
  if (unread.batches > 0) {
    const Stamp at = unread.at;
    diagnostics.warning(at.file < options.captures.size() ? options.captures[at.file] : std::string{},
                        fmt::format("{} batch{} could not be read to the end, the first in the frame of packet {}: {}",
                                    human_count(unread.batches), unread.batches == 1 ? "" : "es", at.packet, name_of(unread.error.code)));
  }
  if (unread.snapshot_bytes > 0) {
    diagnostics.warning("", fmt::format("{} of snapshots could not be read: what goes before it is not in the captures",
                                        human_bytes(unread.snapshot_bytes)));
  }
}

class RecordsCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "Every record that was produced or fetched, with its headers",
            .examples = "  kparse records --topic orders node1.pcap\n"
                        "  kparse records --format ndjson --names all *.pcap | jq 'select(.key == \"order-17\")'\n"
                        "  kparse records --format csv --bytes none node1.pcap\n",
            .formats = {Format::text, Format::ndjson, Format::csv},
            .takes = Takes::captures | Takes::values | Takes::secrets | Takes::headers};
  }

  void add_options(CLI::App& app) override {
    app.add_flag("--recognise", recognise_,
                 "Say what headers and values look like: trace contexts, CloudEvents, schema ids, wrappers (carrier)");
  }

  int run(Context& context) override {
    const CommonOptions& options = context.options;
    RecordOptions limits;
    limits.max_batch = options.max_batch;
    limits.max_ratio = options.max_ratio;
    HeaderSetup headers;
    if (const int wrong = headers.load(context)) return wrong;
    limits.draft = headers.decoder();
    const auto out = make_out(options, context.out, {.recognise = recognise_, .draft = headers.decoder()});
    Cluster cluster;
    RecordObserver observer(cluster, limits, *out);
    const Summary summary = run_pipeline(options, options.captures, cluster, observer, Names::while_reading, context.diagnostics, &context.out);
    tell(observer.unread(), options, context.diagnostics);
    return status_of(summary);
  }

 private:
  bool recognise_ = false;
};

}  // namespace

std::unique_ptr<Command> make_records_command() { return std::make_unique<RecordsCommand>(); }

}  // namespace kparse::cli
