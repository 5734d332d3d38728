// SPDX-License-Identifier: MIT
// The compiled tables against an independent description: data/wire-signatures.tsv holds the whole layout of each of
// the 878 (message, version), derived from the schema files of 46 Kafka releases.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "kparse/node.h"
#include "kparse/schema.h"
#include "tsv.h"

namespace kparse {
namespace {

constexpr std::array<std::string_view, 13> type_names{"bool",   "int8",    "int16",   "int32", "int64",
                                                      "uint16", "uint32",  "float64", "uuid",  "string",
                                                      "bytes",  "records", "struct"};

/// "Topics:[]{Name:string?}" with names as in JSON.
std::string layout(NodeId parent, int version) {
  struct Child {
    NodeId node;
    int order;
  };
  std::vector<Child> children;
  for (NodeId n = parent + 1; n <= parent + field(parent).below; n = static_cast<NodeId>(n + 1 + field(n).below)) {
    const Field& f = field(n);
    EXPECT_EQ(f.parent, parent);
    if (f.tagged.has(version))
      children.push_back({n, 10000 + f.tag});
    else if (f.versions.has(version))
      children.push_back({n, static_cast<int>(children.size())});
  }
  std::stable_sort(children.begin(), children.end(), [](const Child& a, const Child& b) { return a.order < b.order; });
  std::string out;
  for (const Child& c : children) {
    const Field& f = field(c.node);
    if (!out.empty()) out += ',';
    if (f.tagged.has(version)) out += "@" + std::to_string(f.tag) + "=";
    out += std::string(f.name) + ":" + (f.array ? "[]" : "");
    if (f.type == Type::structure)
      out += "{" + layout(c.node, version) + "}";
    else
      out += type_names.at(static_cast<std::size_t>(f.type));
    if (f.nullable.has(version)) out += '?';
    if (f.fixed) out += "!noflex";
  }
  return out;
}

/// Lower-case first letters of names: the file has Kafka's spelling in the schema, the tables that of its JSON.
std::string as_json(std::string text) {
  bool name = true;
  for (char& c : text) {
    if (name && std::isalpha(static_cast<unsigned char>(c))) {
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      name = false;
    } else if (c == ',' || c == '{') {
      name = true;
    } else if (c == ':') {
      name = false;
    }
  }
  return text;
}

TEST(Layout, EveryVersionOfEveryMessage) {
  const auto rows = test::read_tsv("wire-signatures.tsv");
  ASSERT_EQ(rows.size(), 878u);
  std::set<std::pair<std::string_view, int>> seen;
  for (const auto& row : rows) {
    ASSERT_GE(row.size(), 5u);
    const Message* m = find_message(row[2]);
    ASSERT_NE(m, nullptr) << row[2];
    const int version = std::stoi(row[3]);
    EXPECT_TRUE(m->versions.has(version)) << row[2] << ' ' << version;
    EXPECT_EQ(m->flexible.has(version), row[4] == "flex") << row[2] << ' ' << version;
    EXPECT_EQ(layout(m->root, version), as_json(row.size() > 5 ? row[5] : "")) << row[2] << ' ' << version;
    if (!row[1].empty()) {
      EXPECT_EQ(m->api_key, std::stoi(row[1])) << row[2];
    }
    seen.insert({m->name, version});
  }
  std::size_t all = 0;
  for (const Message& m : messages()) all += static_cast<std::size_t>(m.versions.hi - m.versions.lo + 1);
  EXPECT_EQ(seen.size(), all);  // nothing in the tables that the file doesn't know
}

TEST(Layout, RowsAreInPreOrder) {
  std::set<NodeId> roots;
  for (const Message& m : messages()) roots.insert(m.root);
  for (const AltLayout& a : alt_layouts()) roots.insert(a.root);
  for (NodeId n = 0; n < fields().size(); ++n) {
    const Field& f = field(n);
    EXPECT_EQ(f.parent == no_node, roots.count(n) == 1) << n;
    if (f.parent == no_node) continue;
    EXPECT_LT(f.parent, n);
    EXPECT_LE(n + f.below, f.parent + field(f.parent).below);
    EXPECT_EQ(f.below > 0, f.type == Type::structure) << f.name;
  }
}

TEST(Layout, Alternatives) {
  EXPECT_EQ(alt_layouts().size(), 38u);
  const auto find = [](std::string_view message, std::string_view from) {
    for (const AltLayout& a : alt_layouts())
      if (a.message == message && a.from_release == from) return &a;
    return static_cast<const AltLayout*>(nullptr);
  };
  const AltLayout* end = find("EndQuorumEpochRequest", "2.7.0");
  ASSERT_NE(end, nullptr);
  EXPECT_FALSE(end->flexible);
  EXPECT_EQ(
      layout(end->root, end->version),
      "clusterId:string?,topics:[]{topicName:string,partitions:[]{partitionIndex:int32,replicaId:int32,leaderId:int32,"
      "leaderEpoch:int32,preferredSuccessors:[]int32}}");
  const AltLayout* leader = find("LeaderChangeMessage", "2.8.0");
  ASSERT_NE(leader, nullptr);
  EXPECT_TRUE(leader->flexible);
  EXPECT_EQ(leader->to_release, "2.8.2");
  EXPECT_EQ(layout(leader->root, 0), "leaderId:int32,voters:[]{voterId:int32},grantingVoters:[]{voterId:int32}");
}

TEST(Nodes, NamesAndRowsAgree) {
  EXPECT_EQ(field(node::fetch_response::self).name, "FetchResponse");
  EXPECT_EQ(field(node::fetch_response::responses::partitions::self).name, "partitions");
  EXPECT_EQ(field(node::fetch_response::responses::partitions::error_code).name, "errorCode");
  EXPECT_EQ(field(node::add_partitions_to_txn_request::v3_and_below_topics::name).name, "name");
  EXPECT_EQ(field(node::request_header::client_id).name, "clientId");
  std::array<char, 128> buffer{};
  EXPECT_EQ(path_of(node::fetch_response::responses::partitions::error_code, buffer), "responses.partitions.errorCode");
  EXPECT_EQ(path_of(node::fetch_response::self, buffer), "");
  std::array<char, 7> small{};
  EXPECT_EQ(path_of(node::fetch_response::responses::partitions::error_code, small), "respons");
}

}  // namespace
}  // namespace kparse
