// SPDX-License-Identifier: MIT
// Findings, folded: the same thing again is a count.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "lint/registry.h"
#include "lint/rule.h"

namespace kparse::lint {

class FindingTable {
 public:
  explicit FindingTable(std::size_t limit) : limit_(limit) {}

  /// `conn`, `at`: where it was found, conn may be nullptr. True: it is new, or Place::renewed, and
  /// say() gives it its message.
  bool add(const RuleInfo&, int number, const Place&, const Conn* conn, std::string_view api, const Stamp& at);
  void say(std::string message) { rows_[last_].finding.message = std::move(message); }
  /// What the last add() was about, nullptr if there was no place for it. Until the next one.
  [[nodiscard]] const Finding* last() const noexcept { return last_ < rows_.size() ? &rows_[last_].finding : nullptr; }

  /// Without those that a more exact finding stands for. Ordered. Once.
  [[nodiscard]] std::vector<Finding> take();
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  struct Row {
    Finding finding;
    int number = 0;
    std::string host;                            ///< of the client
    const std::span<const std::string_view>* instead = nullptr;
  };
  /// By row: a finding of a rule that is to be told instead holds for it.
  [[nodiscard]] std::vector<char> explained() const;

  std::size_t limit_;
  std::uint64_t left_out_ = 0;
  std::size_t last_ = 0;
  std::vector<Row> rows_;
  std::unordered_map<std::string, std::size_t> places_;
  std::string key_;
};

}  // namespace kparse::lint
