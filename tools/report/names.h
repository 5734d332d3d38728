// SPDX-License-Identifier: MIT
// Small things that rows of several tables are made of.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "kparse/cluster.h"
#include "kparse/stamp.h"
#include "report/key.h"

namespace kparse::report {

/// A client id as it is on the wire; null and "" are not the same.
struct ClientName {
  bool null = true;
  std::string id;
  auto operator<=>(const ClientName&) const = default;
};

/// A set that keeps the `limit` smallest of what it was given: the same whatever the order.
template <class T>
class SmallSet {
 public:
  SmallSet() = default;
  explicit SmallSet(std::size_t limit) : limit_(limit) {}
  void add(const T& v) {
    if (items_.insert(v).second && items_.size() > limit_) {
      items_.erase(std::prev(items_.end()));
      cut_ = true;
    }
  }
  void merge(const SmallSet& other) {
    for (const T& v : other.items_) add(v);
    cut_ = cut_ || other.cut_;
  }
  [[nodiscard]] const absl::btree_set<T>& items() const noexcept { return items_; }
  /// There were more than it keeps.
  [[nodiscard]] bool cut() const noexcept { return cut_; }

 private:
  std::size_t limit_ = 256;
  bool cut_ = false;
  absl::btree_set<T> items_;
};

/// Client ids with the hosts they were seen at.
using ClientSet = SmallSet<std::pair<ClientName, std::string>>;

/// By time; where that is equal, by place.
[[nodiscard]] inline bool earlier(const Stamp& a, const Stamp& b) noexcept {
  if (a.time_ns != b.time_ns) return a.time_ns < b.time_ns;
  return a.file != b.file ? a.file < b.file : a.packet < b.packet;
}

/// "10.0.0.1" of "10.0.0.1:9092", "::1" of "[::1]:9092".
[[nodiscard]] std::string_view host_of(std::string_view endpoint) noexcept;

/// What a topic is called once everything has been seen.
struct TopicLabel {
  std::string name;   ///< "" unknown
  std::string id;     ///< as Kafka prints it, "" none
  /// Name, else id.
  [[nodiscard]] const std::string& shown() const noexcept { return name.empty() ? id : name; }
};
[[nodiscard]] TopicLabel label_of(const TopicKey&, const Cluster&);

}  // namespace kparse::report
