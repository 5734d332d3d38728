// SPDX-License-Identifier: GPL-2.0-or-later
#include "legacy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "legacy_table.h"

namespace kparse::dissector {
namespace {

struct Use {
  int name;  ///< its place in legacy_names()
  Versions versions;
};

/// Never destroyed: Wireshark keeps pointers, and packets may be shown until the process ends.
struct Registered {
  std::vector<int> numbers;              ///< by place in legacy_names()
  std::vector<Use> uses;                 ///< of one row of the schema after the other
  std::vector<std::uint16_t> first_use;  ///< by row; its uses end where the next row's begin
};
Registered& registered = *new Registered;

std::span<const Use> uses_of(NodeId n) noexcept {
  const auto& first = registered.first_use;
  if (n + 1u >= first.size()) return {};
  return std::span<const Use>(registered.uses).subspan(first[n], static_cast<std::size_t>(first[n + 1] - first[n]));
}

struct MarkName {
  std::string_view name;
  Mark mark;
};
constexpr std::array mark_names{
    MarkName{"acks", Mark::acks},
    MarkName{"assignment", Mark::assignment},
    MarkName{"authBytes", Mark::auth_bytes},
    MarkName{"brokerId", Mark::broker_id},
    MarkName{"clusterId", Mark::cluster_id},
    MarkName{"configName", Mark::config_name},
    MarkName{"configSensitive", Mark::config_sensitive},
    MarkName{"configValue", Mark::config_value},
    MarkName{"error", Mark::error},
    MarkName{"generation", Mark::generation},
    MarkName{"group", Mark::group},
    MarkName{"host", Mark::host},
    MarkName{"maxWait", Mark::max_wait},
    MarkName{"mechanism", Mark::mechanism},
    MarkName{"member", Mark::member},
    MarkName{"minBytes", Mark::min_bytes},
    MarkName{"offset", Mark::offset},
    MarkName{"partition", Mark::partition},
    MarkName{"port", Mark::port},
    MarkName{"producerEpoch", Mark::producer_epoch},
    MarkName{"producerId", Mark::producer_id},
    MarkName{"protocolName", Mark::protocol_name},
    MarkName{"protocolType", Mark::protocol_type},
    MarkName{"sessionEpoch", Mark::session_epoch},
    MarkName{"sessionId", Mark::session_id},
    MarkName{"softwareName", Mark::software_name},
    MarkName{"softwareVersion", Mark::software_version},
    MarkName{"throttle", Mark::throttle},
    MarkName{"topic", Mark::topic},
    MarkName{"topicId", Mark::topic_id},
    MarkName{"transactionalId", Mark::transactional_id},
};

Mark mark_of(std::string_view name) noexcept {
  for (const MarkName& m : mark_names)
    if (m.name == name) return m.mark;
  return Mark::none;
}

/// Can a value of this type stand under that name?
bool fits(ftenum type, const Field& f) noexcept {
  switch (f.type) {
    case Type::string:
      return type == FT_STRING;
    case Type::bytes:
      return type == FT_BYTES;
    case Type::uuid:
      return type == FT_GUID;
    case Type::structure:
    case Type::records:
    case Type::float64:
      return false;
    default:
      return type != FT_STRING && type != FT_BYTES && type != FT_GUID && type != FT_NONE;
  }
}

/// The words of the table, by kind.
class Rules {
 public:
  Rules() {
    int place = 0;
    for (const LegacyName& name : legacy_names()) {
      std::string_view left = name.where;
      while (!left.empty()) {
        const std::size_t end = std::min(left.find(' '), left.size());
        add(left.substr(0, end), place);
        left.remove_prefix(std::min(end + 1, left.size()));
      }
      ++place;
    }
  }

  [[nodiscard]] const std::vector<Use>* find(const std::string& full, const Field& f) const {
    if (const auto at = fields_.find(full); at != fields_.end()) return &at->second;
    if (const auto at = names_.find(f.name); at != names_.end()) return &at->second;
    if (f.mark == Mark::none) return nullptr;
    const auto at = marks_.find(f.mark);
    return at == marks_.end() ? nullptr : &at->second;
  }

 private:
  void add(std::string_view word, int name) {
    Use use{name, {0, std::numeric_limits<std::int16_t>::max()}};
    if (word.front() == '@') {
      marks_[mark_of(word.substr(1))].push_back(use);
    } else if (word.find('.') == std::string_view::npos) {
      names_[word].push_back(use);
    } else {
      const std::size_t slash = word.find('/');
      if (slash != std::string_view::npos) {
        const std::string_view range = word.substr(slash + 1);
        std::from_chars(range.data(), range.data() + range.size(), use.versions.lo);
        if (range.back() != '+') use.versions.hi = use.versions.lo;
      }
      fields_[std::string(word.substr(0, slash))].push_back(use);
    }
  }

  std::unordered_map<std::string, std::vector<Use>> fields_;
  std::unordered_map<std::string_view, std::vector<Use>> names_;
  std::unordered_map<Mark, std::vector<Use>> marks_;
};

void collect(const Rules& rules, const Message& message, NodeId root, std::vector<std::pair<NodeId, Use>>& out) {
  if (message.kind != Kind::request && message.kind != Kind::response) return;
  const int last = root + field(root).below;
  for (int n = root + 1; n <= last; ++n) {
    const Field& f = field(static_cast<NodeId>(n));
    if (f.tag >= 0) {
      n += f.below;
      continue;
    }
    std::array<char, 512> path{};
    std::string full(message.name);
    (full += '.') += path_of(static_cast<NodeId>(n), path);
    const std::vector<Use>* found = rules.find(full, f);
    if (!found) continue;
    for (const Use& use : *found)
      if (fits(legacy_names()[static_cast<std::size_t>(use.name)].type, f))
        out.emplace_back(static_cast<NodeId>(n), use);
  }
}

void build_uses() {
  const Rules rules;
  std::vector<std::pair<NodeId, Use>> all;
  for (const Message& m : messages()) collect(rules, m, m.root, all);
  for (const AltLayout& a : alt_layouts())
    if (const Message* m = find_message(a.message)) collect(rules, *m, a.root, all);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });

  auto& first = registered.first_use;
  first.assign(fields().size() + 1, 0);
  registered.uses.reserve(all.size());
  for (const auto& [node, use] : all) {
    registered.uses.push_back(use);
    ++first[node + 1u];
  }
  for (std::size_t n = 1; n < first.size(); ++n) first[n] = static_cast<std::uint16_t>(first[n] + first[n - 1]);
}

int display_of(const LegacyName& n) noexcept {
  switch (n.type) {
    case FT_INT8:
    case FT_INT16:
    case FT_INT32:
    case FT_INT64:
    case FT_UINT8:
    case FT_UINT16:
    case FT_UINT32:
    case FT_UINT64:
      return BASE_DEC;
    case FT_ABSOLUTE_TIME:
      return ABSOLUTE_TIME_UTC;
    default:
      return BASE_NONE;
  }
}

void hide(proto_item* item) { proto_item_set_hidden(item); }

void add_number(proto_tree* tree, int number, ftenum type, tvbuff_t* tvb, int at, int length, std::int64_t v) {
  switch (type) {
    case FT_BOOLEAN:
      hide(proto_tree_add_boolean(tree, number, tvb, at, length, v != 0));
      break;
    case FT_INT8:
    case FT_INT16:
    case FT_INT32:
      hide(proto_tree_add_int(tree, number, tvb, at, length, static_cast<gint32>(v)));
      break;
    case FT_UINT8:
    case FT_UINT16:
    case FT_UINT32:
      hide(proto_tree_add_uint(tree, number, tvb, at, length, static_cast<guint32>(v)));
      break;
    case FT_INT64:
      hide(proto_tree_add_int64(tree, number, tvb, at, length, v));
      break;
    case FT_UINT64:
      hide(proto_tree_add_uint64(tree, number, tvb, at, length, static_cast<guint64>(v)));
      break;
    case FT_ABSOLUTE_TIME: {
      std::int64_t seconds = v / 1000, rest = v % 1000;
      if (rest < 0) {
        --seconds;
        rest += 1000;
      }
      const nstime_t time{static_cast<time_t>(seconds), static_cast<int>(rest * 1'000'000)};
      hide(proto_tree_add_time(tree, number, tvb, at, length, &time));
      break;
    }
    default:
      break;
  }
}

/// Calls f(number, type) for each old name of a field.
template <class F>
void each(NodeId node, int version, F f) {
  for (const Use& use : uses_of(node)) {
    if (version >= 0 && !use.versions.has(version)) continue;
    const auto place = static_cast<std::size_t>(use.name);
    f(registered.numbers[place], legacy_names()[place].type);
  }
}

}  // namespace

int legacy_field(std::string_view name) noexcept {
  const auto names = legacy_names();
  for (std::size_t n = 0; n < registered.numbers.size(); ++n)
    if (names[n].name == name) return registered.numbers[n];
  return -1;
}

bool has_legacy(NodeId n) noexcept { return !uses_of(n).empty(); }

void add_legacy_integer(proto_tree* tree, NodeId node, tvbuff_t* tvb, int at, int length, std::int64_t value,
                        int version) {
  each(node, version, [&](int number, ftenum type) { add_number(tree, number, type, tvb, at, length, value); });
}

void add_legacy_text(proto_tree* tree, NodeId node, tvbuff_t* tvb, int at, int length, packet_info*, const char* text,
                     int version) {
  if (!text && field(node).array) return;  // the array is null, not one of its elements
  // Null as the old dissector shows it: Wireshark makes "[ Null ]" of a nullptr.
  each(node, version, [&](int number, ftenum) { hide(proto_tree_add_string(tree, number, tvb, at, length, text)); });
}

void add_legacy_bytes(proto_tree* tree, NodeId node, tvbuff_t* tvb, int at, int length, Bytes value, int version) {
  each(node, version, [&](int number, ftenum) {
    const int size = static_cast<int>(value.size());
    hide(proto_tree_add_bytes_with_length(tree, number, tvb, at, length, value.data(), size));
  });
}

void add_legacy_uuid(proto_tree* tree, NodeId node, tvbuff_t* tvb, int at, const std::uint8_t* id, int version) {
  if (!id) return;
  e_guid_t guid{load_be<std::uint32_t>(id), load_be<std::uint16_t>(id + 4), load_be<std::uint16_t>(id + 6), {}};
  std::memcpy(guid.data4, id + 8, sizeof guid.data4);
  each(node, version,
       [&](int number, ftenum) { hide(proto_tree_add_guid(tree, number, tvb, at, sizeof(guid), &guid)); });
}

void register_legacy_fields(int proto) {
  const auto names = legacy_names();
  registered.numbers.assign(names.size(), -1);
  auto* rows = new std::vector<hf_register_info>;
  rows->reserve(names.size());
  for (std::size_t n = 0; n < names.size(); ++n) {
    const LegacyName& name = names[n];
    header_field_info info{name.title,
                           name.name,
                           name.type,
                           display_of(name),
                           nullptr,
                           name.mask,
                           "As Wireshark's own Kafka dissector has it",
                           HFILL};
    // The names of its numbers, and how it shows times and masks, are those of the Wireshark that runs.
    if (const header_field_info* old = proto_registrar_get_byname(name.name); old && old->type == name.type) {
      info.display = old->display;
      info.strings = old->strings;
      info.bitmask = old->bitmask;
    }
    rows->push_back({&registered.numbers[n], info});
  }
  proto_register_field_array(proto, rows->data(), static_cast<int>(rows->size()));
  build_uses();
}

}  // namespace kparse::dissector
