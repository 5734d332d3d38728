// SPDX-License-Identifier: MIT
// The inputs, what was seen of them, and what was not.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "output/human.h"
#include "report/json_parts.h"
#include "report/report.h"
#include "report/text_parts.h"

namespace kparse::report {
namespace {

using cli::human_bytes;
using cli::human_count;
using cli::Style;

void time_member(JsonWriter& json, std::string_view name, const std::optional<std::int64_t>& time) {
  json.key(name);
  time ? static_cast<void>(json.string(cli::rfc3339(*time))) : json.null();
}

std::uint64_t tls_conversations(const Seen& s) {
  const auto tls = s.others.find("TLS");
  return tls == s.others.end() ? 0 : tls->second;
}

/// "02:46:31" where the day is that of `from`.
std::string until(std::int64_t from, std::int64_t to) {
  const std::string a = cli::human_time(from), b = cli::human_time(to);
  return b.substr(0, 10) == a.substr(0, 10) ? b.substr(11, 8) : b.substr(0, 19);
}

std::string span_of(const std::vector<capture::FileInfo>& inputs) {
  std::optional<std::int64_t> first, last;
  for (const capture::FileInfo& f : inputs) {
    if (f.first_time && (!first || *f.first_time < *first)) first = f.first_time;
    if (f.last_time && (!last || *f.last_time > *last)) last = f.last_time;
  }
  if (!first || !last) return {};
  return fmt::format("{} – {} UTC ({})", cli::human_time(*first).substr(0, 19), until(*first, *last), cli::human_duration(*last - *first));
}

/// Brokers by their ids; where an id is missing, addresses, of which a broker may have several.
std::string brokers_shown(const Report& r) {
  std::set<std::int32_t> ids;
  std::size_t addresses = 0;
  bool all = true;
  for (const NamedBroker& b : r.brokers) {
    if (!b.server) continue;
    ++addresses;
    all = all && b.id;
    if (b.id) ids.insert(*b.id);
  }
  return all ? plural(ids.size(), "broker") : plural(addresses, "broker address", "broker addresses");
}

}  // namespace

void json_inputs(JsonWriter& json, const Report& r) {
  json.begin_array();
  for (const capture::FileInfo& f : r.summary.inputs) {
    json.begin_object();
    text(json, "file", f.name);
    text_or_null(json, "format", f.format);
    count(json, "packets", f.packets);
    count(json, "bytes", f.bytes);
    count(json, "wireBytes", f.wire_bytes);
    time_member(json, "firstTime", f.first_time);
    time_member(json, "lastTime", f.last_time);
    count(json, "snaplenCut", f.snaplen_cut);
    json.key("damaged");
    f.damage ? static_cast<void>(json.string(capture::text_of(*f.damage))) : json.null();
    if (!f.error.empty()) text(json, "error", f.error);
    json.end_object();
  }
  json.end_array();
}

void json_seen(JsonWriter& json, const Report& r) {
  const Seen& s = r.data.seen;
  json.begin_object();
  count(json, "packets", r.summary.packets);
  count(json, "duplicatePackets", r.summary.tcp.duplicate_packets);
  count(json, "conversations", std::max(r.summary.tcp.conversations, s.conversations));
  count(json, "kafkaConversations", s.kafka_conversations);
  count(json, "tlsConversations", tls_conversations(s));
  count(json, "tlsOpened", s.tls_opened);
  json.key("otherConversations");
  json.begin_object();
  for (const auto& [what, n] : s.others) {
    json.escaped_key(what);
    json.unsigned_integer(n);
  }
  json.end_object();
  count(json, "requests", s.requests);
  count(json, "responses", s.responses);
  count(json, "matched", s.matched);
  count(json, "unanswered", s.unanswered());
  count(json, "orphanResponses", s.responses - s.matched);
  count(json, "undecoded", s.undecoded);
  count(json, "incomplete", s.incomplete);
  count(json, "unknown", s.unknown);
  count(json, "saslTokens", s.sasl_tokens);
  count(json, "lostBytes", s.lost_bytes);
  count(json, "cutBytes", s.cut_bytes);
  count(json, "resyncs", s.resyncs);
  count(json, "oneWay", s.one_way);
  count(json, "roleGuessed", s.roles_guessed);
  count(json, "throttled", s.throttled);
  count(json, "batches", s.batches);
  count(json, "batchesUnread", s.batches_unread);
  count(json, "records", s.records);
  count(json, "recordsProduced", s.records_produced);
  count(json, "recordsFetched", s.records_fetched);
  count(json, "controlRecords", s.control_records);
  count(json, "headers", s.headers);
  count(json, "crcBad", s.crc_bad);
  count(json, "keyBytes", s.key_bytes);
  count(json, "valueBytes", s.value_bytes);
  count(json, "headerBytes", s.header_bytes);
  count(json, "compressedBytes", s.compressed_bytes);
  count(json, "uncompressedBytes", s.uncompressed_bytes);
  count(json, "unreadSnapshotBytes", s.unread_snapshot_bytes);
  count(json, "retransmittedBytes", r.summary.tcp.retransmitted_bytes);
  count(json, "conflictingBytes", r.summary.tcp.conflicting_bytes);
  count(json, "strayPackets", r.summary.tcp.stray_packets);
  count(json, "packetsNotTcp", r.summary.not_tcp);
  count(json, "packetsUndecodable", r.summary.undecodable);
  json.key("stopped");
  json.boolean(r.summary.stopped);
  json.key("limits");
  json.begin_array();
  for (const FullTable& t : r.full) {
    json.begin_object();
    text(json, "name", t.name);
    count(json, "limit", t.limit);
    count(json, "leftOut", t.left_out);
    text(json, "of", t.why == FullTable::Why::rows ? "rows" : "bytes of a name");
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void text_inputs(cli::Output& out, const cli::Painter& paint, const Report& r) {
  const auto& inputs = r.summary.inputs;
  std::uint64_t bytes = 0;
  for (const capture::FileInfo& f : inputs) bytes += f.bytes;
  std::string line = paint(Style::bold, files_shown(inputs)) + ": ";
  if (inputs.size() > 1) line += fmt::format("{} files, ", inputs.size());
  line += fmt::format("{}, {}", human_bytes(bytes), plural(r.summary.packets, "packet"));
  if (const std::string span = span_of(inputs); !span.empty()) line += ", " + span;
  out.print("{}\n", line);

  const Seen& s = r.data.seen;
  const std::uint64_t clients = distinct_clients(r);
  line = fmt::format("{}", plural(s.kafka_conversations, "Kafka conversation"));
  if (s.kafka_conversations == 0) {
    const std::uint64_t all = std::max(r.summary.tcp.conversations, s.conversations);
    line = all == 0 ? std::string("No TCP conversation") : fmt::format("{}, none of them Kafka", plural(all, "TCP conversation"));
  } else {
    line += fmt::format(", {}, {}", plural(clients, "client"), brokers_shown(r));
    line += fmt::format("   ·   {}, {}", plural(s.requests, "request"), plural(s.responses, "response"));
    if (s.records > 0) line += fmt::format(", {}", plural(s.records, "record"));
  }
  out.print("{}\n", line);
  if (s.records_produced + s.records_fetched > 0) {
    line = fmt::format("Records: {} produced, {} fetched in {}", human_count(s.records_produced), human_count(s.records_fetched),
                       plural(s.batches, "batch", "batches"));
    if (s.control_records > 0) line += fmt::format(" ({})", plural(s.control_records, "control record"));
    line += fmt::format(", {} of keys, {} of values", human_bytes(s.key_bytes), human_bytes(s.value_bytes));
    if (s.headers > 0) line += fmt::format(", {} in {}", human_bytes(s.header_bytes), plural(s.headers, "header"));
    out.print("{}\n", line);
    if (s.compressed_bytes > 0) {
      out.print("Compression: {} from {} ({:.1f} : 1)\n", human_bytes(s.compressed_bytes), human_bytes(s.uncompressed_bytes),
                static_cast<double>(s.uncompressed_bytes) / static_cast<double>(s.compressed_bytes));
    }
  }
}

}  // namespace kparse::report
