// SPDX-License-Identifier: MIT
// walk(): follows a Program over a body. Included by decode.h.
// How lenient it is was measured with Kafka 4.4.0's own readers: any negative length is null, any flag of a nullable
// struct from 0 on means present, tags come in any order. Stricter only where a value and its tag's size disagree.
#pragma once

#include <bit>
#include <limits>

#include "kparse/decode.h"
#include "kparse/reader.h"

namespace kparse {

inline constexpr std::uint32_t max_string = 32767;  ///< bytes; Kafka refuses longer ones, in compact form too
inline constexpr std::uint32_t max_tags = 10000;    ///< in one struct; Kafka refuses more

namespace detail {

#define KPARSE_INLINE [[gnu::always_inline]] inline

template <class S>
class Walker {
 public:
  Walker(const Program& program, Bytes body, S& sink, Limit limit) noexcept
      : program_(program), reader_(body, limit), begin_(body.data()), sink_(sink) {}

  Error run() noexcept {
    const Program::Block& root = program_.block(0);
    sink_.begin_struct(root.node, reader_.at());
    const bool whole = fields(root);
    sink_.end_struct(root.node, reader_.at());
    if (!whole) return reader_.error();
    if (reader_.left() > 0) note(Note::Rule::surplusBytes, root.node, reader_.left(), 0);
    return {};
  }

 private:
  using Op = Program::Op;
  using Kind = Program::Op::Kind;

  // Recursion is as deep as the schema nests: at most 8. Only this function calls itself, through what is inlined below:
  // a call for each field would cost more than reading it.
  bool fields(const Program::Block& block) noexcept {
    for (std::size_t n = block.first_op, end = n + block.ops; n < end; ++n)
      if (!step(program_.op(n))) return false;
    return !block.flexible || tags(block);
  }

  // Compares before the jump by a table, which processors foresee badly: nearly all fields are of these two kinds.
  KPARSE_INLINE bool step(const Op& op) noexcept {
    if (op.kind == Kind::fixed) return fixed(op);
    if (op.kind == Kind::run) return run(op);
    switch (op.kind) {
      case Kind::text:
      case Kind::blob:
        return counted(op, op.nullable);
      case Kind::structure:
        return structure(op);
      case Kind::fixed_array:
      case Kind::text_array:
      case Kind::structure_array:
        return array(op);
      default:
        return false;
    }
  }

  KPARSE_INLINE bool run(const Op& op) noexcept {
    if (op.size <= reader_.left()) [[likely]]
      return reader_.skip(op.size);
    for (std::size_t n = op.block;; ++n) {
      const Program::Part& part = program_.part(n);
      if (!reader_.skip(part.size, part.node)) return false;
    }
  }

  KPARSE_INLINE bool fixed(const Op& op) noexcept {
    // An integer of any size, without a jump for each: from eight bytes that begin with it.
    if (op.type >= Type::int8 && op.type <= Type::uint32 && reader_.left() >= 8) [[likely]] {
      const Bytes span = reader_.take(op.size);
      const auto word = load_be<std::uint64_t>(span.data());
      const unsigned behind = 64 - 8 * op.size;
      sink_.integer(op.node, op.type >= Type::uint16 ? static_cast<std::int64_t>(word >> behind)
                                                     : static_cast<std::int64_t>(word) >> behind,
                    span);
      return true;
    }
    if (!reader_.need(op.size, op.node)) return false;
    value(op, reader_.take(op.size));
    return true;
  }

  KPARSE_INLINE void value(const Op& op, Bytes span) noexcept {
    const std::uint8_t* at = span.data();
    switch (op.type) {
      case Type::boolean:
        sink_.boolean(op.node, *at != 0, span);
        break;
      case Type::int8:
        sink_.integer(op.node, static_cast<std::int8_t>(*at), span);
        break;
      case Type::int16:
        sink_.integer(op.node, load_be<std::int16_t>(at), span);
        break;
      case Type::int32:
        sink_.integer(op.node, load_be<std::int32_t>(at), span);
        break;
      case Type::int64:
        sink_.integer(op.node, load_be<std::int64_t>(at), span);
        break;
      case Type::uint16:
        sink_.integer(op.node, load_be<std::uint16_t>(at), span);
        break;
      case Type::uint32:
        sink_.integer(op.node, load_be<std::uint32_t>(at), span);
        break;
      case Type::float64:
        sink_.float64(op.node, std::bit_cast<double>(load_be<std::uint64_t>(at)), span);
        break;
      case Type::uuid:
        sink_.uuid(op.node, span);
        break;
      default:
        break;
    }
  }

  /// A length or count; negative means null. Java's arithmetic: a compact one is an int32 that wraps.
  std::int32_t length(const Op& op, bool is_short) noexcept {
    if (op.compact) return static_cast<std::int32_t>(reader_.uvarint(op.node) - 1u);
    return is_short ? reader_.be<std::int16_t>(op.node) : reader_.be<std::int32_t>(op.node);
  }

  void null(const Op& op, const std::uint8_t* start, bool allowed) noexcept {
    if (!op.wanted) return;
    if (!allowed) note(Note::Rule::nullNotAllowed, op.node, 0, 0, start);
    sink_.null(op.node, reader_.since(start));
  }

  KPARSE_INLINE bool counted(const Op& op, bool nullable) noexcept {
    const bool is_text = op.type == Type::string;
    const std::uint8_t* start = reader_.at();
    const std::int32_t size = length(op, is_text);
    if (!reader_.ok()) return false;
    if (size < 0) {
      null(op, start, nullable);
      return true;
    }
    const auto bytes = static_cast<std::uint32_t>(size);
    if (is_text && bytes > max_string) return reader_.fail(Code::badLength, bytes, max_string, op.node);
    if (!reader_.need(bytes, op.node)) return false;
    const Bytes content = reader_.take(bytes);
    if (!op.wanted) return true;
    const Bytes span = reader_.since(start);
    if (is_text) {
      sink_.string(op.node, text(content), span);
    } else if (op.type == Type::records) {
      sink_.records(op.node, content, span);
    } else {
      sink_.bytes(op.node, content, span);
    }
    return true;
  }

  KPARSE_INLINE bool structure(const Op& op) noexcept {
    if (op.nullable) {
      const std::uint8_t* start = reader_.at();
      const bool absent = op.tagged ? reader_.uvarint(op.node) == 0 : reader_.be<std::int8_t>(op.node) < 0;
      if (!reader_.ok()) return false;
      if (absent) {
        null(op, start, true);
        return true;
      }
      if (op.wanted) sink_.framing(op.node, reader_.since(start));
    }
    return element(op);
  }

  KPARSE_INLINE bool element(const Op& op) noexcept {
    const Program::Block& block = program_.block(op.block);
    if (!op.wanted) return fields(block);
    sink_.begin_struct(op.node, reader_.at());
    const bool whole = fields(block);
    sink_.end_struct(op.node, reader_.at());
    return whole;
  }

  KPARSE_INLINE bool array(const Op& op) noexcept {
    const std::uint8_t* start = reader_.at();
    const std::int32_t count = length(op, false);
    if (!reader_.ok()) return false;
    if (count < 0) {
      null(op, start, op.nullable);
      return true;
    }
    // Kafka's own guard. It bounds the loop even where an element has no bytes.
    const auto n = static_cast<std::uint32_t>(count);
    if (n > reader_.left()) return reader_.fail(Code::badCount, n, reader_.left(), op.node);
    if (!op.wanted)
      return op.kind == Kind::fixed_array ? reader_.skip(std::uint64_t{n} * op.size, op.node) : elements(op, n);
    sink_.begin_array(op.node, count, start);
    sink_.framing(op.node, reader_.since(start));
    const bool whole = elements(op, n);
    sink_.end_array(op.node, reader_.at());
    return whole;
  }

  KPARSE_INLINE bool elements(const Op& op, std::uint32_t n) noexcept {
    switch (op.kind) {
      case Kind::fixed_array:
        for (; n > 0; --n)
          if (!fixed(op)) return false;
        return true;
      case Kind::text_array:
        for (; n > 0; --n)
          if (!counted(op, false)) return false;  // an array may be null, its elements never
        return true;
      default:
        for (; n > 0; --n)
          if (!element(op)) return false;
        return true;
    }
  }

  struct TagHead {
    std::uint32_t number = 0;
    std::uint32_t size = 0;
  };
  /// Of the next tag, its value checked to be there.
  bool tag_head(const Program::Block& block, TagHead& out) noexcept {
    out.number = reader_.uvarint(block.node);
    out.size = reader_.uvarint(block.node);
    if (!reader_.ok()) return false;
    if (out.size > static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max()))
      return reader_.fail(Code::badLength, out.size, reader_.left(), block.node);
    return reader_.need(out.size, block.node);
  }

  KPARSE_INLINE bool tags(const Program::Block& block) noexcept {
    const std::uint8_t* start = reader_.at();
    const std::uint32_t count = reader_.uvarint(block.node);
    if (!reader_.ok()) return false;
    if (count > max_tags || count > reader_.left())
      return reader_.fail(Code::badCount, count, reader_.left(), block.node);
    if (block.wanted) sink_.framing(block.node, reader_.since(start));
    return count == 0 || tags_after(block, count, start);
  }

  bool tags_after(const Program::Block& block, std::uint32_t count, const std::uint8_t* start) noexcept {
    const std::uint8_t* last[max_known_tags] = {};
    const bool ordered = count < 2 || !(block.wanted || block.tags > 0) || survey(block, count, last);
    if (!ordered && block.wanted) note(Note::Rule::tagOrder, block.node, 0, 0, start);
    for (std::uint32_t n = 0; n < count; ++n) {
      start = reader_.at();
      TagHead head;
      if (!tag_head(block, head)) return false;
      const std::size_t known = find(block, head.number);
      const bool repeated = known < max_known_tags && !ordered && last[known] != start;
      if (known < block.tags && !repeated) {
        if (block.wanted) sink_.framing(block.node, reader_.since(start));
        tagged(program_.op(program_.tag(block.first_tag + known).op), head.size);
      } else {
        if (block.wanted) {
          sink_.framing(block.node, reader_.since(start));
          if (known == block.tags || repeated)
            sink_.unknown_tag(block.node, head.number, Bytes(reader_.at(), head.size));
        }
        (void)reader_.skip(head.size);
      }
    }
    return true;
  }

  static constexpr std::size_t max_known_tags = 16;

  /// Place of a tag among the block's, `block.tags` when the schema has none of that number.
  std::size_t find(const Program::Block& block, std::uint32_t number) const noexcept {
    for (std::size_t n = 0; n < block.tags; ++n)
      if (program_.tag(block.first_tag + n).number == number) return n;
    return block.tags;
  }

  /// Looks ahead over the section: are its tags in ascending order? If not, `last` tells where each known one comes
  /// last, which is the one that counts. Linear; a section that breaks off is left to the loop proper.
  bool survey(const Program::Block& block, std::uint32_t count, const std::uint8_t** last) const noexcept {
    Walker ahead(*this);
    bool ordered = true;
    std::uint32_t before = 0;
    for (std::uint32_t n = 0; n < count; ++n) {
      const std::uint8_t* start = ahead.reader_.at();
      TagHead head;
      if (!ahead.tag_head(block, head)) return ordered;
      if (n > 0 && head.number <= before) ordered = false;
      before = head.number;
      const std::size_t known = find(block, head.number);
      if (known < block.tags && known < max_known_tags) last[known] = start;
      (void)ahead.reader_.skip(head.size);
    }
    return ordered;
  }

  bool alone(const Op& op) noexcept { return step(op); }

  /// A known tag's value. It must use `size` bytes exactly; whatever happens inside, reading goes on behind them.
  void tagged(const Op& op, std::uint32_t size) noexcept {
    const std::uint8_t* start = reader_.at();
    if (!op.wanted) {
      (void)reader_.skip(size);
      return;
    }
    const std::uint8_t* outer = reader_.enter(size);
    sink_.begin_tag(op.node, Bytes(start, size));
    const bool whole = alone(op);
    const Bytes used = reader_.since(start);
    sink_.end_tag(op.node);
    if (!whole || used.size() != size) {
      note(Note::Rule::tagSize, op.node, used.size(), size, start);
      sink_.framing(op.node, Bytes(start + used.size(), size - used.size()));
    }
    reader_.leave(start + size, outer);
  }

  void note(Note::Rule rule, NodeId node, std::uint64_t have, std::uint64_t need,
            const std::uint8_t* at = nullptr) noexcept {
    const auto offset = at ? static_cast<std::uint64_t>(at - begin_) : reader_.offset();
    sink_.note(Note{.rule = rule, .node = node, .offset = offset, .have = have, .need = need});
  }

  const Program& program_;
  Reader reader_;
  const std::uint8_t* begin_;
  S& sink_;
};

#undef KPARSE_INLINE

}  // namespace detail

/// Walks `body` and tells `sink` of everything that the program's interest names. An error ends the walk: it is
/// returned, offsets count from the start of the body, and every struct and array begun is ended all the same. Notes
/// don't end it. `limit`: what errors name as the length they ran into.
template <class S>
Error walk(const Program& program, Bytes body, S& sink, Limit limit = Limit::frame) noexcept {
  if (program.error()) return program.error();
  return detail::Walker<S>(program, body, sink, limit).run();
}

/// The same, with Layout::note first.
template <class S>
Error walk(ProgramSet& programs, const Layout& layout, Bytes body, S& sink, Limit limit = Limit::frame) noexcept {
  if (layout.differs) sink.note(layout.note);
  return walk(programs.get(layout), body, sink, limit);
}

}  // namespace kparse
