// SPDX-License-Identifier: MIT
#include "report/headers.h"

#include <algorithm>

#include "kparse/carriers.h"
#include "kparse/json.h"
#include "kparse/record_walk.h"

namespace kparse::report {
namespace {

/// What HeaderReader gives, in line: this is the inner loop of a report.
struct CheckedHeaders {
  explicit CheckedHeaders(const Record& r) noexcept
      : at(r.headers.data()), end(r.headers.data() + r.headers.size()), left(r.header_count) {}

  bool next() noexcept {
    if (left-- <= 0) return false;
    Bytes raw;
    if (!(at = detail::read_nullable(at, end, raw)) || !raw.data() || !(at = detail::read_nullable(at, end, value))) [[unlikely]] {
      left = 0;
      return false;
    }
    name = text(raw);
    return true;
  }

  const std::uint8_t* at;
  const std::uint8_t* end;
  std::int32_t left;
  std::string_view name;
  Bytes value;
};

HeaderTable::Slot* find(std::string_view name, const HeaderMeaning& meaning, const TopicRef& topic, HeaderTable& table,
                        KeyBuilder& key) {
  key.clear();
  add_topic(key, topic);
  key.text(name);
  if (meaning.draft) key.number(1);  // 260 as a key isn't "260" as a name
  HeaderTable::Slot* slot = table.find_or_add(key.view());
  if (slot && slot->row.count == 0 && slot->row.name.empty()) {
    slot->row.topic = TopicKey::of(topic);
    slot->row.name = name;
    slot->row.draft = meaning.draft;
    if (meaning.draft) {
      slot->row.registered = meaning.names.name_of(name);
      return slot;
    }
    slot->row.kind = meaning.names.kind_of(name);
    if (const HeaderConvention* c = find_header_convention(name)) slot->row.marks = c->marks;
    slot->row.is_traceparent = name == "traceparent";
  }
  return slot;
}

}  // namespace

void HeaderRow::merge(HeaderRow&& o) {
  if (count == 0) {
    *this = std::move(o);
    return;
  }
  count += o.count;
  repeats += o.repeats;
  bytes += o.bytes;
  nulls += o.nulls;
  invalid += o.invalid;
}

HeaderTable::Slot* HeaderPlaces::look_up(std::size_t place, std::string_view name, const HeaderMeaning& meaning,
                                        const TopicRef& topic, HeaderTable& table, KeyBuilder& key) {
  HeaderTable::Slot* slot = find(name, meaning, topic, table, key);
  if (place >= max_places) return slot;
  if (place >= places_.size()) places_.resize(place + 1);
  places_[place] = slot ? Place{slot, slot->uid, slot->row.name} : Place{};
  return slot;
}

// Counted as they come, and taken back where one isn't whole: that is rarer than anything.
bool HeaderPlaces::count(const Record& record, const HeaderMeaning& meaning, const TopicRef& topic, HeaderTable& table,
                         KeyBuilder& key, HeaderSums& sums) {
  CheckedHeaders headers(record);
  bool whole = meaning.draft;  // the decoder wrote them
  std::size_t i = 0;
  for (; headers.next(); ++i) {
    HeaderTable::Slot* slot = find_place(i, headers.name, meaning.draft);
    if (!slot) [[unlikely]] {
      whole = whole || detail::headers_whole(record.headers.data(), headers.end, record.header_count);
      if (!whole) break;  // what is no header gets no row
      slot = look_up(i, headers.name, meaning, topic, table, key);
    }
    const std::uint64_t bytes = headers.name.size() + headers.value.size();
    sums.bytes += bytes;
    if (!slot) continue;
    HeaderRow& row = slot->row;
    ++row.count;
    row.repeats += row.last_record == meaning.record;
    row.last_record = meaning.record;
    sums.marks |= row.marks;
    row.bytes += bytes;
    if (!headers.value.data()) [[unlikely]] ++row.nulls;
    if (row.is_traceparent && !valid_traceparent(headers.value)) [[unlikely]] ++row.invalid;
  }
  if (whole || (i == static_cast<std::size_t>(record.header_count) && headers.at == headers.end)) [[likely]] return true;
  take_back(record, i, meaning.record);
  return false;
}

void HeaderPlaces::take_back(const Record& record, std::size_t n, std::uint64_t number) noexcept {
  CheckedHeaders headers(record);
  for (std::size_t i = 0; i < n && headers.next(); ++i) {
    HeaderRow& row = places_[i].slot->row;
    --row.count;
    if (row.last_record == number) {
      row.last_record = 0;  // one of so many was no repeat
    } else {
      --row.repeats;
    }
    row.bytes -= headers.name.size() + headers.value.size();
    if (!headers.value.data()) --row.nulls;
    if (row.is_traceparent && !valid_traceparent(headers.value)) --row.invalid;
  }
}

bool count_header_bytes(const Record& record, HeaderSums& sums) noexcept {
  CheckedHeaders headers(record);
  std::uint64_t total = 0;
  std::int32_t n = 0;
  for (; headers.next(); ++n) total += headers.name.size() + headers.value.size();
  if (n < record.header_count || headers.at != headers.end) return false;
  sums.bytes += total;
  return true;
}

namespace {

// Names that are no UTF-8 look the same once what is wrong in them is replaced, and so they are one: grouped as printed.
using ByText = std::map<std::string, NamedHeader, std::less<>>;

NamedHeader& entry(ByText& headers, const HeaderRow& row, JsonWriter& scratch) {
  scratch.clear();
  scratch.string(row.name);
  if (row.draft) scratch.boolean(true);
  const auto found = headers.find(scratch.view());
  if (found != headers.end()) return found->second;
  return headers.emplace(scratch.view(), NamedHeader{}).first->second;
}

void add(NamedHeader& to, const HeaderRow& row, const std::string& topic) {
  to.name = row.name;
  to.kind = row.kind;
  to.registered = row.registered;
  to.draft = row.draft;
  to.count += row.count;
  to.records += row.count - row.repeats;
  to.bytes += row.bytes;
  to.nulls += row.nulls;
  to.invalid += row.invalid;
  const auto place = std::lower_bound(to.topics.begin(), to.topics.end(), topic);
  if (place == to.topics.end() || *place != topic) to.topics.insert(place, topic);
}

std::vector<NamedHeader> values(ByText&& by_text) {
  std::vector<NamedHeader> out;
  out.reserve(by_text.size());
  for (auto& [text, header] : by_text) out.push_back(std::move(header));
  return out;
}

}  // namespace

std::vector<NamedHeader> named_headers(const HeaderTable& table, const Cluster& cluster) {
  JsonWriter scratch;
  ByText by_text;
  for (const HeaderTable::Slot* slot : table.sorted()) {
    add(entry(by_text, slot->row, scratch), slot->row, label_of(slot->row.topic, cluster).shown());
  }
  return values(std::move(by_text));
}

std::map<std::string, std::vector<NamedHeader>> headers_by_topic(const HeaderTable& table, const Cluster& cluster) {
  JsonWriter scratch;
  std::map<std::string, ByText> by_topic;
  for (const HeaderTable::Slot* slot : table.sorted()) {
    const std::string topic = label_of(slot->row.topic, cluster).shown();
    add(entry(by_topic[topic], slot->row, scratch), slot->row, topic);
  }
  std::map<std::string, std::vector<NamedHeader>> out;
  for (auto& [topic, headers] : by_topic) out[topic] = values(std::move(headers));
  return out;
}

}  // namespace kparse::report
