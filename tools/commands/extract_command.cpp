// SPDX-License-Identifier: MIT
// kparse extract: a small capture out of a big one.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/App.hpp>

#include "capture/pcapng_writer.h"
#include "capture/segment_writer.h"
#include "commands/command.h"
#include "commands/own_input.h"
#include "extract/copier.h"
#include "extract/selection.h"
#include "kparse/draft_headers.h"
#include "output/human.h"
#include "output/version.h"
#include "pipeline/pipeline.h"

namespace kparse::cli {
namespace {

constexpr std::uint64_t max_checked = 256u << 20;

/// The result once more in memory, so that it can be read before it is given away.
class MemoryFile {
 public:
  MemoryFile() : fd_(::memfd_create("kparse-extract", MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  void write(std::string_view text) {
    if (fd_ < 0 || size_ + text.size() > max_checked) whole_ = false;
    size_ += text.size();
    while (whole_ && !text.empty()) {
      const ssize_t n = ::write(fd_, text.data(), text.size());
      if (n <= 0) {
        whole_ = false;
      } else {
        text.remove_prefix(static_cast<std::size_t>(n));
      }
    }
  }
  [[nodiscard]] bool whole() const noexcept { return whole_; }
  [[nodiscard]] std::string name() const { return fmt::format("/proc/self/fd/{}", fd_); }

 private:
  int fd_;
  std::uint64_t size_ = 0;
  bool whole_ = true;
};

std::uint64_t differing(const FramePrints& a, const FramePrints& b) {
  std::uint64_t wrong = 0;
  for (std::size_t c = 0; c < std::max(a.size(), b.size()); ++c) {
    for (std::size_t side = 0; side < 2; ++side) {
      static const std::vector<FramePrint> none;
      const auto& x = c < a.size() ? a[c][side] : none;
      const auto& y = c < b.size() ? b[c][side] : none;
      for (std::size_t n = 0; n < std::max(x.size(), y.size()); ++n) wrong += n >= x.size() || n >= y.size() || !(x[n] == y[n]);
    }
  }
  return wrong;
}

class ExtractCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "A small capture out of a big one, to pass on",
            .examples =
                "  kparse extract --packet 1234 big.pcap -o frame.pcapng         a frame, and what its decoding needs\n"
                "  kparse extract --packet 1234-1240 --redact big.pcap -o bug.pcapng\n"
                "  kparse extract --conversation 3 big.pcap conversation.pcapng\n"
                "  kparse extract --api Fetch --topic orders --redact big.pcap bug.pcapng\n"
                "  The last name is what is written, unless --output says where.\n"
                "Redaction (lengths stay):\n"
                "  --redact    keys, values, header values, SASL tokens, keys and hashes, values of configs, other\n"
                "              opaque bytes, metadata of offsets, error messages; names, ids and numbers stay\n"
                "  --redact-names    these too: topics, groups, clients, users, hosts, addresses, header names\n"
                "  Compressed batches are compressed again: only these get another length. Checksums are mended.\n",
            .formats = {},
            .takes = Takes::captures | Takes::limits | Takes::headers};
  }

  void add_options(CLI::App& app) override {
    app.add_option("--packet", packets_, "Frames that have bytes in this packet: N, N-M, or FILE:N of several captures; may be given again")
        ->type_name("N")
        ->allow_extra_args(false);
    app.add_flag("--redact", redact_, "Leave out what the records and secrets say");
    app.add_flag("--redact-names", redact_names_, "Leave out names and addresses, too");
  }

  int run(Context& context) override {
    CommonOptions options = context.options;
    std::string to;
    const bool named = !options.output.empty();
    if (!named) {
      if (options.captures.size() < 2) return usage_error(context, "extract", "it takes a capture and the name of the result");
      to = options.captures.back();
      options.captures.pop_back();
    }
    std::vector<PacketRange> ranges;
    for (const std::string& text : packets_) {
      const auto range = parse_packets(text);
      if (!range) return usage_error(context, "extract", fmt::format("--packet: '{}' is none of N, N-M, FILE:N", text));
      if (range->file >= options.captures.size())
        return usage_error(context, "extract", fmt::format("--packet: there is no capture {}", range->file + 1));
      if (options.captures.size() > 1 && text.find(':') == text.npos)
        return usage_error(context, "extract", fmt::format("--packet: of which capture? 1:{} is one of the first", text));
      ranges.push_back(*range);
    }
    if (ranges.empty() && !options.filter.any() && !options.from_ns && !options.to_ns)
      return usage_error(context, "extract", "what? --packet, --conversation, --api, --topic, --group, --client, --host, --from or --to says it");
    if (std::find(options.captures.begin(), options.captures.end(), "-") != options.captures.end())
      return usage_error(context, "extract", "the captures are read twice, which standard input can't be");
    if (!ranges.empty() && !options.packet_filter.empty())
      return usage_error(context, "extract", "--packet and --filter do not go together");

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
    written_ = false;
    const int status = extract(context, options, ranges, *out);
    if (!written_) {
      out->discard();
      return status;
    }
    return !own || own->commit() ? status : status_input;
  }

 private:
  /// Options without what narrows it down: the filters are the selection's.
  static CommonOptions everything(CommonOptions o) {
    o.filter = {};
    o.from_ns = o.to_ns = std::nullopt;
    o.names = NamesMode::first;
    return o;
  }

  /// One of several readings: what there is to say of the captures is said by another.
  static Summary run_quietly(Context& context, CommonOptions options, Cluster& cluster, Observer& observer, Output* out = nullptr) {
    const bool quiet = std::exchange(options.quiet, true);
    context.diagnostics.set_quiet(true);
    const Summary s = run_pipeline(options, options.captures, cluster, observer, Names::at_the_end, context.diagnostics, out);
    context.diagnostics.set_quiet(quiet);
    return s;
  }

  int extract(Context& context, const CommonOptions& options, const std::vector<PacketRange>& ranges, Output& out) {
    const Redact how = redact_names_ ? Redact::names : redact_ ? Redact::content : Redact::nothing;
    const CommonOptions all = everything(options);
    Cluster cluster;
    if (!options.filter.topics.empty()) {  // a topic that is named by id has to have its name first
      Observer nobody;
      (void)run_quietly(context, all, cluster, nobody);
    }
    const std::vector<AskedPacket> packets = look_up(ranges, options.captures);
    if (!ranges.empty() && packets.empty()) {
      context.diagnostics.error("", "the captures have no such packet");
      return status_findings;
    }
    Selection selection(options, packets, cluster, how == Redact::nothing);
    const Summary summary = run_pipeline(all, all.captures, cluster, selection, Names::at_the_end, context.diagnostics);
    if (const int status = status_of(summary); status != status_done) return status;
    if (summary.stopped) return status_input;
    if (selection.asked() == 0) {
      context.diagnostics.error("", nothing_there(selection));
      return status_findings;
    }

    const auto profile = find_draft_profile(options.draft_headers);
    FrameRedactor redactor(how, {.max_batch = options.max_batch, .max_ratio = options.max_ratio, .draft = profile});
    MemoryFile copy;
    capture::PcapngWriter blocks([&](std::string_view block) {
      out.write(block);
      copy.write(block);
    });
    blocks.section(comment(how), fmt::format("kparse {}", version()));
    blocks.interface(capture::raw_ip, 0);
    Copier copier(selection, how == Redact::nothing ? nullptr : &redactor, blocks);
    Cluster again;
    const Summary second = run_quietly(context, all, again, copier, &out);
    if (second.stopped || second.unreadable) return status_input;
    copier.finish();
    written_ = true;
    tell(context, selection, copier, redactor, how);
    return check(context, copier, copy);
  }

  static std::string nothing_there(const Selection& selection) {
    std::string text = "no Kafka frame is there to extract";
    for (const std::string& other : selection.others())
      text += fmt::format("; {}", other == "TLS" ? "there is TLS that stays closed (--keylog)" : "there is " + other);
    return text;
  }

  static std::string comment(Redact how) {
    return fmt::format(
        "Written by kparse extract: chosen Kafka frames of a capture. {}Times and ports are those of the capture; IP and "
        "TCP headers are made up, and what was inside TLS is in plain.",
        how == Redact::nothing   ? ""
        : how == Redact::content ? "Keys, values, header values and secrets are replaced by other bytes. "
                                 : "Keys, values, header values, secrets, names and addresses are replaced by others. ");
  }

  static void tell(Context& context, const Selection& selection, const Copier& copier, const FrameRedactor& redactor, Redact how) {
    context.diagnostics.detail(
        "", fmt::format("{} frames of {} conversations; {} were asked for", human_count(selection.all()),
                        human_count(copier.conversations()), human_count(selection.asked())));
    if (how == Redact::nothing) return;
    if (const auto n = redactor.records().recompressed(); n > 0)
      context.diagnostics.detail("", fmt::format("{} batches were compressed again: their length is another", human_count(n)));
    if (const auto n = redactor.records().closed(); n > 0)
      context.diagnostics.warning("", fmt::format("{} batches could not be read as records: their content became filling", human_count(n)));
  }

  /// Reads the result and compares it frame by frame with what was written.
  int check(Context& context, const Copier& copier, const MemoryFile& copy) {
    if (!copy.whole()) {
      context.diagnostics.warning("", "the result is too large to be checked");
      return status_done;
    }
    PrintTaker taken;
    Cluster cluster;
    CommonOptions plain;
    plain.quiet = true;
    plain.progress = When::never;
    (void)run_pipeline(plain, {copy.name()}, cluster, taken, Names::at_the_end, context.diagnostics);
    const std::uint64_t wrong = differing(copier.prints(), taken.prints());
    if (wrong == 0) return status_done;
    context.diagnostics.error("", fmt::format("{} frame{} of the result {} read as in the capture", human_count(wrong),
                                              wrong == 1 ? "" : "s", wrong == 1 ? "is not" : "are not"));
    return status_findings;
  }

  std::vector<std::string> packets_;
  bool redact_ = false, redact_names_ = false, written_ = false;
};

}  // namespace

std::unique_ptr<Command> make_extract_command() { return std::make_unique<ExtractCommand>(); }

}  // namespace kparse::cli
