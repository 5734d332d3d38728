// SPDX-License-Identifier: MIT
// kparse decrypt: the inside of TLS as a plain capture, or as files; or a capture with its secrets inside.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/App.hpp>

#include "capture/pcapng_writer.h"
#include "capture/secrets.h"
#include "capture/segment_writer.h"
#include "commands/command.h"
#include "commands/own_input.h"
#include "decrypt/embed.h"
#include "decrypt/inner_capture.h"
#include "decrypt/packets.h"
#include "decrypt/stream_files.h"
#include "output/human.h"
#include "output/version.h"
#include "pipeline/pipeline.h"
#include "pipeline/reading.h"

namespace kparse::cli {
namespace {

/// Wants to know only which connections there are.
struct Nobody final : InnerWriter {
  void data(const OpenedConnection&, bool, std::uint64_t, Bytes, Stamp) override {}
};

/// To packets, to files, or both.
struct Both final : InnerWriter {
  std::vector<InnerWriter*> all;

  void begin(const OpenedConnection& c, Stamp at) override {
    for (auto* w : all) w->begin(c, at);
  }
  void data(const OpenedConnection& c, bool from_client, std::uint64_t offset, Bytes b, Stamp now) override {
    for (auto* w : all) w->data(c, from_client, offset, b, now);
  }
  void missing(const OpenedConnection& c, bool from_client, const Missing& m, Stamp now) override {
    for (auto* w : all) w->missing(c, from_client, m, now);
  }
  void end(const OpenedConnection& c, bool from_client, Stamp at) override {
    for (auto* w : all) w->end(c, from_client, at);
  }
  void close(const OpenedConnection& c, Stamp at) override {
    for (auto* w : all) w->close(c, at);
  }
};

std::string names_of(const std::vector<std::string>& captures) {
  std::string names;
  for (const std::string& c : captures) names += (names.empty() ? "" : ", ") + c;
  return names;
}

void tell(const OpenedCounts& counts, Diagnostics& diagnostics) {
  const auto say = [&diagnostics](std::uint64_t n, std::string_view what) {
    if (n > 0) diagnostics.warning("", fmt::format("{} {}", human_count(n), what));
  };
  for (const auto& [why, n] : counts.sealed)
    say(n, fmt::format("TLS conversation{} stayed closed: {}", n == 1 ? "" : "s",
                       why == TlsSealed::no ? "no data was seen" : reason_of(why)));
  say(counts.half, fmt::format("opened conversation{} stayed closed in part", counts.half == 1 ? "" : "s"));
  say(counts.lost,
      fmt::format("byte{} of opened conversations missing in the capture", counts.lost == 1 ? " is" : "s are"));
  if (counts.opened == 0) diagnostics.warning("", "no TLS conversation was opened: the result is empty");
  diagnostics.detail(
      "", fmt::format("{} opened; {} without TLS left out", human_count(counts.opened), human_count(counts.plain)));
}

class DecryptCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "The inside of TLS as a plain capture",
            .examples =
                "  kparse decrypt --keylog keys.txt in.pcap out.pcapng\n"
                "  kparse decrypt --keylog keys.txt --streams streams in.pcap    # streams/0-client.bin, ...\n"
                "  kparse decrypt --keylog keys.txt --embed-secrets in.pcap out.pcapng\n"
                "  The last name is what is written, unless --output or --streams says where.\n",
            .formats = {Format::text},
            .takes = Takes::captures};
  }

  void add_options(CLI::App& app) override {
    app.add_option("--streams", streams_,
                   "Write the inner bytes of each direction to DIR/N-client.bin and DIR/N-server.bin (N: conversation)")
        ->type_name("DIR");
    app.add_flag("--embed-secrets", embed_, "Write the same capture, with the secrets of its connections inside");
  }

  int run(Context& context) override {
    CommonOptions options = context.options;
    const FilterOptions& f = options.filter;
    if (!(f.apis.empty() && f.topics.empty() && f.groups.empty() && f.clients.empty() && f.hosts.empty()) ||
        options.from_ns || options.to_ns || options.names == NamesMode::all || !options.topic_ids.empty())
      return usage_error(context, "decrypt",
                         "of what narrows it down only --conversation, --port and --filter go with it");
    if (embed_ && !streams_.empty())
      return usage_error(context, "decrypt", "--streams and --embed-secrets do not go together");
    if (embed_ && (!f.conversations.empty() || !options.ports.empty() || !options.packet_filter.empty()))
      return usage_error(context, "decrypt", "--embed-secrets copies the whole capture");

    std::string to;
    const bool named = !options.output.empty() || (!streams_.empty() && options.captures.size() == 1);
    if (!named) {
      if (options.captures.size() < 2)
        return usage_error(context, "decrypt", "it takes a capture and the name of the result");
      to = options.captures.back();
      options.captures.pop_back();
    }
    if (embed_ && options.captures.size() != 1)
      return usage_error(context, "decrypt", "--embed-secrets takes one capture");
    if (embed_ && options.captures[0] == "-")
      return usage_error(context, "decrypt", "--embed-secrets reads the capture twice, which standard input can't be");

    const bool packets = !named || !options.output.empty();
    std::optional<Output> own;
    Output* out = &context.out;
    if (!named && to != "-") {
      own.emplace(context.diagnostics);
      if (is_own_input(to, options.captures, context.diagnostics) ||
          is_own_input(to, options.key_logs, context.diagnostics))
        return status_usage;
      if (!own->open(to)) return status_input;
      out = &*own;
    }
    const int status = embed_ ? embed(context, options, *out) : write(context, options, packets ? out : nullptr);
    if (!own || !written_) return status;
    return own->commit() ? status : status_input;
  }

 private:
  int write(Context& context, const CommonOptions& options, Output* out) {
    SecretStore secrets(options.key_logs, options.captures, context.diagnostics);
    ReadingTls tls(secrets);
    capture::PcapngWriter blocks([out](std::string_view block) { out->write(block); });
    PacketWriter packets(blocks);
    StreamFiles files(streams_, context.diagnostics);
    Both both;
    if (out != nullptr) {
      blocks.section(
          fmt::format(
              "Written by kparse decrypt: what was inside TLS in {}. Plain text. Addresses, ports and times are those "
              "of the capture; IP and TCP headers are made up.",
              names_of(options.captures)),
          fmt::format("kparse {}", version()));
      blocks.interface(capture::raw_ip, 0);
      both.all.push_back(&packets);
    }
    if (!streams_.empty()) {
      if (!files.open()) return status_input;
      both.all.push_back(&files);
    }
    InnerCapture streams(options, tls, both);
    const Summary summary = read_captures(options, options.captures, streams, tls, context.diagnostics, true, out);
    if (summary.bad_filter) return status_usage;
    if (out != nullptr) packets.flush();
    written_ = true;
    tell(streams.counts(), context.diagnostics);
    const bool failed = !files.finish() || secrets.unreadable();
    return failed ? status_input : status_of(summary);
  }

  int embed(Context& context, const CommonOptions& options, Output& out) {
    SecretStore secrets(options.key_logs, options.captures, context.diagnostics);
    ReadingTls tls(secrets);
    Nobody nobody;
    InnerCapture streams(options, tls, nobody);
    const Summary summary = read_captures(options, options.captures, streams, tls, context.diagnostics, true, &out);
    if (summary.unreadable) return status_of(summary);
    KeyLog inside;
    for (const capture::Secret& s : capture::read_secrets(options.captures[0]))
      if (s.type == capture::tls_key_log) inside.add_text(s.data);
    const std::string lines = key_log_lines(secrets.log(), streams.counts().randoms, inside);
    if (lines.empty() && inside.empty()) {
      context.diagnostics.error(options.captures[0], "there are no secrets for its connections: nothing was written");
      return status_input;
    }
    const std::string why =
        embed_secrets(options.captures[0], lines, [&out](std::string_view block) { out.write(block); });
    if (!why.empty()) {
      context.diagnostics.error(options.captures[0], why);
      return status_input;
    }
    written_ = true;
    return secrets.unreadable() ? status_input : status_of(summary);
  }

  std::string streams_;
  bool embed_ = false, written_ = false;
};

}  // namespace

std::unique_ptr<Command> make_decrypt_command() { return std::make_unique<DecryptCommand>(); }

}  // namespace kparse::cli
