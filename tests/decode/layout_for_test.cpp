// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "kparse/tree.h"
#include "support.h"

namespace kparse::test {
namespace {

const Message& message(std::string_view name) { return *find_message(name); }

TEST(Layouts, NewestWhereItFits) {
  const Blob body = from_hex("0001 67  00000005  0002 6d31");
  const Layout l = layout_for(message("HeartbeatRequest"), 0, body);
  EXPECT_FALSE(l.differs);
  EXPECT_EQ(l.version, 0);
  EXPECT_EQ(l.alt, nullptr);
}

/// A broker of 0.9 answers a failed Fetch of version 1 without the throttle time.
TEST(Layouts, FailedFetchOfOldBrokers) {
  // responses: [topic "t", partitions: [index 0, error 6, high watermark -1, no records]]
  const std::string v0 = "00000001 0001 74 00000001 00000000 0006 ffffffffffffffff 00000000";
  const Layout l = layout_for(message("FetchResponse"), 1, from_hex(v0));
  EXPECT_TRUE(l.differs);
  EXPECT_EQ(l.version, 0);
  EXPECT_EQ(l.note.rule, Note::Rule::otherVersion);
  EXPECT_FALSE(layout_for(message("FetchResponse"), 1, from_hex("00000000" + v0)).differs);
}

TEST(Layouts, NeitherFits) {
  const Layout l = layout_for(message("FetchResponse"), 1, from_hex("ff"));
  EXPECT_FALSE(l.differs);
  EXPECT_EQ(l.version, 1);
}

TEST(Layouts, OlderReleasesOfTheSameVersion) {
  // LeaderChangeMessage 0 of Kafka 2.7: leaderId, voters, no version before them.
  const Blob body = from_hex("00000005  02 00000005 00  00");
  const Layout l = layout_for(message("LeaderChangeMessage"), 0, body);
  ASSERT_NE(l.alt, nullptr);
  EXPECT_TRUE(l.differs);
  EXPECT_EQ(l.note.rule, Note::Rule::altLayout);
  ProgramSet programs(Interest::everything());
  Log log(body);
  EXPECT_FALSE(walk(programs, l, body, log));
  EXPECT_EQ(log.values("leaderId"), std::vector<std::string>{"5"});
  ASSERT_EQ(log.notes.size(), 1u);
  EXPECT_EQ(log.notes[0].rule, Note::Rule::altLayout);
}

TEST(Layouts, EveryOldVectorFitsOne) {
  const auto files = shared_messages();
  if (files.empty()) GTEST_SKIP() << "no golden vectors";
  ProgramSet programs(Interest::everything());
  std::size_t old = 0, unread = 0;
  for (const auto& file : files) {
    for (const Vector& v : vectors_of(file)) {
      if (!v.old_layout) continue;
      ++old;
      Log log(v.body);
      unread += walk(programs, layout_for(*v.message, v.version, v.body), v.body, log) || !log.open ? 0 : 1;
    }
  }
  EXPECT_GT(old, 300u);
  EXPECT_EQ(unread, 0u);
}

TEST(Trees, RowsAreInPreOrder) {
  const Blob body = from_hex("00000001 0001 61");  // MetadataRequest v0: topics [{name "a"}]
  ProgramSet programs(Interest::everything());
  Tree tree;
  ASSERT_FALSE(tree.fill(programs, {.message = &message("MetadataRequest"), .version = 0}, body));
  const auto nodes = tree.nodes();
  using What = TreeNode::What;
  const std::vector<What> expected{What::structure, What::array, What::framing, What::structure, What::string};
  ASSERT_EQ(nodes.size(), expected.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) EXPECT_EQ(nodes[n].what, expected[n]) << n;
  EXPECT_EQ(nodes[0].end, 5u);
  EXPECT_EQ(nodes[1].integer, 1);
  EXPECT_EQ(nodes[4].parent, 3u);
  EXPECT_EQ(nodes[4].offset, 4u);
  EXPECT_EQ(nodes[4].length, 3u);
  EXPECT_EQ(nodes[4].value_offset, 6u);
  EXPECT_EQ(nodes[4].value_length, 1u);
}

TEST(Trees, LimitLeavesTheRestInOnePiece) {
  Blob body = from_hex("00000064");
  for (int n = 0; n < 100; ++n) body.insert(body.end(), {0, 1, 'x'});
  ProgramSet programs(Interest::everything());
  Tree tree(20);
  ASSERT_FALSE(tree.fill(programs, {.message = &message("MetadataRequest"), .version = 0}, body));
  EXPECT_EQ(tree.nodes().size(), 21u);
  EXPECT_EQ(tree.nodes().back().what, TreeNode::What::rest);
  EXPECT_EQ(tree.nodes().back().offset + tree.nodes().back().length, body.size());
  EXPECT_GT(tree.left_out(), 150u);
}

}  // namespace
}  // namespace kparse::test
