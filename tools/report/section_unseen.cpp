// SPDX-License-Identifier: MIT
// What the report can't know: said right at the top, so that nobody takes the numbers below for the whole.
#include <algorithm>

#include <fmt/format.h>

#include "output/human.h"
#include "report/report.h"
#include "report/text_parts.h"

namespace kparse::report {
namespace {

using cli::human_bytes;
using cli::human_count;
using cli::printable;
using cli::Style;

std::vector<std::string> of_the_captures(const Report& r) {
  std::vector<std::string> out;
  for (const capture::FileInfo& f : r.summary.inputs) {
    if (!f.error.empty()) out.push_back(fmt::format("{}: not read: {}", printable(f.name), printable(f.error)));
    if (f.damage) out.push_back(fmt::format("{}: {}; what comes after is missing", printable(f.name), printable(capture::text_of(*f.damage))));
    if (f.snaplen_cut > 0) {
      out.push_back(fmt::format("{} of {} cut by the snapshot length", plural(f.snaplen_cut, "packet"), printable(f.name)));
    }
  }
  if (r.summary.stopped) out.push_back("reading was stopped: the rest of the input");
  if (r.summary.undecodable > 0) out.push_back(fmt::format("{} with broken or unknown headers below TCP", plural(r.summary.undecodable, "packet")));
  return out;
}

std::vector<std::string> of_the_streams(const Report& r) {
  const Seen& s = r.data.seen;
  std::vector<std::string> out;
  if (s.lost_bytes > 0) {
    std::string text = fmt::format("{} lost in {}", plural(s.lost_bytes, "byte"), plural(s.lossy_conversations, "conversation"));
    if (s.cut_bytes > 0) text += fmt::format(", {} of them cut by the snapshot length", human_count(s.cut_bytes));
    out.push_back(std::move(text));
  }
  if (s.incomplete > 0) out.push_back(fmt::format("the rest of {}", plural(s.incomplete, "frame")));
  if (s.resyncs > 0) out.push_back(fmt::format("the start of a frame had to be searched {}", s.resyncs == 1 ? "once" : human_count(s.resyncs) + " times"));
  if (s.one_way > 0) out.push_back(fmt::format("any frame of one of the sides in {}", plural(s.one_way, "conversation")));
  if (s.responses > s.matched) out.push_back(fmt::format("{} without their request", plural(s.responses - s.matched, "response")));
  if (s.unanswered() > 0) out.push_back(fmt::format("{} without an answer", plural(s.unanswered(), "request")));
  const std::uint64_t broken = s.undecoded - std::min(s.undecoded, s.incomplete + s.unknown_frames);
  if (broken > 0) out.push_back(fmt::format("{} not decoded to the end", plural(broken, "frame")));
  if (s.unknown_frames > 0) out.push_back(fmt::format("{} of an API or version newer than this program", plural(s.unknown_frames, "frame")));
  if (s.batches_unread > 0) out.push_back(fmt::format("{} not readable to the end", plural(s.batches_unread, "batch", "batches")));
  if (s.unread_snapshot_bytes > 0) out.push_back(fmt::format("{} of metadata snapshots whose beginning is missing", human_bytes(s.unread_snapshot_bytes)));
  std::uint64_t nameless = 0;
  for (const NamedTopic& t : r.topics) nameless += t.label.name.empty() && !t.label.id.empty();
  if (nameless > 0) out.push_back(fmt::format("the names of {} (ids only)", plural(nameless, "topic")));
  for (const auto& [why, n] : tls_sealed(r.data.tls))
    if (why != TlsSealed::plainClient && why != TlsSealed::noAnswer && why != TlsSealed::refused) out.push_back(fmt::format("the inside of {}: {}", plural(n, "TLS conversation"), reason_of(why)));
  if (s.roles_guessed > 0) out.push_back(fmt::format("who is the client in {} (guessed)", plural(s.roles_guessed, "conversation")));
  for (const FullTable& t : r.full) {
    if (t.why == FullTable::Why::rows)
      out.push_back(fmt::format("the table \"{}\" was full ({}): {} left out", t.name, human_count(t.limit), human_count(t.left_out)));
    else
      out.push_back(fmt::format("{} of the table \"{}\", whose names have more than {}", human_count(t.left_out), t.name, human_bytes(t.limit)));
  }
  return out;
}

std::vector<std::string> strange(const Report& r) {
  const Seen& s = r.data.seen;
  const capture::TcpStats& tcp = r.summary.tcp;
  std::vector<std::string> out;
  if (s.crc_bad > 0) out.push_back(fmt::format("{} with a wrong checksum", plural(s.crc_bad, "batch", "batches")));
  if (s.throttled > 0) out.push_back(fmt::format("{} said that the client is throttled", plural(s.throttled, "response")));
  if (tcp.duplicate_packets > 0) out.push_back(fmt::format("{} captured twice (counted once)", plural(tcp.duplicate_packets, "packet")));
  if (tcp.conflicting_bytes > 0) out.push_back(fmt::format("{} retransmitted with other content", plural(tcp.conflicting_bytes, "byte")));
  const auto sealed = tls_sealed(r.data.tls);
  if (const auto found = sealed.find(TlsSealed::plainClient); found != sealed.end())
    out.push_back(fmt::format("{} on a TLS port", plural(found->second, "plain-text client")));
  if (const auto found = sealed.find(TlsSealed::noAnswer); found != sealed.end())
    out.push_back(fmt::format("{} that got no answer in TLS (a plain-text port?)", plural(found->second, "TLS client")));
  if (const auto found = sealed.find(TlsSealed::refused); found != sealed.end())
    out.push_back(fmt::format("{} that failed", plural(found->second, "TLS handshake")));
  if (s.proxied > 0) out.push_back(fmt::format("{} behind a PROXY header", plural(s.proxied, "conversation")));
  return out;
}

}  // namespace

void text_seen(cli::Output& out, const cli::Painter& paint, const Report& r) {
  std::vector<std::string> others;
  for (const auto& [what, n] : r.data.seen.others) {
    const std::uint64_t opened = what == "TLS" ? std::min(n, r.data.seen.tls_opened) : 0;
    if (n > opened) others.push_back(fmt::format("{} {}", human_count(n - opened), what == "TLS" ? "TLS (encrypted)" : printable(what)));
  }
  if (!others.empty()) flow(out, 0, "Not Kafka: ", others);
  const std::vector<std::string> odd = strange(r);
  if (!odd.empty()) flow(out, 0, "Note: ", odd);

  std::vector<std::string> missing = of_the_streams(r);
  for (std::string& text : of_the_captures(r)) missing.push_back(std::move(text));
  if (!missing.empty()) {
    flow(out, 0, paint(Style::yellow, "Not seen:") + " ", missing);
  } else if (r.data.seen.kafka_conversations > 0) {
    out.print("{}\n", paint(Style::green, "Nothing is missing: no byte was lost, every frame decoded, every request answered."));
  }
}

}  // namespace kparse::report
