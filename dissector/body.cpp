// SPDX-License-Identifier: GPL-2.0-or-later
#include "body.h"

#include <array>
#include <cstring>

#include "items.h"
#include "record_tree.h"
#include "topics.h"
#include "wanted.h"

namespace kparse::dissector {
namespace {

using What = TreeNode::What;

/// Never destroyed: Wireshark may still be dissecting while the process ends.
Tree& tree_at(int depth) noexcept {
  static std::array<Tree, max_depth>& trees = *new std::array<Tree, max_depth>;
  return trees[static_cast<std::size_t>(depth)];
}

ProgramSet& programs() noexcept {
  static ProgramSet& all = *new ProgramSet(Interest::everything());
  return all;
}

BodyContext context_of(const Pdu& p) noexcept {
  BodyContext c;
  c.protocol_type = p.words->protocol_type;
  c.protocol_name = p.words->protocol_name;
  c.mechanism = p.words->mechanism;
  if (p.exchange && p.kind == Pdu::Kind::response) {
    c.inner_api_key = p.exchange->inner_api_key;
    c.inner_version = p.exchange->inner_version;
  }
  c.topic_name = [](const void*, const std::uint8_t* id) noexcept { return cluster().topic_name(id); };
  return c;
}

/// Meets each topic of a body once, also where an entry has name and id, and each group, partition and error.
class Reading {
 public:
  explicit Reading(const Body& b) noexcept : body_(b), rows_(b.tree ? b.tree->nodes() : std::span<const TreeNode>{}) {}

  struct Meaning {
    enum class Of : std::uint8_t { topic, partition, group, error, records } of = Of::topic;
    std::string_view text{};
    const std::uint8_t* id = nullptr;  ///< topic without a name
    std::int64_t number = 0;
    Bytes bytes{};
  };

  bool next(Meaning& m) noexcept {
    using Of = Meaning::Of;
    for (; at_ < rows_.size(); ++at_) {
      const TreeNode& row = rows_[at_];
      if (!row.leaf() || row.node == no_node) continue;
      if (row.what == What::records) {
        m = {.of = Of::records, .bytes = value(row)};
        return ++at_, true;
      }
      const Mark mark = field(row.node).mark;
      if (mark == Mark::none) continue;
      if (row.what == What::integer && mark == Mark::partition) {
        m = {.of = Of::partition, .number = row.integer};
        return ++at_, true;
      }
      if (row.what == What::integer && mark == Mark::error && row.integer != 0) {
        m = {.of = Of::error, .number = row.integer};
        return ++at_, true;
      }
      if (row.what == What::string && mark == Mark::group) {
        m = {.of = Of::group, .text = text(value(row))};
        return ++at_, true;
      }
      if ((row.what == What::string && mark == Mark::topic) || (row.what == What::uuid && mark == Mark::topic_id)) {
        if (!topic(row, m)) continue;
        return ++at_, true;
      }
    }
    return false;
  }

 private:
  [[nodiscard]] Bytes value(const TreeNode& row) const noexcept {
    return body_.bytes.subspan(row.value_offset, row.value_length);
  }

  bool topic(const TreeNode& row, Meaning& m) noexcept {
    const bool in_array = row.parent != TreeNode::none && rows_[row.parent].what == What::array;
    if (!in_array && row.parent == told_) return false;
    const Bytes v = value(row);
    m = {.of = Meaning::Of::topic, .text = {}};
    if (row.what == What::string) {
      m.text = text(v);
    } else {
      static constexpr std::uint8_t zero[16] = {};
      if (std::memcmp(v.data(), zero, sizeof zero) == 0) return false;  // by name
      m.text = cluster().topic_name(v.data());
      if (m.text.empty()) m.id = v.data();
    }
    if (m.text.empty() && !m.id) return false;
    if (!in_array) told_ = row.parent;
    return true;
  }

  const Body& body_;
  std::span<const TreeNode> rows_;
  std::size_t at_ = 0;
  std::uint32_t told_ = TreeNode::none;  ///< struct whose topic was met
};

const char* topic_of(const Reading::Meaning& m, packet_info* pinfo) {
  return m.id ? uuid_for_item(m.id, pinfo) : text_for_item(m.text, pinfo);
}

}  // namespace

Body decode_body(const Message& message, int version, Bytes bytes, const Pdu& pdu, int depth) noexcept {
  Body body;
  body.message = &message;
  body.version = version;
  body.bytes = bytes;
  body.pdu = &pdu;
  body.depth = depth;
  body.context = context_of(pdu);
  if (depth < 0 || depth >= max_depth) return body;
  Tree& tree = tree_at(depth);
  const Layout layout = layout_for(message, version, bytes);
  body.version = layout.version;
  body.error = tree.fill(programs(), layout, bytes);
  body.tree = &tree;
  return body;
}

BodySummary summarise(const Body& body, packet_info* pinfo) {
  using Of = Reading::Meaning::Of;
  BodySummary s;
  Reading reading(body);
  for (Reading::Meaning m; reading.next(m);) {
    switch (m.of) {
      case Of::topic:
        if (++s.topics == 1) s.topic = topic_of(m, pinfo);
        break;
      case Of::partition:
        if (++s.partitions == 1) s.partition = static_cast<std::int32_t>(m.number);
        break;
      case Of::group:
        if (!s.group) s.group = text_for_item(m.text, pinfo);
        break;
      case Of::error:
        if (body.message->kind == Kind::response && ++s.errors == 1) s.error = static_cast<std::int16_t>(m.number);
        break;
      case Of::records:
        s.records = (s.records < 0 ? 0 : s.records) + count_records(m.bytes);
        break;
    }
  }
  return s;
}

void visit(const Body& body, packet_info* pinfo, void* with, ErrorVisitor error, TopicVisitor topic) {
  using Of = Reading::Meaning::Of;
  Reading reading(body);
  for (Reading::Meaning m; reading.next(m);) {
    if (m.of == Of::topic && topic) topic(with, topic_of(m, pinfo));
    if (m.of == Of::error && error && body.message->kind == Kind::response)
      error(with, static_cast<std::int16_t>(m.number));
  }
}

bool wants_body(proto_tree* tree) noexcept { return visible(tree) || (tree && any_asked_for()) || experts_wanted(); }

bool wants_body(proto_tree* tree, const Message& message) noexcept {
  if (visible(tree) || experts_wanted()) return true;
  return tree && any_asked_for() && wanted_below(message);
}

}  // namespace kparse::dissector
