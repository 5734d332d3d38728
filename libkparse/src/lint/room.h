// SPDX-License-Identifier: MIT
// How much a table holds, and how often there was no place for more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kparse::lint {

class Desk;
class Rule;

/// The bound of a table, or of all tables of a kind that a rule has: one for each connection, one for each topic. What
/// finds no place is told by Linter::limits().
class Room {
 public:
  /// `what` there is a place for, as in "a table of clients". Lives as long as the rule.
  Room(Rule&, std::string_view what, std::size_t most = 10'000);
  /// Of a table that rules share.
  Room(Desk&, std::string_view what, std::size_t most = 10'000);
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  /// Is there a place beside so many? Where not, that is counted if it `matters`.
  [[nodiscard]] bool beside(std::size_t so_many, bool matters = true) noexcept {
    if (so_many < most_) [[likely]]
      return true;
    left_out_ += matters;
    return false;
  }
  void leave_out(std::uint64_t n) noexcept { left_out_ += n; }

  [[nodiscard]] std::string_view rule() const noexcept { return rule_; }   ///< "" shared
  [[nodiscard]] std::string_view what() const noexcept { return what_; }
  [[nodiscard]] std::size_t most() const noexcept { return most_; }
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  std::string_view rule_, what_;
  std::size_t most_;
  std::uint64_t left_out_ = 0;
};

}  // namespace kparse::lint
