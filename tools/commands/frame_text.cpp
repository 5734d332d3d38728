// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "commands/frame_rows.h"
#include "commands/frame_line.h"
#include "output/human.h"
#include "output/text.h"

namespace kparse::cli {

std::string error_text(std::int16_t code) {
  const std::string_view name = error_name(code);
  return name.empty() ? std::to_string(code) : std::string(name);
}

namespace {

class FrameText final : public FrameRows {
 public:
  FrameText(const CommonOptions& options, Output& out) : out_(out), paint_(options.color, out.is_terminal()) {}

  void request(const ConversationInfo& c, const Request& r, const FrameSummary& s, const Error& e) override {
    head(c, r.frame, ">", api_text(r.api, r.api_key, r.version), r.correlation_id);
    out_.print("{:>9}  {}", "", paint_(Style::dim, r.client_id_null ? "-" : printable(r.client_id)));
    if (s.acks()) out_.print("  acks={}", *s.acks());
    tail(s, e);
  }
  void response(const ConversationInfo& c, const Response& r, const FrameSummary& s, const Error& e) override {
    const std::string api = r.matched ? api_text(r.api, r.api_key, r.request_version)
                            : r.guess >= 0 && find_api(r.guess) ? fmt::format("?{}", find_api(r.guess)->name)
                                                                : std::string("?");
    head(c, r.frame, "<", api, r.correlation_id);
    out_.print("{:>9}", r.timed() ? human_duration(r.latency_ns) : std::string("-"));
    tail(s, e);
  }
  void sasl(const ConversationInfo& c, const SaslToken& t) override {
    head(c, t.frame, t.frame.from == Side::client ? ">" : "<", "SASL token", 0);
    out_.print("{:>9}  {}\n", "", t.mechanism.empty() ? std::string("unknown mechanism") : printable(t.mechanism));
  }
  void gap(const ConversationInfo& c, const Gap& g) override {
    out_.print("{}  {:>5}  {}\n", human_time(g.at.time_ns), c.number,
               paint_(Style::yellow, fmt::format("{} {} from the {} {}", g.bytes, g.bytes == 1 ? "byte" : "bytes", name_of(g.from),
                                                 g.cut ? "cut by the snapshot length" : "not in the capture")));
  }
  void other(const ConversationInfo& c, Side from, std::string_view what, Stamp at) override {
    out_.print("{}  {:>5}  {}\n", human_time(at.time_ns), c.number,
               paint_(Style::dim, fmt::format("{} ({} to {}, from the {})", printable(other_text(c, what)), c.client, c.server, name_of(from))));
  }

 private:
  static std::string api_text(const Api* api, int key, int version) {
    return api ? fmt::format("{} v{}", api->name, version) : fmt::format("API {} v{}", key, version);
  }
  void head(const ConversationInfo& c, const Frame& f, std::string_view direction, std::string_view api, std::int32_t correlation) {
    out_.print("{}  {:>5} {} {:<28} {:>11} {:>9} ", human_time(f.completed.time_ns), c.number, direction, api,
               fmt::format("#{}", correlation), human_bytes(std::uint64_t{f.size} + 4));
  }
  void tail(const FrameSummary& s, const Error& e) {
    for (std::size_t i = 0; i < s.topic_count(); ++i) out_.print("{}{}", i == 0 ? "  " : ",", paint_(Style::cyan, printable(s.topic(i))));
    if (s.more_topics()) out_.write(",…");
    if (s.partitions() > 1) out_.print("  {} partitions", s.partitions());
    if (s.records() > 0) out_.print("  {} record{}", s.records(), s.records() == 1 ? "" : "s");
    for (const std::int16_t code : s.errors()) out_.print("  {}", paint_(Style::red, error_text(code)));
    if (e) {
      char path[512];
      out_.print("  {}", paint_(Style::red, fmt::format("[{}{}{}]", name_of(e.code), e.node == no_node ? "" : " at ",
                                                        e.node == no_node ? std::string_view{} : path_of(e.node, path))));
    }
    out_.write('\n');
  }

  Output& out_;
  const Painter paint_;
};

}  // namespace

std::unique_ptr<FrameRows> make_frame_text(const CommonOptions& options, Output& out) {
  return std::make_unique<FrameText>(options, out);
}

}  // namespace kparse::cli
