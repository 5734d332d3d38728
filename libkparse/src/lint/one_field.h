// SPDX-License-Identifier: MIT
// Single fields of a body, for rules that need one or two of them now and then.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "kparse/decode.h"

namespace kparse::lint {

/// Reads texts of one message. Of several values in an array: all, with ", " between.
class TextFields {
 public:
  explicit TextFields(std::initializer_list<NodeId> nodes) : programs_(interest(nodes)) {}

  /// "" where it is null, empty, or couldn't be read. At most `most` bytes.
  [[nodiscard]] std::string read(const Message& m, int version, Bytes body, std::size_t most = 500) {
    if (!m.versions.has(version)) return {};
    Found found(most);
    (void)walk(programs_.get(m, version), body, found);
    return std::move(found.text);
  }

 private:
  struct Found : Sink {
    std::string text{};
    std::size_t most = 0;
    explicit Found(std::size_t n) : most(n) {}
    void string(NodeId, std::string_view v, Bytes) noexcept {
      if (text.size() + v.size() + 2 > most) return;
      if (!text.empty()) text += ", ";
      text += v;
    }
  };
  static Interest interest(std::initializer_list<NodeId> nodes) {
    Interest i = Interest::nothing();
    for (const NodeId n : nodes) i.add(n);
    return i;
  }
  ProgramSet programs_;
};

}  // namespace kparse::lint
