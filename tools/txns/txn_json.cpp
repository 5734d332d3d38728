// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>
#include <vector>

#include "output/human.h"
#include "txns/txn_out.h"

namespace kparse::txns {
namespace {

using story::number;
using story::number_or_null;
using story::text_or_null;

struct Writer {
  JsonWriter& json;
  const TxnsSeen& seen;
  const std::vector<std::string>& captures;

  void time(std::string_view name, bool known, const Stamp& at) {
    json.key(name);
    known ? static_cast<void>(json.string(cli::rfc3339(at.time_ns))) : json.null();
  }
  void count(std::string_view name, std::uint64_t n) { number(json, name, static_cast<std::int64_t>(n)); }
  void partition(const PartitionKey& key) {
    story::topic(json, seen.topics.label(seen.topics.same(key.topic)));
    number(json, "partition", key.partition);
  }

  void faults(const std::vector<Fault>& all) {
    json.key("errors");
    json.begin_array();
    for (const Fault& f : all) {
      json.begin_object();
      story::text(json, "call", f.call);
      story::error(json, "error", f.error);
      count("count", f.count);
      story::place(json, f.first, f.at, captures);
      json.end_object();
    }
    json.end_array();
  }

  void marker_name(std::int16_t type) { text_or_null(json, "marker", type == 1 ? "COMMIT" : type == 0 ? "ABORT" : ""); }

  void transaction(const Txn& t) {
    json.begin_object();
    time("begin", t.begin_known, t.begin);
    time("end", t.end_known, t.end);
    story::text(json, "outcome", name_of(t.outcome));
    json.key("partitions");
    json.begin_array();
    std::vector<std::pair<PartitionKey, TxnPartition>> sorted(t.partitions.begin(), t.partitions.end());
    std::sort(sorted.begin(), sorted.end(),
              [this](const auto& a, const auto& b) { return seen.topics.before(a.first, b.first); });
    for (const auto& [key, p] : sorted) {
      json.begin_object();
      partition(key);
      json.key("added");
      json.boolean(p.added);
      count("batches", p.batches);
      count("records", p.records);
      number_or_null(json, "firstOffset", p.first_offset);
      number_or_null(json, "lastOffset", p.last_offset);
      marker_name(p.marker);
      number_or_null(json, "markerOffset", p.marker_offset);
      story::error(json, "error", p.error);
      json.end_object();
    }
    json.end_array();
    json.key("offsets");
    json.begin_array();
    for (const TxnOffset& o : t.offsets) {
      json.begin_object();
      story::text(json, "group", o.group);
      partition(o.partition);
      number(json, "offset", o.offset);
      json.key("answered");
      json.boolean(o.answered);
      story::error(json, "error", o.error);
      json.end_object();
    }
    json.end_array();
    const bool measured = t.begin_known && t.end_known && t.whole;
    story::milliseconds(json, "durationMs", measured ? std::max<std::int64_t>(0, t.end.time_ns - t.begin.time_ns) : -1);
    faults(t.faults);
    number_or_null(json, "epoch", t.epoch);
    json.key("groups");
    json.begin_array();
    for (const std::string& g : t.groups) json.string(g);
    json.end_array();
    json.key("complete");
    json.boolean(t.begin_known && t.whole);
    json.key("byMarker");
    json.boolean(t.by_marker);
    const bool open = t.outcome == Outcome::open && t.begin_known;
    story::milliseconds(json, "openMs", open ? std::max<std::int64_t>(0, seen.last.time_ns - t.begin.time_ns) : -1);
    place("begin", t.begin_known, t.begin_first);
    place("end", t.end_known, t.end_first);
    json.end_object();
  }

  void place(std::string_view what, bool known, const Stamp& first) {
    json.key(what, "Capture");
    known&& first.file < captures.size() ? static_cast<void>(json.string(captures[first.file])) : json.null();
    json.key(what, "Packet");
    known ? json.unsigned_integer(first.packet) : json.null();
  }

  void producer(const Producer& p) {
    json.begin_object();
    text_or_null(json, "transactionalId", p.transactional_id);
    number_or_null(json, "producerId", p.id);
    json.key("epochs");
    json.begin_array();
    for (const std::int16_t e : p.epochs) json.integer(e);
    json.end_array();
    json.key("transactional");
    json.boolean(p.transactional);
    json.key("requestsSeen");
    json.boolean(p.requests_seen);
    json.key("partitionsAddedBy");
    p.own_adds       ? static_cast<void>(json.string("producer"))
    : p.implied_adds ? static_cast<void>(json.string("broker"))
                     : json.null();
    number_or_null(json, "timeoutMs", p.timeout_ms);
    json.key("clients");
    json.begin_array();
    for (const auto& [key, who] : p.people) {
      json.begin_object();
      json.key("clientId");
      who.client_id_null ? json.null() : static_cast<void>(json.string(who.client_id));
      story::text(json, "address", who.address);
      text_or_null(json, "software", who.software);
      text_or_null(json, "softwareVersion", who.software_version);
      json.end_object();
    }
    json.end_array();
    count("batches", p.batches);
    count("records", p.records);
    json.key("sequences");
    json.begin_object();
    count("repeated", p.repeated);
    count("gaps", p.gaps);
    count("oldEpoch", p.old_epochs);
    json.end_object();
    count("committed", p.committed);
    count("aborted", p.aborted);
    story::partitions(json, "partitions", {p.partitions.begin(), p.partitions.end()}, seen.topics);
    faults(p.faults);
    json.key("transactions");
    json.begin_array();
    for (const Txn& t : p.transactions) transaction(t);
    json.end_array();
    json.key("markers");
    json.begin_array();
    for (const Marker& m : p.markers) {
      json.begin_object();
      partition(m.partition);
      number(json, "offset", m.offset);
      marker_name(m.type);
      number(json, "epoch", m.epoch);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }

  void held(const Held& h) {
    json.begin_object();
    partition(h.partition);
    number(json, "lastStableOffset", h.offset);
    time("since", true, h.since);
    time("until", true, h.until);
    json.key("atEnd");
    json.boolean(h.at_end);
    story::milliseconds(json, "heldMs", std::max<std::int64_t>(0, h.until.time_ns - h.since.time_ns));
    number(json, "records", h.most);
    const Holder by = holder_of(h, seen);
    const Producer* p = by.producer < 0 ? nullptr : &seen.producers[static_cast<std::size_t>(by.producer)];
    text_or_null(json, "transactionalId", p ? p->transactional_id : std::string());
    number_or_null(json, "producerId", p ? p->id : -1);
    json.end_object();
  }
};

}  // namespace

void write_txns(JsonWriter& json, const TxnsSeen& seen, const std::vector<std::string>& captures) {
  Writer w{json, seen, captures};
  json.key("txns");
  json.begin_array();
  for (const Producer& p : seen.producers) w.producer(p);
  json.end_array();
  json.key("heldBack");
  json.begin_array();
  for (const Held& h : seen.held) w.held(h);
  json.end_array();
  story::limits(json, seen.limits);
}

}  // namespace kparse::txns
