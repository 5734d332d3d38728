// SPDX-License-Identifier: MIT
// Which frames are asked for, and which others their decoding needs.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kparse/cluster.h"
#include "kparse/events.h"
#include "pipeline/filter.h"
#include "pipeline/options.h"

namespace kparse::cli {

/// The same in each reading of the same captures.
struct FrameKey {
  std::uint64_t conversation = 0;
  Side from = Side::client;
  std::uint64_t offset = 0;
  auto operator<=>(const FrameKey&) const = default;
};
[[nodiscard]] inline FrameKey key_of(const ConversationInfo& c, const Frame& f) noexcept {
  return {c.number, f.from, f.offset};
}

/// `--packet`: packets of one of the captures, both ends included.
struct PacketRange {
  std::uint32_t file = 0;
  std::uint64_t first = 0, last = 0;
};
/// "17", "17-20", "2:17" (of the second capture).
[[nodiscard]] std::optional<PacketRange> parse_packets(std::string_view);

/// A packet asked for, and between which ends it went; "" when it is no TCP packet of its own (a fragment).
struct AskedPacket {
  std::uint32_t file = 0;
  std::uint64_t number = 0;
  std::string source, destination;
};
/// Looks the packets up. Those that the captures don't have are left out.
[[nodiscard]] std::vector<AskedPacket> look_up(const std::vector<PacketRange>&, const std::vector<std::string>& captures);

/// Hears everything; what passes the filters of `options` and touches one of `packets` (none: whatever) is selected.
/// Memory: a set of numbers for each selected frame, for what each conversation may need later, and for each topic id.
class Selection final : public Observer {
 public:
  Selection(const CommonOptions& options, std::vector<AskedPacket> packets, const Cluster& cluster, bool names_of_ids)
      : packets_(std::move(packets)), names_of_ids_(names_of_ids), asked_(*this), filter_(options, cluster, asked_) {}

  [[nodiscard]] bool has(const FrameKey& k) const { return frames_.contains(k); }
  [[nodiscard]] std::size_t asked() const noexcept { return asked_frames_; }
  [[nodiscard]] std::size_t all() const noexcept { return frames_.size(); }
  /// Conversations that were asked for, but stay closed: what was seen instead.
  [[nodiscard]] const std::set<std::string>& others() const noexcept { return others_; }

  void on_conversation(const ConversationInfo& c) override { filter_.on_conversation(c); }
  void begin_request(const ConversationInfo&, const Request&) override;
  void end_request(const ConversationInfo&, const Request&, const Error&) override;
  void begin_response(const ConversationInfo&, const Response&) override;
  void end_response(const ConversationInfo&, const Response&, const Error&) override;
  void on_topic_id(const TopicIdSeen&) override;
  void on_partition(const PartitionSeen& p) override { mention(p.topic.id); }
  void on_records(const RecordsSeen& r) override { mention(r.topic.id); }
  void on_sasl(const ConversationInfo&, const SaslToken&) override;
  void on_other(const ConversationInfo&, Side, std::string_view, Stamp) override;
  void on_unanswered(const ConversationInfo&, std::uint64_t serial) override;
  void on_close(const ConversationInfo&, Stamp) override;

 private:
  /// What came through the filters.
  struct Asked final : Observer {
    explicit Asked(Selection& s) : of(s) {}
    void begin_request(const ConversationInfo& c, const Request& r) override { of.passed_ = of.touched(c, r.frame); }
    void begin_response(const ConversationInfo& c, const Response& r) override { of.passed_ = of.touched(c, r.frame); }
    void on_sasl(const ConversationInfo& c, const SaslToken& t) override { of.passed_ = of.touched(c, t.frame); }
    void on_other(const ConversationInfo&, Side, std::string_view what, Stamp) override { of.others_.emplace(what); }
    Selection& of;
  };
  using Id = std::array<std::uint8_t, 16>;
  struct Talk {
    std::map<std::uint64_t, FrameKey> pending;  ///< requests, by serial
    std::vector<FrameKey> handshake, join;      ///< the last SaslHandshake, JoinGroup: request and answer
    std::vector<FrameKey> tokens;
  };

  [[nodiscard]] bool touched(const ConversationInfo&, const Frame&) const;
  void begin(const ConversationInfo&, const Frame&);
  void mention(const std::uint8_t* id);
  void add(const std::vector<FrameKey>& keys) { frames_.insert(keys.begin(), keys.end()); }
  void end(Talk&, const Api*);

  std::vector<AskedPacket> packets_;
  bool names_of_ids_;
  std::set<FrameKey> frames_;
  std::size_t asked_frames_ = 0;
  std::set<std::string> others_;
  std::map<std::uint64_t, Talk> talks_;
  std::map<Id, std::vector<FrameKey>> named_;  ///< the frames that named an id first
  // Of the frame that is being told.
  bool passed_ = false;
  std::vector<FrameKey> now_;  ///< it, and its request
  std::set<Id> ids_;

  Asked asked_;
  Filter filter_;
};

}  // namespace kparse::cli
