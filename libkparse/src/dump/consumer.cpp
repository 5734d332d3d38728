// SPDX-License-Identifier: MIT
// Protocol type "consumer" and the user data of Kafka's own assignors.
// Source: ConsumerProtocol, StickyAssignor, CooperativeStickyAssignor of kafka-clients.
#include <algorithm>

#include "dump/plain_reader.h"

namespace kparse {

PayloadResult consumer_payload(const PayloadOut& to, bool assignment, Bytes b,
                               std::string_view protocol_name) noexcept {
  Reader in(b, Limit::payload);
  const auto version = in.be<std::int16_t>();
  if (!in.ok()) return {.error = in.error()};
  if (version < 0)
    return {.error = {.code = Code::badValue, .limit = Limit::payload, .have = static_cast<std::uint16_t>(version)}};
  const Message* m = find_message(assignment ? "ConsumerProtocolAssignment" : "ConsumerProtocolSubscription");
  if (!m) return {};
  // Later versions only add at the end; so Kafka reads them as the newest that it knows.
  const int known = std::min<int>(version, m->versions.hi);
  PayloadResult result = message_payload(to, *m, known, b.subspan(2), protocol_name);
  if (version > known) result.rest = 0;
  return result;
}

PayloadResult sticky_user_data(const PayloadOut& to, Bytes b) noexcept {
  Reader in(b, Limit::payload);
  JsonWriter& out = to.json;
  out.begin_object();
  member(out, "assignor", "sticky");
  out.key("partitionsByTopic");
  out.begin_object();
  for (std::uint32_t topics = plain_count(in, 6); topics > 0 && in.ok(); --topics) {
    const std::string_view topic = plain_text(in);
    std::uint32_t partitions = plain_count(in, 4);
    if (!in.ok()) break;
    out.escaped_key(topic);
    out.begin_array();
    for (; partitions > 0; --partitions) out.integer(in.be<std::int32_t>());  // all there: counted
    out.end_array();
  }
  out.end_object();
  const bool any = in.ok();
  out.key("generation");
  if (in.ok() && in.left() >= 4) {
    out.integer(in.be<std::int32_t>());
  } else {
    out.null();  // version 0
  }
  out.end_object();
  return result_of(in, any);
}

PayloadResult cooperative_user_data(const PayloadOut& to, Bytes b) noexcept {
  Reader in(b, Limit::payload);
  const auto generation = in.be<std::int32_t>();
  if (!in.ok()) return {.error = in.error()};
  to.json.begin_object();
  member(to.json, "assignor", "cooperative-sticky");
  member(to.json, "generation", generation);
  to.json.end_object();
  return result_of(in, true);
}

}  // namespace kparse
