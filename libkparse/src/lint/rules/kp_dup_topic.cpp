// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "kparse/node.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

Interest interest() {
  Interest i = Interest::nothing();
  for (const NodeId n :
       {node::produce_request::topic_data::name, node::produce_request::topic_data::topic_id,
        node::produce_response::responses::name, node::produce_response::responses::topic_id,
        node::fetch_request::topics::topic, node::fetch_request::topics::topic_id,
        node::fetch_response::responses::topic, node::fetch_response::responses::topic_id})
    i.add(n);
  return i;
}

/// The topics of the one array of topics that such a message has: a name's bytes, or an id's.
struct TopicsSink : Sink {
  std::vector<Bytes>& topics;
  explicit TopicsSink(std::vector<Bytes>& t) : topics(t) {}
  void string(NodeId, std::string_view v, Bytes) noexcept {
    add({reinterpret_cast<const std::uint8_t*>(v.data()), v.size()});
  }
  void uuid(NodeId, Bytes id) noexcept { add(id); }
  void add(Bytes b) noexcept {
    try {
      topics.push_back(b);
    } catch (const std::bad_alloc&) {
    }
  }
};

int compare(Bytes a, Bytes b) noexcept {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.empty() ? 0 : std::memcmp(a.data(), b.data(), a.size());
}

class DupTopic final : public Rule {
 public:
  DupTopic(Desk& d, const RuleInfo& i, const double* o) : Rule(d, i, o), programs_(interest()) {}

  // Topics come with their partitions: one partition can't be of two topics, and that is nearly every frame.
  void on_partition(const PartitionSeen&) override { ++partitions_; }

  void end_request(const Conn&, const Request& r, const Error&) override {
    if (std::exchange(partitions_, 0) < 2) return;
    if (r.api_key > 1 || r.api_key < 0 || !r.known || !r.header_whole) return;
    look(*r.api->request, r.version, r.body, *r.api, "request");
  }
  void end_response(const Conn&, const Response& r, const Error&) override {
    if (std::exchange(partitions_, 0) < 2) return;
    if (r.api_key > 1 || r.api_key < 0 || !r.matched || !r.known || !r.header_whole) return;
    look(*r.api->response, r.version, r.body, *r.api, "response");
  }

 private:
  void look(const Message& m, int version, Bytes body, const Api& api, std::string_view kind) {
    topics_.clear();
    TopicsSink sink(topics_);
    (void)walk(programs_.get(m, version), body, sink);
    if (topics_.size() < 2) return;
    std::ranges::sort(topics_, [](Bytes a, Bytes b) { return compare(a, b) < 0; });
    for (std::size_t i = 0; i < topics_.size();) {
      std::size_t same = i + 1;
      while (same < topics_.size() && compare(topics_[i], topics_[same]) == 0) ++same;
      if (same - i > 1) say(topics_[i], same - i, api, kind, version);
      i = same;
    }
  }

  void say(Bytes which, std::size_t count, const Api& api, std::string_view kind, int version) {
    const bool by_id = version >= 13;
    const std::string name = topic(by_id ? TopicRef{.name = {}, .id = which.data()} : TopicRef{.name = text(which)});
    const std::string cause = std::string(api.name) + ' ' + std::string(kind);
    hit({.topic = name, .cause = cause}, [&](Text& t) {
      t << Quoted{name} << " appears " << count << " times in one " << api.name << " " << kind << ".";
    });
  }

  ProgramSet programs_;
  std::vector<Bytes> topics_;
  std::uint64_t partitions_ = 0;  ///< told of the frame at hand
};

}  // namespace

KPARSE_RULE(kp_dup_topic, DupTopic, .id = "KP-DUP-TOPIC", .severity = Severity::notice, .scope = RuleScope::frame,
            .condition = "Two elements of the array of topics of a Fetch or Produce request or response are the same topic.",
            .why = "Legal, but a reader that puts topics into a map loses partitions.",
            .fix = "Server: group partitions by topic. Client: read it as a list.",
            .example = "orders appears 2 times in one Fetch response.", .sources = "sarama#1905", .healthy = true);

}  // namespace kparse::lint
