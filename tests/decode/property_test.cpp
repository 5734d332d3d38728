// SPDX-License-Identifier: MIT
// What must hold for every body: a small selection of Kafka's vectors, and all of them where they are at hand.
#include <gtest/gtest.h>

#include "kparse/tree.h"
#include "support.h"

namespace kparse::test {
namespace {

std::vector<Vector> small() { return vectors_of(data_file("decode/data/messages.jsonl")); }

std::string name(const Vector& v) { return std::string(v.message->name) + " v" + std::to_string(v.version); }

/// "" or where the leaves leave a gap or overlap.
std::string untiled(const Tree& tree, std::size_t size) {
  std::size_t at = 0;
  for (const TreeNode& n : tree.nodes()) {
    if (!n.leaf()) continue;
    if (n.offset != at) return "leaf at " + std::to_string(n.offset) + ", the one before ends at " + std::to_string(at);
    at += n.length;
  }
  return at == size ? "" : "ends at " + std::to_string(at) + " of " + std::to_string(size);
}

void tile(const std::vector<Vector>& vectors) {
  ProgramSet programs(Interest::everything());
  Tree tree;
  for (const Vector& v : vectors) {
    const Layout layout = layout_for(*v.message, v.version, v.body);
    const Error error = tree.fill(programs, layout, v.body);
    ASSERT_EQ(untiled(tree, v.body.size()), "") << name(v);
    if (v.old_layout) continue;
    ASSERT_EQ(error.code, Code::none) << name(v) << " at " << error.offset;
    for (const TreeNode& n : tree.nodes()) ASSERT_NE(n.what, TreeNode::What::rest) << name(v) << " at " << n.offset;
    ASSERT_FALSE(layout.differs) << name(v);
    ASSERT_TRUE(tree.notes().empty()) << name(v);
  }
}

TEST(Properties, LeavesTileTheBody) {
  const auto vectors = small();
  ASSERT_GT(vectors.size(), 300u);
  tile(vectors);
}

TEST(Properties, LeavesTileEveryVector) {
  const auto files = shared_messages();
  if (files.empty()) GTEST_SKIP() << "no golden vectors";
  for (const auto& file : files) tile(vectors_of(file));
}

TEST(Properties, LeavesTileDamagedBodies) {
  ProgramSet programs(Interest::everything());
  Tree tree;
  for (const Vector& v : small()) {
    if (v.body.size() > 200) continue;
    for (std::size_t at = 0; at < v.body.size(); ++at) {
      for (const std::uint8_t flip : {0x01, 0x80, 0xff}) {
        Blob damaged = v.body;
        damaged[at] ^= flip;
        (void)tree.fill(programs, {.message = v.message, .version = v.version}, damaged);
        ASSERT_EQ(untiled(tree, damaged.size()), "") << name(v) << ", byte " << at;
      }
    }
  }
}

TEST(Properties, EveryPrefixIsAnErrorInsideThePrefix) {
  for (const Vector& v : small()) {
    if (v.body.size() > 400) continue;
    for (std::size_t size = 0; size < v.body.size(); ++size) {
      const Blob prefix(v.body.begin(),
                        v.body.begin() + static_cast<std::ptrdiff_t>(size));  // its own memory: over-reads show
      const Walked w = walk_all(v.message->name, v.version, prefix);
      ASSERT_NE(w.error.code, Code::none) << name(v) << " cut to " << size;
      ASSERT_LE(w.error.offset, size) << name(v) << " cut to " << size;
      ASSERT_GT(w.error.need, w.error.have) << name(v) << " cut to " << size;
      ASSERT_EQ(w.log.open, 0) << name(v) << " cut to " << size;
    }
  }
}

/// An interest in a few fields hears exactly what the full walk says of these and of what is around them.
TEST(Properties, PrunedEventsAreFilteredFullEvents) {
  int round = 0;
  for (const Vector& v : small()) {
    const NodeId root = v.message->root;
    const int below = field(root).below;
    if (below == 0) continue;
    Interest interest = Interest::nothing();
    std::vector<bool> heard(fields().size());
    const NodeId one = static_cast<NodeId>(root + 1 + round * 7 % below),
                 two = static_cast<NodeId>(root + 1 + round * 13 % below);
    ++round;
    for (NodeId n : {one, two}) {
      interest.add(n);
      for (NodeId up = n; up != no_node; up = field(up).parent)
        if (field(n).versions.has(v.version)) heard[up] = true;
    }
    heard[root] = true;
    ProgramSet programs(interest);
    Log pruned(v.body);
    const Error error = walk(programs.get(*v.message, v.version), v.body, pruned);
    const Walked full = walk_all(v.message->name, v.version, v.body);
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < full.log.lines.size(); ++i) {
      const bool tag = full.log.lines[i].starts_with("tag ");
      if (tag ? interest.wants(full.log.nodes[i]) : heard[full.log.nodes[i]]) expected.push_back(full.log.lines[i]);
    }
    ASSERT_EQ(error.code, full.error.code) << name(v);
    ASSERT_EQ(pruned.lines, expected) << name(v) << " fields " << field(one).name << ", " << field(two).name;
  }
}

/// Skipping finds the same end, and the same errors at the same field.
TEST(Properties, SkippingFindsTheSameErrors) {
  ProgramSet silent(Interest::nothing());
  for (const Vector& v : small()) {
    for (std::size_t size = 0; size <= v.body.size(); size += 1 + v.body.size() / 40) {
      const Blob prefix(v.body.begin(), v.body.begin() + static_cast<std::ptrdiff_t>(size));
      const Walked full = walk_all(v.message->name, v.version, prefix);
      Log log(prefix);
      const Error error = walk(silent.get(*v.message, v.version), prefix, log);
      ASSERT_EQ(error.code != Code::none, full.error.code != Code::none) << name(v) << " cut to " << size;
      ASSERT_EQ(log.lines.size(), 2u);
      if (!error || error.code != full.error.code || error.offset != full.error.offset)
        continue;  // arrays are skipped in one step
      NodeId around = full.error.node;
      while (around != error.node && around != no_node) around = field(around).parent;
      ASSERT_NE(around, no_node) << name(v) << " cut to " << size;
    }
  }
}

}  // namespace
}  // namespace kparse::test
