// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "kparse/schema.h"
#include "schema/tables.h"

namespace kparse {
namespace {

const tables::NameRow* by_name(std::span<const tables::NameRow> rows, std::string_view name) noexcept {
  const auto at = std::lower_bound(rows.begin(), rows.end(), name,
                                   [](const tables::NameRow& row, std::string_view n) { return row.name < n; });
  return at != rows.end() && at->name == name ? &*at : nullptr;
}

}  // namespace

std::span<const Field> fields() noexcept { return tables::fields; }
std::span<const Message> messages() noexcept { return tables::messages; }
std::span<const AltLayout> alt_layouts() noexcept { return tables::alt_layouts; }
std::span<const Api> apis() noexcept { return tables::apis; }
std::span<const ErrorName> errors() noexcept { return tables::errors; }

const Message* find_message(std::string_view name) noexcept {
  const auto* row = by_name(tables::message_names, name);
  return row ? &tables::messages[row->at] : nullptr;
}

const Message* find_message(Kind kind, int api_key, std::string_view area) noexcept {
  if (kind == Kind::request || kind == Kind::response) {
    const Api* api = find_api(api_key);
    return !api ? nullptr : kind == Kind::request ? api->request : api->response;
  }
  const auto key_of = [](const tables::TypeRow& row) {
    return std::tuple(row.kind, row.area, static_cast<int>(row.type));
  };
  const std::tuple wanted(kind, area, api_key);
  const auto rows = tables::record_types;
  const auto at = std::lower_bound(rows.begin(), rows.end(), wanted,
                                   [&](const tables::TypeRow& row, const auto& w) { return key_of(row) < w; });
  return at != rows.end() && key_of(*at) == wanted ? &tables::messages[at->message] : nullptr;
}

const Api* find_api(int key) noexcept {
  if (key < 0 || static_cast<std::size_t>(key) >= tables::api_by_key.size()) return nullptr;
  const int at = tables::api_by_key[static_cast<std::size_t>(key)];
  return at < 0 ? nullptr : &tables::apis[static_cast<std::size_t>(at)];
}

const Api* find_api(std::string_view name) noexcept {
  const auto* row = by_name(tables::api_names, name);
  return row ? &tables::apis[row->at] : nullptr;
}

std::string_view error_name(int code) noexcept {
  const auto rows = tables::errors;
  const auto at =
      std::lower_bound(rows.begin(), rows.end(), code, [](const ErrorName& e, int c) { return e.code < c; });
  return at != rows.end() && at->code == code ? at->name : std::string_view{};
}

std::string_view path_of(NodeId node, std::span<char> out) noexcept {
  NodeId chain[16];
  std::size_t depth = 0;
  while (node < tables::fields.size() && tables::fields[node].parent != no_node && depth < std::size(chain)) {
    chain[depth++] = node;
    node = tables::fields[node].parent;
  }
  std::size_t used = 0;
  const auto put = [&](std::string_view text) {
    const std::size_t n = std::min(text.size(), out.size() - used);
    std::copy_n(text.data(), n, out.data() + used);
    used += n;
  };
  while (depth > 0) {
    put(tables::fields[chain[--depth]].name);
    if (depth > 0) put(".");
  }
  return {out.data(), used};
}

}  // namespace kparse
