// SPDX-License-Identifier: MIT
#include "frame/fit.h"

#include <algorithm>

#include "kparse/decode.h"
#include "kparse/node.h"

namespace kparse::frame {

namespace {

constexpr std::uint64_t tolerated = 4;  // surplus bytes of known clients: 3 and 4

constexpr std::size_t longest_name = 255;  // topics: 249; host names: RFC 1035

bool is_text(std::string_view s) noexcept {
  return std::all_of(s.begin(), s.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t' || c == '\r';
  });
}

struct Strict : Sink {
  std::uint64_t surplus = 0;
  bool odd = false;  ///< a value that no client or broker sends
  bool has_records = false;
  std::int64_t lowest = 0;  ///< version of the API at hand
  bool nulls = false;  ///< null where the schema has none: old brokers do that

  void note(const Note& n) noexcept {
    if (n.rule == Note::Rule::surplusBytes)
      surplus = n.have;
    else if (n.rule == Note::Rule::nullNotAllowed)
      nulls = true;
    else
      odd = true;
  }
  void integer(NodeId n, std::int64_t v, Bytes) noexcept {
    switch (field(n).mark) {
      case Mark::error:
        odd |= v < -1 || v > 1000;
        break;
      case Mark::throttle:
        odd |= v < 0 || v > 86'400'000;
        break;
      case Mark::acks:
        odd |= v < -1 || v > 1;
        break;
      case Mark::port:
        odd |= v < -1 || v > 65535;
        break;
      case Mark::broker_id:
      case Mark::partition:
        odd |= v < -5;
        break;
      default:
        api_versions(n, v);
        break;
    }
  }
  // Three numbers that may be anything: other bytes would do for this answer.
  void api_versions(NodeId n, std::int64_t v) noexcept {
    namespace keys = node::api_versions_response::api_keys;
    if (n == keys::api_key) odd |= v < 0;
    if (n == keys::min_version) lowest = v;
    if (n == keys::max_version) odd |= v < lowest || v > 1000;
  }
  void string(NodeId n, std::string_view s, Bytes) noexcept {
    const Mark mark = field(n).mark;
    if (mark == Mark::topic || mark == Mark::host) odd |= s.size() > longest_name;
    odd |= !is_text(s);
  }
  void records(NodeId, Bytes b, Bytes) noexcept { has_records |= !b.empty(); }
};

/// All that must be looked at to be sure; one set a thread, since compiling programs costs more than walking them.
ProgramSet& programs() noexcept {
  thread_local ProgramSet set(Interest::everything());
  return set;
}

/// An error that the missing bytes may explain.
bool open_ended(const Error& e, Bytes body, std::size_t missing) noexcept {
  if (e.limit != Limit::frame || (e.code != Code::truncated && e.code != Code::badCount)) return false;
  if (e.need > e.have + missing) return false;
  if (e.node == no_node || e.code != Code::truncated || field(e.node).type != Type::string || e.have < 2 ||
      e.offset > body.size())
    return true;
  if (field(e.node).array && e.need == 4) return true;  // how many of them: elements have the array's node
  // The string's beginning is there (with fewer bytes it may be its length that isn't whole).
  const Mark mark = field(e.node).mark;
  return is_text(text(body.subspan(static_cast<std::size_t>(e.offset)))) &&
         ((mark != Mark::topic && mark != Mark::host) || e.need <= longest_name);
}

}  // namespace

Fit fit(const Message& m, int version, Bytes body, std::size_t total, std::size_t* sound) noexcept {
  if (body.size() < total) {
    Strict sink;
    const Error e = walk(programs().get(m, version), body, sink, Limit::frame);
    if (sink.odd || sink.nulls) return Fit::bad;  // of what isn't whole nothing odd is believed
    const std::size_t missing = total - body.size();
    if (!e)
      return sink.surplus + missing <= tolerated ? Fit::so_far : Fit::bad;  // the message ends before the frame does
    if (sound) *sound = e.code == Code::truncated ? static_cast<std::size_t>(e.offset) : 0;
    return open_ended(e, body, missing) ? Fit::so_far : Fit::bad;
  }
  Strict sink;
  const Error e = walk(programs().get(layout_for(m, version, body)), body, sink, Limit::frame);
  if (e || sink.surplus > tolerated) return Fit::bad;
  // A Produce request without any record is what answers look like when taken for requests.
  const bool pointless = m.kind == Kind::request && m.api_key == 0 && !sink.has_records;
  // One oddity is a client's habit; two in one request are other bytes.
  if (m.kind == Kind::request && sink.surplus > 0 && (sink.nulls || sink.odd || pointless)) return Fit::bad;
  return sink.surplus > 0 || sink.odd || sink.nulls || pointless ? Fit::surplus : Fit::exact;
}

Fit fit_response(const Api& api, int request_version, Bytes after_id, std::size_t total, int& layout,
                 std::size_t* sound) noexcept {
  const auto as = [&](int version) {
    if (!api.response || !api.response->versions.has(version)) return Fit::bad;
    Bytes body = after_id;
    std::size_t left = total;
    if (response_header_version(api, version) >= 1) {
      // No release puts a tag into this header: here that counts as a sign of other bytes.
      if (body.empty()) return total > 0 ? Fit::so_far : Fit::bad;
      if (body[0] != 0) return Fit::bad;
      body = body.subspan(1);
      --left;
    }
    return fit(*api.response, version, body, left, sound);
  };
  layout = request_version;
  const Fit asked = as(request_version);
  if (asked == Fit::exact || api.key != 18 || request_version == 0) return asked;
  const Fit fallback = as(0);
  // A broker that refuses the version answers in layout 0. The mock broker of librdkafka breaks that layout: what doesn't
  // fit the version asked for to the last byte is not to be read by it (it has a throttle time of 20 minutes then).
  constexpr std::int16_t unsupported_version = 35;
  const bool refused = after_id.size() >= 2 && load_be<std::int16_t>(after_id.data()) == unsupported_version;
  if (fallback == Fit::exact || asked == Fit::bad || (refused && asked == Fit::surplus)) {
    layout = 0;
    return fallback;
  }
  return asked;
}

bool fits_some_response(Bytes after_id) noexcept {
  for (const Api& api : apis()) {
    if (!api.response) continue;
    for (int version = api.response->versions.lo; version <= api.response->versions.hi; ++version) {
      const bool flexible = response_header_version(api, version) >= 1;
      if (flexible && (after_id.empty() || after_id[0] != 0)) continue;
      if (fit(*api.response, version, flexible ? after_id.subspan(1) : after_id,
              after_id.size() - (flexible ? 1 : 0)) == Fit::exact)
        return true;
    }
  }
  return false;
}

Fit fit_request(const RequestHead& h, Bytes data, std::uint32_t size, bool at_its_place) noexcept {
  if (h.state == RequestHead::State::bad || !h.fixed_part) return Fit::bad;
  if (at_its_place && h.known && h.state == RequestHead::State::whole && !printable(h.client_id)) {
    const Fit f = textual(h.client_id) ? fit(*h.api->request, h.version, data.subspan(h.length), size - h.length) : Fit::bad;
    return f == Fit::exact || f == Fit::so_far ? f : Fit::bad;
  }
  const bool newer = h.api && h.key == 18 && h.version > h.api->request->versions.hi && h.version <= 32;
  if ((!h.known && !newer) || !printable(h.client_id)) return Fit::bad;
  if (h.state == RequestHead::State::cut) return data.size() < size ? Fit::so_far : Fit::bad;
  const Bytes body = data.subspan(h.length);
  const std::size_t total = size - h.length;
  if (h.known) return fit(*h.api->request, h.version, body, total);
  // Two compact strings come first: client software name and version.
  const Fit first = fit(*h.api->request, 3, body, total);
  if (first != Fit::bad) return first;
  bool named = body.size() >= 2 && body[0] >= 1 && body[0] <= 65 && body.size() > body[0];
  if (named) named = printable(text(body.subspan(1, body[0] - 1u)));
  return named ? Fit::surplus : Fit::bad;
}

}  // namespace kparse::frame
