// SPDX-License-Identifier: MIT
// One group while its calls are read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "groups/group_rows.h"

namespace kparse::groups {

/// How much may still be kept, of all groups together.
struct Budget {
  std::size_t events = 100'000, members = 50'000, people = 50'000, commits = 100'000, partitions = 2'000'000,
              rows = 200'000, bytes = 16u << 20;
  std::uint64_t events_out = 0, members_out = 0, people_out = 0, commits_out = 0, partitions_out = 0, rows_out = 0,
                bytes_out = 0;

  /// Takes `n` of `left`, or counts them in `out`.
  static bool take(std::size_t& left, std::uint64_t& out, std::size_t n = 1) noexcept {
    if (n > left) {
      out += n;
      return false;
    }
    left -= n;
    return true;
  }
};

/// Who speaks, and where.
struct Speaker {
  story::Person person;
  Stamp first, at;    ///< of the frame at hand
  bool whole = true;  ///< false: the capture lacks part of it
};

class GroupState {
 public:
  GroupState(std::string name, Budget& budget, story::TopicIndex& topics);

  void call(const GroupCall&, const Speaker&);
  void answer(const GroupCall&, const GroupAnswer&, const Speaker&);
  void unanswered(const std::string& call, const std::string& member, const Speaker&);
  void commit(const OffsetCommit&, const Speaker&);
  void fetched(const OffsetFetched&);
  void acquired(const ShareAcquired&, const Speaker&);
  void acknowledged(const ShareAcknowledged&, const Speaker&);
  void coordinator(std::string_view server) {
    if (group_.coordinators.size() < 64) group_.coordinators.emplace(server);
  }

  /// After the last event.
  Group finish();

 private:
  /// A generation of the classic protocol.
  struct Generation {
    std::int32_t number = -1;
    // The group stands still from when the first of its members joins again; of a new group, from the first at all.
    Stamp begin, begin_again, first_sync, last_sync, last_sync_first;
    bool begin_known = false, begin_again_known = false;
    std::string leader, protocol;
    std::map<std::uint32_t, Assignment> plan;       ///< by member, as they heard it or as the leader made it
    std::vector<std::uint32_t> members;             ///< as the leader was told; empty: not known
    std::set<std::uint32_t> joined, synced, later;  ///< later: again, after all had their part
    bool complete = false;                          ///< all of them have been told
    bool patched = false;                           ///< one of them only after it had gone and come back
  };

  std::uint32_t person(const Speaker&);
  std::uint32_t member(std::string_view id, std::string_view instance, const Speaker*, const Stamp& at);
  /// The same static member under two ids.
  [[nodiscard]] bool same_member(std::uint32_t a, std::uint32_t b) const {
    return a && b && !group_.members[a - 1].instance.empty() &&
           group_.members[a - 1].instance == group_.members[b - 1].instance;
  }
  Member* row(std::uint32_t number) noexcept { return number ? &group_.members[number - 1] : nullptr; }
  Event* add(What, const Speaker&, std::uint32_t member, std::int32_t generation);
  void fault(const GroupCall&, const GroupAnswer&, const Speaker&, std::uint32_t member);
  Assignment assignment_of(const GroupAnswer&, bool raw);
  std::string kept_text(std::string_view);
  void kind(GroupKind);
  void gone(std::uint32_t member, std::string_view how, std::string_view reason, const Stamp&);
  /// Gives a member what it is to do; fills what is new and what it lost.
  void assign(std::uint32_t member, const Assignment&, Event*, const Stamp& at);

  void classic_answer(const GroupCall&, const GroupAnswer&, const Speaker&);
  void joined(const GroupCall&, const GroupAnswer&, const Speaker&);
  void gone_unsaid(const GroupAnswer&, const Speaker&);
  void synced(const GroupCall&, const GroupAnswer&, const Speaker&);
  /// The member that speaks on this connection; 0 if there is none or are several.
  std::uint32_t only_member(const Speaker&);
  void left(const GroupCall&, const GroupAnswer&, const Speaker&);
  void close_generation();
  /// Partitions that don't move go on being read all the while (KIP-429).
  [[nodiscard]] bool cooperative() const;
  void heartbeat_call(const GroupCall&, const Speaker&);
  void heartbeat_answer(const GroupCall&, const GroupAnswer&, const Speaker&);

  // Partitions without an owner (KIP-848, KIP-1071).
  void owner(const PartitionKey&, std::uint32_t member, const Stamp& at);
  [[nodiscard]] bool anybody() const noexcept;

  Group group_;
  Budget& budget_;
  story::TopicIndex& topics_;
  std::map<std::string, std::uint32_t, std::less<>> by_id_;
  std::map<std::string, std::uint32_t> by_person_;
  Generation now_;
  std::map<PartitionKey, std::uint32_t> before_;  ///< owners in the generation before
  std::set<std::uint32_t> before_members_;
  std::uint64_t compared_ = 0;  ///< members with lists, in all: only a made-up capture comes to its bound
  bool old_streams_ = false;    ///< a member of Kafka Streams from before 2.4
  bool before_known_ = false;
  struct Owner {
    std::uint32_t now = 0, last = 0;  ///< now 0: nobody since `since`
    std::int64_t since = 0;
  };
  std::map<PartitionKey, Owner> owners_;
  std::vector<std::pair<std::int64_t, std::int64_t>> ownerless_;  ///< from, to: on the way from one member to another
  std::map<std::tuple<std::uint32_t, std::string_view, std::int16_t>, std::size_t> faults_;  ///< event of that fault
};

}  // namespace kparse::groups
