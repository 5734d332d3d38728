// SPDX-License-Identifier: MIT
// One call of Encoder: writes a value by the schema's rows. Recursion is as deep as the schema nests.
#pragma once

#include <array>
#include <string_view>

#include "encode/fields.h"
#include "kparse/encode.h"

namespace kparse {

struct Encoder::Impl {
  explicit Impl(const ValueSource& s) noexcept : source(s) {}

  void start(const Message&, int version, Writer&) noexcept;
  bool structure(NodeId, const Value&) noexcept;

  const ValueSource& source;
  EncodeError error;
  std::array<Ignored, max_ignored> ignored;
  std::uint64_t all_ignored = 0;

 private:
  using Code = EncodeError::Code;

  /// Always false.
  bool fail(Code, NodeId, const Value& = {}, std::int64_t number = 0) noexcept;
  void ignore(NodeId, std::string_view name, bool known) noexcept;
  [[nodiscard]] FieldPlace place(NodeId n) const noexcept { return {.node = n, .index = index_}; }

  bool field_of(NodeId, const Value&, bool tagged) noexcept;
  bool null(NodeId, const Value&, bool tagged) noexcept;
  bool array(NodeId, const Value&) noexcept;
  bool single(NodeId, const Value&) noexcept;
  bool integer(NodeId, const Value&) noexcept;
  bool uuid(NodeId, const Value&) noexcept;
  bool string(NodeId, const Value&) noexcept;
  bool blob(NodeId, const Value&) noexcept;
  bool base64(NodeId, std::string_view, std::size_t size) noexcept;
  void count(bool compact, std::size_t) noexcept;

  bool tag_section(NodeId, const FieldList&, const Value& object) noexcept;
  /// Writes those of "$tags" below `end`, from `next` on.
  struct RawTags;
  bool raw_tags(NodeId, RawTags&, std::int64_t end) noexcept;
  bool tag(NodeId structure, std::uint32_t number, NodeId, const Value&) noexcept;

  Writer* out_ = nullptr;
  int version_ = 0;
  bool flexible_ = false;
  std::size_t depth_ = 0;
  std::array<std::uint32_t, FieldPlace::max_depth> index_{};
};

}  // namespace kparse
