// SPDX-License-Identifier: GPL-2.0-or-later
#include "element_label.h"

#include "items.h"
#include "kparse/schema.h"
#include "topics.h"
#include "value_strings.h"

namespace kparse::dissector {
namespace {

using What = TreeNode::What;

/// The smaller, the more it tells. 0: nothing.
int rank(const TreeNode& row, const Field& f) noexcept {
  if (f.secret || f.array) return 0;
  if (row.what == What::string && row.value_length > 0) {
    switch (f.mark) {
      case Mark::topic:
        return 1;
      case Mark::group:
      case Mark::member:
      case Mark::config_name:
      case Mark::transactional_id:
        return 3;
      case Mark::protocol_name:
      case Mark::mechanism:
        return 5;
      case Mark::host:
        return 11;
      case Mark::config_value:
        return 0;
      default:
        break;
    }
    if (f.map_key) return 4;
    if (f.name == "name" || f.name.ends_with("Name")) return 6;
    return f.name.ends_with("Id") || f.name.ends_with("Key") || f.name == "key" ? 8 : 0;
  }
  if (row.what == What::uuid) return f.mark == Mark::topic_id ? 2 : f.name.ends_with("Id") ? 12 : 0;
  if (row.what != What::integer) return 0;
  if (is_api_key(row.node)) return 3;
  switch (f.mark) {
    case Mark::partition:
      return 4;
    case Mark::broker_id:
      return 7;
    default:
      return f.map_key ? 7 : f.name.ends_with("Id") ? 10 : 0;
  }
}

const char* text_of_row(const Body& body, const TreeNode& row, packet_info* pinfo) {
  const Bytes value = body.bytes.subspan(row.value_offset, row.value_length);
  if (row.what == What::string) return text_for_item(text(value), pinfo);
  const std::string_view name = cluster().topic_name(value.data());
  return field(row.node).mark == Mark::topic_id && !name.empty() ? text_for_item(name, pinfo)
                                                                 : uuid_for_item(value.data(), pinfo);
}

/// "Produce 0-13": of a struct with an API's key and its versions.
const char* versions_label(const Body& body, std::uint32_t from, std::uint32_t end, const TreeNode& key,
                           packet_info* pinfo) {
  const auto rows = body.tree->nodes();
  const Api* const api = find_api(static_cast<int>(key.integer));
  const TreeNode *lo = nullptr, *hi = nullptr;
  for (std::uint32_t i = from; i < end; i = rows[i].end) {
    if (rows[i].what != What::integer) continue;
    if (field(rows[i].node).name == "minVersion") lo = &rows[i];
    if (field(rows[i].node).name == "maxVersion") hi = &rows[i];
  }
  const char* const name = api ? wmem_strndup(pinfo->pool, api->name.data(), api->name.size())
                               : wmem_strdup_printf(pinfo->pool, "API %d", static_cast<int>(key.integer));
  if (!lo || !hi) return name;
  return wmem_strdup_printf(pinfo->pool, "%s %d-%d", name, static_cast<int>(lo->integer),
                            static_cast<int>(hi->integer));
}

}  // namespace

const char* element_label(const Body& body, std::uint32_t row, packet_info* pinfo) {
  const auto rows = body.tree->nodes();
  const std::uint32_t from = row + 1, end = rows[row].end;
  const TreeNode* best = nullptr;
  int best_rank = 0;
  for (std::uint32_t i = from; i < end; i = rows[i].end) {
    if (!rows[i].leaf() || rows[i].node == no_node) continue;
    const int r = rank(rows[i], field(rows[i].node));
    if (r == 0 || (best && r >= best_rank)) continue;
    best = &rows[i];
    best_rank = r;
  }
  if (!best) return nullptr;
  if (best->what != What::integer) return text_of_row(body, *best, pinfo);
  const Field& f = field(best->node);
  if (is_api_key(best->node)) return versions_label(body, from, end, *best, pinfo);
  const auto value = static_cast<gint64>(best->integer);
  if (f.mark == Mark::partition) return wmem_strdup_printf(pinfo->pool, "partition %" G_GINT64_FORMAT, value);
  if (f.mark == Mark::broker_id) return wmem_strdup_printf(pinfo->pool, "broker %" G_GINT64_FORMAT, value);
  return wmem_strdup_printf(pinfo->pool, "%.*s %" G_GINT64_FORMAT, static_cast<int>(f.name.size()), f.name.data(),
                            value);
}

}  // namespace kparse::dissector
