// SPDX-License-Identifier: MIT
// Frame headers as they were written, where that may be wrong.
#pragma once

#include "frame/fit.h"
#include "kparse/reader.h"
#include "lint/rule.h"

namespace kparse::lint {

/// The tagged fields of a header: from their count on. Empty: it has none, or isn't whole.
[[nodiscard]] inline Bytes header_tags(const Request& r) noexcept {
  if (r.header_version < 2 || !r.header_whole || r.body.size() > r.frame.data.size()) return {};
  const Bytes header = r.frame.data.first(r.frame.data.size() - r.body.size());
  const std::size_t before = 10 + r.client_id.size();
  return before < header.size() ? header.subspan(before) : Bytes{};
}
[[nodiscard]] inline Bytes header_tags(const Response& r) noexcept {
  if (r.header_version < 1 || !r.header_whole || r.body.size() + 4 > r.frame.data.size()) return {};
  return r.frame.data.subspan(4, r.frame.data.size() - r.body.size() - 4);
}

/// Calls f(number, value) for each; false: they break off.
template <class F>
bool each_tag(Bytes tags, F&& f) {
  Reader in(tags);
  const std::uint32_t count = in.uvarint();
  for (std::uint32_t n = 0; n < count && in.ok(); ++n) {
    const std::uint32_t number = in.uvarint();
    const Bytes value = in.take(in.uvarint());
    if (in.ok()) f(number, value);
  }
  return in.ok();
}

/// Is this the message's body to the last byte?
[[nodiscard]] inline bool exactly(const Message& m, int version, Bytes body) noexcept {
  return m.versions.has(version) && frame::fit(m, version, body, body.size()) == frame::Fit::exact;
}

}  // namespace kparse::lint
