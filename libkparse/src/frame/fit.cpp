// SPDX-License-Identifier: MIT
#include "frame/fit.h"

#include "kparse/decode.h"

namespace kparse::frame {

namespace {

constexpr std::uint64_t tolerated = 8;  // surplus bytes of known clients: 3 and 4

struct Strict : Sink {
  std::uint64_t surplus = 0;
  bool odd = false;     ///< a value that no client or broker sends
  bool nulls = false;   ///< null where the schema has none: old brokers do that

  void note(const Note& n) noexcept {
    if (n.rule == Note::Rule::surplusBytes) surplus = n.have;
    else if (n.rule == Note::Rule::nullNotAllowed) nulls = true;
    else odd = true;
  }
  void integer(NodeId n, std::int64_t v, Bytes) noexcept {
    switch (field(n).mark) {
      case Mark::error: odd |= v < -1 || v > 1000; break;
      case Mark::throttle: odd |= v < 0 || v > 86'400'000; break;
      case Mark::acks: odd |= v < -1 || v > 1; break;
      case Mark::port: odd |= v < -1 || v > 65535; break;
      case Mark::broker_id:
      case Mark::partition: odd |= v < -5; break;
      default: break;
    }
  }
  void string(NodeId n, std::string_view s, Bytes) noexcept {
    const Mark mark = field(n).mark;
    if (mark == Mark::topic || mark == Mark::host || mark == Mark::group || mark == Mark::member) odd |= !printable(s);
  }
};

/// All that must be looked at to be sure; one set a thread, since compiling programs costs more than walking them.
ProgramSet& programs() noexcept {
  thread_local ProgramSet set(Interest::everything());
  return set;
}

/// An error that the missing bytes may explain.
bool open_ended(const Error& e, std::size_t missing) noexcept {
  if (e.limit != Limit::frame || (e.code != Code::truncated && e.code != Code::badCount)) return false;
  return e.need <= e.have + missing;
}

}  // namespace

Fit fit(const Message& m, int version, Bytes body, std::size_t total, bool no_odd_nulls) noexcept {
  if (body.size() < total) {
    Strict sink;
    const Error e = walk(programs().get(m, version), body, sink, Limit::frame);
    if (sink.odd || (no_odd_nulls && sink.nulls)) return Fit::bad;
    return !e || open_ended(e, total - body.size()) ? Fit::so_far : Fit::bad;
  }
  Strict sink;
  const Error e = walk(programs().get(layout_for(m, version, body)), body, sink, Limit::frame);
  if (e || sink.surplus > tolerated) return Fit::bad;
  return sink.surplus > 0 || sink.odd || sink.nulls ? Fit::surplus : Fit::exact;
}

Fit fit_response(const Api& api, int request_version, Bytes after_id, std::size_t total, int& layout) noexcept {
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
    return fit(*api.response, version, body, left);
  };
  layout = request_version;
  const Fit asked = as(request_version);
  if (asked == Fit::exact || api.key != 18 || request_version == 0) return asked;
  const Fit fallback = as(0);
  if (fallback == Fit::exact || asked == Fit::bad) {
    layout = 0;
    return fallback;
  }
  return asked;
}

Fit fit_request(const RequestHead& h, Bytes data, std::uint32_t size) noexcept {
  if (h.state == RequestHead::State::bad || !h.fixed_part) return Fit::bad;
  const bool newer = h.api && h.key == 18 && h.version > h.api->request->versions.hi && h.version <= 32;
  if ((!h.known && !newer) || !printable(h.client_id)) return Fit::bad;
  if (h.state == RequestHead::State::cut) return data.size() < size ? Fit::so_far : Fit::bad;
  const Bytes body = data.subspan(h.length);
  const std::size_t total = size - h.length;
  if (h.known) return fit(*h.api->request, h.version, body, total, true);
  // Two compact strings come first: client software name and version.
  const Fit first = fit(*h.api->request, 3, body, total);
  if (first != Fit::bad) return first;
  bool named = body.size() >= 2 && body[0] >= 1 && body[0] <= 65 && body.size() > body[0];
  if (named) named = printable(text(body.subspan(1, body[0] - 1u)));
  return named ? Fit::surplus : Fit::bad;
}

}  // namespace kparse::frame
