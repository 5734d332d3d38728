// SPDX-License-Identifier: GPL-2.0-or-later
// What lint finds in the open capture, by the frames and packets that it is about. Only where the preference asks for it.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "kparse/cluster.h"
#include "kparse/lint.h"
#include "pdu.h"

namespace kparse::dissector {

struct LintFinding {
  const RuleInfo* rule = nullptr;
  std::string message;
  bool dropped = false;  ///< the end of the capture showed that another one says it better
};

/// A time that something was found.
struct LintHit {
  const LintFinding* finding;
  std::uint32_t packet;  ///< that it is about
};

/// Memory: `most_hits`, what is found later is not shown; and the library's (see Linter).
class Lint final : private FindingListener {
 public:
  static constexpr std::size_t most_hits = 200'000;

  explicit Lint(const Cluster&);

  /// To be told what connections mean, on the first pass.
  [[nodiscard]] Observer& observer() noexcept { return linter_; }
  /// The packet of the first pass that is being looked at.
  void now(Stamp at) noexcept { now_ = at; }
  /// What the observer is told from here on is about a frame that begins in that packet...
  void begin_frame(Stamp first) noexcept;
  /// ... which is this one.
  void end_frame(const Pdu*) noexcept;
  /// The first pass is over, all connections have been told as closed. Nothing is looked at after that.
  void finish() noexcept;
  [[nodiscard]] bool finished() const noexcept { return finished_; }
  [[nodiscard]] Stamp last() const noexcept { return now_; }

  // What to show; skip what is `dropped`.
  [[nodiscard]] std::span<const LintHit> of(const Pdu&) const noexcept;
  /// About a packet, not a frame that is shown in it, or only known after it was shown.
  [[nodiscard]] std::span<const LintHit> about(std::uint32_t packet) const noexcept;
  /// Became known in this packet, about earlier ones.
  [[nodiscard]] std::span<const LintHit> told_in(std::uint32_t packet) const noexcept;

 private:
  void on_finding(const Finding&, const Stamp& at) noexcept override;
  template <class Key>
  void add(std::unordered_map<Key, std::vector<LintHit>>&, Key, LintHit);

  Linter linter_;
  std::deque<LintFinding> findings_;  // by Finding::order
  std::unordered_map<const Pdu*, std::vector<LintHit>> of_frames_;
  std::unordered_map<std::uint32_t, std::vector<LintHit>> about_, told_;
  std::vector<LintHit> frame_hits_;
  std::size_t hits_ = 0;
  Stamp now_;
  std::uint64_t frame_first_ = 0;
  bool in_frame_ = false, finished_ = false;
};

/// Of the open capture; nullptr: nobody asked.
[[nodiscard]] Lint* lint() noexcept;
/// Makes it, if the preference asks for it.
Lint* open_lint(const Cluster&);
void forget_lint() noexcept;

}  // namespace kparse::dissector
