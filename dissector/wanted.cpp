// SPDX-License-Identifier: GPL-2.0-or-later
#include "wanted.h"

#include <vector>

#include "fields.h"
#include "items.h"
#include "legacy.h"
#include "record_tree.h"
#include "schema_fields.h"

namespace kparse::dissector {
namespace {

/// What is asked for besides the fields of the schema.
struct Asked {
  bool old_names, topic, partition, error, time, payload, records, any_row, tagged;

  static Asked now() {
    static const int tag = legacy_field("kafka.tagged_field_tag"), data = legacy_field("kafka.tagged_field_data");
    const bool experts = experts_wanted();
    Asked a;
    a.old_names = old_name_asked_for();
    a.topic = asked_for(fields.topic);
    a.partition = asked_for(fields.partition);
    a.error = experts || asked_for(fields.error_code) || asked_for(fields.error_name);
    a.time = asked_for(fields.time);
    a.payload = asked_for(fields.payload) || asked_for(fields.payload_value);
    a.records = experts || records_asked_for();
    a.tagged = a.old_names && (asked_for(tag) || asked_for(data));
    a.any_row =
        experts || a.tagged || asked_for(fields.tag) || asked_for(fields.tag_data) || asked_for(fields.undecoded);
    return a;
  }
};

bool payload_wanted(const Field& f, const Message* inner) {
  return inner && (f.mark == Mark::metadata || f.mark == Mark::assignment) && wanted_below(*inner);
}

/// Of an Envelope: another message's fields may be in them.
bool holds_message(const Field& f) noexcept {
  return f.name == "requestData" || f.name == "responseData" || f.name == "requestPrincipal";
}

std::uint8_t want(NodeId n, const Field& f, const Asked& asked) {
  static const Message* const subscription = find_message("ConsumerProtocolSubscription");
  static const Message* const assignment = find_message("ConsumerProtocolAssignment");
  std::uint8_t w = asked_for(schema_field(n)) ? Want::item : 0;
  if ((asked.old_names && has_legacy(n)) || (asked.tagged && f.tag >= 0)) w |= Want::old_name;
  switch (f.mark) {
    case Mark::topic:
    case Mark::topic_id:
      if (asked.topic) w |= Want::meaning;
      break;
    case Mark::partition:
      if (asked.partition) w |= Want::meaning;
      break;
    case Mark::error:
      if (asked.error) w |= Want::meaning;
      break;
    default:
      break;
  }
  if (asked.time && is_time(f)) w |= Want::meaning;
  if (f.type == Type::records && asked.records) w |= Want::content;
  if (f.type == Type::bytes &&
      (asked.payload || holds_message(f) || payload_wanted(f, f.mark == Mark::assignment ? assignment : subscription)))
    w |= Want::content;
  if (f.type == Type::structure && asked.any_row) w |= Want::below;
  return w;
}

std::vector<std::uint8_t>& table() {
  static std::vector<std::uint8_t>& all = *new std::vector<std::uint8_t>(kparse::fields().size());
  return all;
}

void fill(NodeId root) {
  std::vector<std::uint8_t>& wants = table();
  const Asked asked = Asked::now();
  const int last = root + field(root).below;
  for (int n = root; n <= last; ++n) wants[static_cast<std::size_t>(n)] = 0;
  for (int n = last; n >= root; --n) {
    const Field& f = field(static_cast<NodeId>(n));
    std::uint8_t& w = wants[static_cast<std::size_t>(n)];
    w |= want(static_cast<NodeId>(n), f, asked);
    // Errors and notes tell of the whole body.
    if (n == root && (asked.old_names || asked_for(fields.rule))) w |= Want::below;
    if (w != 0 && f.parent != no_node) wants[f.parent] |= Want::below;
  }
}

}  // namespace

const std::uint8_t* wanted_fields(NodeId root, bool all) {
  if (all) {
    static const std::vector<std::uint8_t>& everything = *new std::vector<std::uint8_t>(kparse::fields().size(), 0xff);
    return everything.data();
  }
  static std::vector<bool>& kept = *new std::vector<bool>(kparse::fields().size());
  const bool fixed = !filters_look() && !experts_wanted();
  if (!fixed || !kept[root]) fill(root);
  kept[root] = fixed;
  return table().data();
}

bool wanted_below(const Message& m) { return wanted_fields(m.root, false)[m.root] != 0; }

bool is_time(const Field& f) noexcept {
  return f.type == Type::int64 && (f.name.ends_with("imestamp") || f.name.ends_with("TimestampMs") ||
                                   f.name == "transactionStartTimeMs" || f.name == "logAppendTimeMs");
}

bool may_hold_secrets(NodeId root) noexcept {
  static std::vector<std::int8_t>& known = *new std::vector<std::int8_t>(kparse::fields().size(), -1);
  std::int8_t& answer = known[root];
  if (answer < 0) {
    answer = 0;
    for (int n = root; n <= root + field(root).below; ++n) {
      const Field& f = field(static_cast<NodeId>(n));
      if (f.secret || f.mark == Mark::config_value) answer = 1;
    }
  }
  return answer > 0;
}

}  // namespace kparse::dissector
