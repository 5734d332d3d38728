// SPDX-License-Identifier: MIT
#include <array>
#include <cstring>
#include <map>

#include "lint/telling.h"

namespace kparse::lint {
namespace {

class TopicIdUnknown final : public Rule {
 public:
  using Rule::Rule;

  void on_partition(const PartitionSeen& p) override {
    if (!p.topic.id || !p.topic.name.empty()) return;
    Id id;
    std::memcpy(id.data(), p.topic.id, id.size());
    if (const auto at = seen_.find(id); at != seen_.end()) {
      ++at->second.count;
    } else if (id != Id{} && room_.beside(seen_.size())) {
      const Stamp at_frame = frames().request ? frames().request->frame.first : frames().response->frame.first;
      seen_.emplace(id, Seen{witness_of(conn(), at_frame), 1});
    }
  }

  // What names it may come later.
  void on_finish(const Stamp&) override {
    for (const auto& [id, s] : seen_) {
      if (!desk_.cluster().topic_name(id.data()).empty()) continue;
      const std::string name = topic({.name = {}, .id = id.data()});
      hit({.topic = name, .cause = name, .witness = &s.first, .count = s.count, .any_client = true},
          [&](Text& t) { t << "Topic id " << name << " has no name in this capture."; });
    }
  }

 private:
  using Id = std::array<std::uint8_t, 16>;
  struct Seen {
    Witness first;
    std::uint64_t count = 0;
  };
  Room room_{*this, "topic ids"};
  std::map<Id, Seen> seen_;
};

}  // namespace

KPARSE_RULE(kp_topic_id_unknown, TopicIdUnknown, .id = "KP-TOPIC-ID-UNKNOWN", .severity = Severity::info,
            .scope = RuleScope::topic,
            .condition = "A topic id is used whose name no message of the capture tells, nor --topic-id.",
            .why = "Produce 13, Fetch 13 and later carry ids only.",
            .fix = "Give --topic-id ID=NAME, or start the capture before the clients.",
            .example = "Topic id QK0VpgQ5RyGbxMXwWqPxbA has no name in this capture.", .sources = "KIP-516; OBI#431",
            .healthy = true);

}  // namespace kparse::lint
