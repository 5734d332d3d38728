// SPDX-License-Identifier: MIT
// A body as a flat tree of fields with their places: what a packet viewer shows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kparse/decode.h"

namespace kparse {

/// In pre-order: the rows up to `end` after a row are its children and theirs. Offsets count from the body's first
/// byte.
struct TreeNode {
  enum class What : std::uint8_t {
    structure,  ///< holds others, as does an array
    array,      ///< `integer` is its count
    null,
    boolean,
    integer,
    float64,
    uuid,
    string,
    bytes,
    records,
    unknown_tag,  ///< `integer` is its number
    framing,      ///< counts, flags, tag numbers and sizes
    rest,         ///< not read: after an error, surplus, not used by a tag's value
  };
  static constexpr std::uint32_t none = 0xffffffff;

  What what = What::rest;
  bool tagged = false;
  NodeId node = no_node;  ///< of elements: the array's
  std::uint32_t parent = none;
  std::uint32_t end = 0;
  std::uint32_t index = 0;                           ///< place in the array around it; 0 elsewhere
  std::uint32_t offset = 0, length = 0;              ///< the whole encoding
  std::uint32_t value_offset = 0, value_length = 0;  ///< of text, bytes, records, unknown tags: without their length
  union {
    std::int64_t integer = 0;  ///< booleans too; of an array: its count
    double real;
  };

  [[nodiscard]] bool leaf() const noexcept { return what != What::structure && what != What::array; }
};

/// Filled again and again; keeps its memory. The leaves tile the body, in order and without a gap, whether or not it
/// could be read to its end.
class Tree {
 public:
  static constexpr std::size_t default_limit = 1u << 20;
  /// A body with more rows than `limit` has the bytes of the others in one `rest`; left_out() counts them.
  explicit Tree(std::size_t limit = default_limit) : limit_(limit) {}

  /// `programs`: for Interest::everything(). Bodies are below 4 GiB.
  Error fill(ProgramSet& programs, const Layout&, Bytes body) noexcept;

  [[nodiscard]] std::span<const TreeNode> nodes() const noexcept { return nodes_; }
  /// In the order of their offsets, but for Layout::note, which is first.
  [[nodiscard]] std::span<const Note> notes() const noexcept { return notes_; }
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  friend class TreeSink;
  static constexpr std::size_t max_notes = 1024;
  std::size_t limit_;
  std::vector<TreeNode> nodes_;
  std::vector<Note> notes_;
  std::uint64_t left_out_ = 0;
};

}  // namespace kparse
