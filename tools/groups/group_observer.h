// SPDX-License-Identifier: MIT
// Events to the story of each group.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "groups/group_state.h"
#include "kparse/events.h"
#include "story/following_map.h"
#include "story/scene.h"

namespace kparse::groups {

/// Keeps at most `max_groups` groups (those whose first call came first), and Budget for all of them together.
class GroupObserver final : public Observer {
 public:
  static constexpr std::size_t max_groups = 10'000;
  static constexpr std::size_t max_ends = 200'000;

  /// `only`: these groups; empty: all. `budget`: for tests.
  explicit GroupObserver(std::vector<std::string> only = {}, const Budget& budget = {});

  /// After the last event. `cluster` gives topics their names.
  [[nodiscard]] GroupsSeen finish(const Cluster& cluster);

  /// Whoever calls also tells `scene`.
  void share(story::Scene& scene) noexcept { scene_.share(scene); }

  Wants wants() const noexcept override { return Wants::groups | Wants::offsets | Wants::share; }
  void begin_request(const ConversationInfo&, const Request&) override;
  void begin_response(const ConversationInfo&, const Response&) override;
  void on_client_software(const ClientSoftwareSeen&) override;
  void on_group_call(const GroupCall&) override;
  void on_group_answer(const GroupCall&, const GroupAnswer&) override;
  void on_offset_commit(const OffsetCommit&) override;
  void on_offset_fetched(const OffsetFetched&) override;
  void on_offset_listed(const OffsetListed&) override;
  void on_partition_fetched(const PartitionFetched&) override;
  void on_produce_answered(const ProduceAnswered&) override;
  void on_share_acquired(const ShareAcquired&) override;
  void on_share_acknowledged(const ShareAcknowledged&) override;
  void on_unanswered(const ConversationInfo&, std::uint64_t serial) override;
  void on_limit(const LimitReached&) override;
  void on_close(const ConversationInfo&, Stamp) override;

 private:
  GroupState* group(std::string_view name);
  [[nodiscard]] Speaker speaker(const Stamp& first, const Stamp& at) const;
  [[nodiscard]] Speaker speaker() const { return speaker(scene_->first, scene_->at); }
  /// `past(known end)`: the offset takes its place.
  template <class Past>
  void end_of(const TopicRef&, std::int32_t partition, std::int64_t offset, Past past);

  /// A call that is worth a word when it stays without an answer.
  struct Open {
    std::string group, member;
    std::string_view call;
    Stamp first, at;
  };

  const std::vector<std::string> only_;
  Budget budget_;
  story::SomeScene scene_;
  std::map<std::string, std::unique_ptr<GroupState>, std::less<>> groups_;
  std::uint64_t groups_out_ = 0, ends_out_ = 0;
  story::FollowingMap<story::PartitionKey, End> ends_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Open> open_;  ///< by conversation and serial
  std::map<std::string, story::Limit> event_limits_;
};

}  // namespace kparse::groups
