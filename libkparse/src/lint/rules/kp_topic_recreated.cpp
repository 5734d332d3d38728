// SPDX-License-Identifier: MIT
#include <array>
#include <cstring>
#include <vector>

#include "kparse/node.h"
#include "kparse/text.h"
#include "lint/one_field.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t key_metadata = 3, key_create_topics = 19, key_describe_topic_partitions = 75;

using Id = std::array<std::uint8_t, 16>;

std::string text_of(const Id& id) {
  char out[uuid_text_size];
  uuid_text(id.data(), out);
  return {out, uuid_text_size};
}

class TopicRecreated final : public Rule {
 public:
  using Rule::Rule;

  void begin_response(const Conn& c, const Response& r) override {
    const bool tells = r.matched && (r.api_key == key_metadata || r.api_key == key_create_topics ||
                                     r.api_key == key_describe_topic_partitions);
    cluster_.clear();
    if (!tells) return;
    // Topics of the same name in two clusters aren't one. Whose this is the server's Metadata answers tell.
    cluster_ = c.server();
    if (std::string* const of = clusters_.get(cluster_, room_for_servers_)) {
      if (of->empty() && r.api_key == key_metadata && r.known && r.header_whole)
        *of = cluster_id_.read(*r.api->response, r.version, r.body, 64);
      if (!of->empty()) cluster_ = *of;
    }
  }

  void on_topic_id(const TopicIdSeen& t) override {
    if (cluster_.empty()) return;
    Id id;
    std::memcpy(id.data(), t.id, id.size());
    key_ = cluster_;
    (key_ += '\n') += t.name;
    std::vector<Id>* const ids = topics_.get(key_, room_for_topics_);
    if (!ids) return;
    if (ids->empty()) {
      ids->push_back(id);
      return;
    }
    // One that was known before comes from a broker that is late.
    for (const Id& known : *ids)
      if (known == id) return;
    if (!room_for_ids_.beside(ids->size())) return;
    const std::string name(t.name), old = text_of(ids->back()), now = text_of(id), cause = old + now;
    hit({.topic = name, .cause = cause, .any_client = true}, [&](Text& text) {
      text << Quoted{name} << " was deleted and made anew: id " << old << ", then " << now << ".";
    });
    ids->push_back(id);
  }

 private:
  Room room_for_servers_{*this, "servers"};
  Room room_for_topics_{*this, "topics", 200'000};
  Room room_for_ids_{*this, "a topic's ids", 1000};
  TextFields cluster_id_{node::metadata_response::cluster_id};
  Bounded<std::string, std::string> clusters_;        ///< of servers
  Bounded<std::string, std::vector<Id>> topics_;
  std::string cluster_, key_;
};

}  // namespace

KPARSE_RULE(kp_topic_recreated, TopicRecreated, .id = "KP-TOPIC-RECREATED", .severity = Severity::warning,
            .scope = RuleScope::topic,
            .condition = "One name has two topic ids in the Metadata, DescribeTopicPartitions or CreateTopics answers of one "
                         "cluster, one after the other.",
            .why = "Clients spin on the old id, or commit the old topic's offsets to the new one.",
            .fix = "Restart consumers of it and reset their offsets.",
            .example = "orders was deleted and made anew: id QK0VpgQ5RyGbxMXwWqPxbA, then 9bX3m5tcQpOq8w1Xnc3l7A.",
            .sources = "KIP-516; franz-go#1426; KAFKA-12257");

}  // namespace kparse::lint
