// SPDX-License-Identifier: MIT
// What a Fetch request allows the broker to send.
#pragma once

#include <cstdint>
#include <vector>

#include "kparse/decode.h"
#include "kparse/node.h"
#include "lint/keys.h"

namespace kparse::lint {

struct FetchLimit {
  PartitionKey key;
  std::int64_t offset = -1;
  std::int32_t max_bytes = -1;
};

/// Of one request, as far as it says it itself.
struct FetchLimits {
  std::int32_t min_bytes = 0;
  std::int32_t max_bytes = -1;  ///< -1: the version has none
  std::int32_t session_id = 0, session_epoch = -1;
  std::vector<FetchLimit> partitions;
  std::vector<PartitionKey> forgotten;
};

class FetchLimitsSink : public Sink {
 public:
  explicit FetchLimitsSink(FetchLimits& l) : l_(l) {}

  void integer(NodeId n, std::int64_t v, Bytes) noexcept {
    namespace ask = node::fetch_request;
    const auto i = static_cast<std::int32_t>(v);
    switch (n) {
      case ask::min_bytes:
        l_.min_bytes = i;
        break;
      case ask::max_bytes:
        l_.max_bytes = i;
        break;
      case ask::session_id:
        l_.session_id = i;
        break;
      case ask::session_epoch:
        l_.session_epoch = i;
        break;
      case ask::topics::partitions::partition:
        at_ = {.key = {topic_, i}};
        break;
      case ask::topics::partitions::fetch_offset:
        at_.offset = v;
        break;
      case ask::topics::partitions::partition_max_bytes:
        at_.max_bytes = i;
        break;
      case ask::forgotten_topics_data::partitions:
        l_.forgotten.push_back({topic_, i});
        break;
      default:
        break;
    }
  }
  void string(NodeId, std::string_view v, Bytes) noexcept { topic_ = topic_key({.name = v}); }
  void uuid(NodeId, Bytes id) noexcept { topic_ = topic_key({{}, id.data()}); }
  void end_struct(NodeId n, const std::uint8_t*) noexcept {
    if (n == node::fetch_request::topics::partitions::self) l_.partitions.push_back(at_);
  }

 private:
  FetchLimits& l_;
  FetchLimit at_;
  std::uint64_t topic_ = 0;
};

[[nodiscard]] inline Interest fetch_limits_interest() {
  namespace ask = node::fetch_request;
  Interest i = Interest::nothing();
  for (const NodeId n :
       {ask::min_bytes, ask::max_bytes, ask::session_id, ask::session_epoch, ask::topics::topic, ask::topics::topic_id,
        ask::topics::partitions::partition, ask::topics::partitions::fetch_offset,
        ask::topics::partitions::partition_max_bytes, ask::forgotten_topics_data::topic,
        ask::forgotten_topics_data::topic_id, ask::forgotten_topics_data::partitions})
    i.add(n);
  return i;
}

/// Reads them. False: the request can't be read to its end.
class FetchLimitsReader {
 public:
  FetchLimitsReader() : programs_(fetch_limits_interest()) {}
  bool read(const Request& r, FetchLimits& out) {
    out.partitions.clear();
    out.forgotten.clear();
    out.min_bytes = out.session_id = 0;
    out.max_bytes = out.session_epoch = -1;
    if (!r.known || !r.api || !r.header_whole || !r.frame.whole()) return false;
    FetchLimitsSink sink(out);
    return !walk(programs_.get(*r.api->request, r.version), r.body, sink);
  }

 private:
  ProgramSet programs_;
};

}  // namespace kparse::lint
