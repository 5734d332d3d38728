// SPDX-License-Identifier: GPL-2.0-or-later
#include "value_strings.h"

#include <cstring>
#include <map>
#include <vector>

#include "kparse/node.h"

namespace kparse::dissector {
namespace {

// Wireshark keeps pointers to all this until it ends: nothing here is ever given back.
const char* keep(std::string_view text) {
  char* copy = new char[text.size() + 1];
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

/// Sorted and, where there is no gap, looked up by index.
ValueNames extended(std::vector<value_string>& rows, const char* name) {
  const auto count = static_cast<guint32>(rows.size());
  rows.push_back({0, nullptr});
  // What value_string_ext_new() and VALUE_STRING_EXT_INIT would do; both differ between versions.
  auto* index = new value_string_ext{};
  index->_vs_match2 = _try_val_to_str_ext_init;
  index->_vs_num_entries = count;
  index->_vs_p = rows.data();
  index->_vs_name = name;
  return {index, BASE_EXT_STRING};
}

template <class Row>
const void* kept(const Enumeration& e) {
  auto* rows = new std::vector<Row>;
  rows->reserve(e.values.size() + 1);
  for (const EnumValue& v : e.values)
    rows->push_back({static_cast<decltype(Row::value)>(static_cast<std::int64_t>(v.value)), keep(v.name)});
  rows->push_back({0, nullptr});
  return rows->data();
}

}  // namespace

ValueNames error_names() {
  static const ValueNames names = [] {
    auto* rows = new std::vector<value_string>;
    // Ascending as unsigned numbers: -1 comes last.
    for (const ErrorName& e : errors())
      if (e.code >= 0) rows->push_back({static_cast<guint32>(e.code), keep(e.name)});
    for (const ErrorName& e : errors())
      if (e.code < 0) rows->push_back({static_cast<guint32>(static_cast<gint32>(e.code)), keep(e.name)});
    return extended(*rows, "kafka_errors");
  }();
  return names;
}

ValueNames api_names() {
  static const ValueNames names = [] {
    auto* rows = new std::vector<value_string>;
    for (const Api& a : apis()) rows->push_back({static_cast<guint32>(a.key), keep(a.name)});
    return extended(*rows, "kafka_apis");
  }();
  return names;
}

bool is_api_key(NodeId n) noexcept {
  return field(n).mark == Mark::api_key || n == node::api_versions_response::api_keys::api_key;
}

ValueNames names_of(const Enumeration& e, bool wide) {
  static auto& narrow_ones = *new std::map<const Enumeration*, const void*>;
  static auto& wide_ones = *new std::map<const Enumeration*, const void*>;
  const void*& strings = (wide ? wide_ones : narrow_ones)[&e];
  if (!strings) strings = wide ? kept<val64_string>(e) : kept<value_string>(e);
  return {strings, wide ? BASE_VAL64_STRING : 0};
}

}  // namespace kparse::dissector
