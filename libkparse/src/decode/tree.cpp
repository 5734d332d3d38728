// SPDX-License-Identifier: MIT
#include "kparse/tree.h"

#include <new>

namespace kparse {

using What = TreeNode::What;

class TreeSink : public Sink {
 public:
  TreeSink(Tree& tree, Bytes body) noexcept : tree_(tree), body_(body) {}

  void begin_struct(NodeId n, const std::uint8_t* at) noexcept { open(What::structure, n, at); }
  void end_struct(NodeId, const std::uint8_t* at) noexcept { close(at); }
  void begin_array(NodeId n, std::int32_t count, const std::uint8_t* at) noexcept {
    if (TreeNode* t = open(What::array, n, at)) t->integer = count;
  }
  void end_array(NodeId, const std::uint8_t* at) noexcept { close(at); }
  void null(NodeId n, Bytes span) noexcept { add(What::null, n, span); }
  void boolean(NodeId n, bool v, Bytes span) noexcept { number(What::boolean, n, v, span); }
  void integer(NodeId n, std::int64_t v, Bytes span) noexcept { number(What::integer, n, v, span); }
  void float64(NodeId n, double v, Bytes span) noexcept {
    if (TreeNode* t = add(What::float64, n, span)) t->real = v;
  }
  void uuid(NodeId n, Bytes span) noexcept { value(What::uuid, n, span, span); }
  void string(NodeId n, std::string_view v, Bytes span) noexcept {
    value(What::string, n, {reinterpret_cast<const std::uint8_t*>(v.data()), v.size()}, span);
  }
  void bytes(NodeId n, Bytes v, Bytes span) noexcept { value(What::bytes, n, v, span); }
  void records(NodeId n, Bytes v, Bytes span) noexcept { value(What::records, n, v, span); }
  void begin_tag(NodeId, Bytes) noexcept { tagged_ = true; }
  void end_tag(NodeId) noexcept { tagged_ = false; }
  void unknown_tag(NodeId n, std::uint32_t tag, Bytes v) noexcept {
    if (TreeNode* t = value(What::unknown_tag, n, v, v)) t->integer = tag;
  }
  void framing(NodeId n, Bytes span) noexcept {
    if (!span.empty()) add(What::framing, n, span);
  }
  void note(const Note& n) noexcept {
    try {
      if (tree_.notes_.size() < Tree::max_notes) tree_.notes_.push_back(n);
    } catch (const std::bad_alloc&) {
    }
  }

  /// What nobody read.
  void finish() noexcept {
    if (tree_.nodes_.empty()) return;
    current_ = 0;
    fill_gap(static_cast<std::uint32_t>(body_.size()), true);
    TreeNode& root = tree_.nodes_.front();
    root.length = static_cast<std::uint32_t>(body_.size());
    root.end = static_cast<std::uint32_t>(tree_.nodes_.size());
  }

 private:
  [[nodiscard]] std::uint32_t offset(const std::uint8_t* at) const noexcept {
    return at ? static_cast<std::uint32_t>(at - body_.data()) : 0;
  }

  /// A row below the current one; nullptr when there is no room. `must`: even past the limit.
  TreeNode* push(What what, NodeId node, std::uint32_t at, std::uint32_t length, bool must = false) noexcept {
    auto& nodes = tree_.nodes_;
    if (nodes.size() >= tree_.limit_ && !must) {
      ++tree_.left_out_;
      return nullptr;
    }
    try {
      TreeNode made;
      made.what = what;
      made.node = node;
      made.parent = current_;
      made.offset = at;
      made.length = length;
      made.tagged = tagged_;
      tagged_ = false;
      if (current_ != TreeNode::none && nodes[current_].what == What::array && what != What::framing)
        made.index = count_in_array();
      nodes.push_back(made);
      nodes.back().end = static_cast<std::uint32_t>(nodes.size());
      return &nodes.back();
    } catch (const std::bad_alloc&) {
      ++tree_.left_out_;
      return nullptr;
    }
  }

  std::uint32_t count_in_array() noexcept {
    TreeNode& array = tree_.nodes_[current_];
    return array.value_length++;  // free in arrays: set to 0 again when it is closed
  }

  void fill_gap(std::uint32_t to, bool must = false) noexcept {
    if (covered_ < to && push(What::rest, no_node, covered_, to - covered_, must)) covered_ = to;
  }

  TreeNode* open(What what, NodeId node, const std::uint8_t* at) noexcept {
    if (skipping_ > 0) {
      ++skipping_;
      return nullptr;
    }
    fill_gap(offset(at));
    TreeNode* made = push(what, node, offset(at), 0);
    if (!made) {
      skipping_ = 1;
      return nullptr;
    }
    current_ = static_cast<std::uint32_t>(tree_.nodes_.size() - 1);
    return made;
  }

  void close(const std::uint8_t* at) noexcept {
    if (skipping_ > 0) {
      --skipping_;
      return;
    }
    if (current_ == TreeNode::none) return;
    TreeNode& t = tree_.nodes_[current_];
    t.length = offset(at) - t.offset;
    t.end = static_cast<std::uint32_t>(tree_.nodes_.size());
    t.value_length = 0;
    current_ = t.parent;
    tagged_ = false;
  }

  TreeNode* add(What what, NodeId node, Bytes span) noexcept {
    if (skipping_ > 0) {
      ++tree_.left_out_;
      return nullptr;
    }
    const std::uint32_t at = offset(span.data()), size = static_cast<std::uint32_t>(span.size());
    fill_gap(at);
    TreeNode* made = covered_ == at ? push(what, node, at, size) : nullptr;
    if (made) covered_ = at + size;
    return made;
  }

  void number(What what, NodeId n, std::int64_t v, Bytes span) noexcept {
    if (TreeNode* t = add(what, n, span)) t->integer = v;
  }

  TreeNode* value(What what, NodeId n, Bytes v, Bytes span) noexcept {
    TreeNode* t = add(what, n, span);
    if (!t) return nullptr;
    t->value_length = static_cast<std::uint32_t>(v.size());
    t->value_offset = t->offset + t->length - t->value_length;
    return t;
  }

  Tree& tree_;
  Bytes body_;
  std::uint32_t current_ = TreeNode::none;
  std::uint32_t covered_ = 0;
  std::uint32_t skipping_ = 0;  ///< structs and arrays open that have no row
  bool tagged_ = false;
};

Error Tree::fill(ProgramSet& programs, const Layout& layout, Bytes body) noexcept {
  nodes_.clear();
  notes_.clear();
  left_out_ = 0;
  if (body.size() >= TreeNode::none) return {.code = Code::tooLarge, .need = TreeNode::none, .have = body.size()};
  TreeSink sink(*this, body);
  const Error error = walk(programs, layout, body, sink);
  sink.finish();
  return error;
}

}  // namespace kparse
