// SPDX-License-Identifier: MIT
// Topic ids that records of internal topics tell: TopicRecord in __cluster_metadata (KIP-631), and the segments of
// tiered storage in __remote_log_metadata (KIP-405).
#pragma once

#include <string_view>

#include "kparse/cluster.h"
#include "kparse/decode.h"
#include "kparse/events.h"
#include "kparse/records.h"

namespace kparse {

class MetadataTopics {
 public:
  MetadataTopics();

  /// Kafka's module that describes the topic's records, "" when they tell no topic ids.
  [[nodiscard]] static std::string_view area_of(std::string_view topic) noexcept;
  /// Reads the records and gives what they pair to both. `area`: as area_of() says. Batches that can't be read tell nothing.
  void learn(Bytes records, std::string_view area, Cluster&, Observer&) noexcept;

 private:
  ProgramSet programs_;
  Scratch scratch_;
};

}  // namespace kparse
