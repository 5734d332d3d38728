// SPDX-License-Identifier: GPL-2.0-or-later
// File > Export Objects > Kafka (kparse), `--export-objects kparse,FOLDER`: the values of records, a file each.
// Wireshark keeps all of them in memory until they are saved, so there is a limit; the last object says if it was met.
#include <cstring>

#include "kparse/record_walk.h"
#include "kparse/text.h"
#include "listeners.h"
#include "topics.h"
#include "value_kind.h"

namespace kparse::dissector {

namespace {

constexpr std::uint64_t max_bytes = 1u << 30;
constexpr std::uint64_t max_objects = 1'000'000;
constexpr std::uint64_t entry_cost = 256;  // names and list, besides the value

struct Progress {
  std::uint64_t bytes = 0, objects = 0;
  bool full = false;
} progress;

void reset() noexcept { progress = {}; }

struct Exporter : RecordSink {
  export_object_list_t* list;
  std::uint32_t packet;
  char topic[256];
  std::int32_t partition = -1;
  bool produced;
  std::uint64_t index = 0;  // in the record set

  void record(const Batch&, const Record&) noexcept;
  void add(char* file, const char* type, Bytes value) noexcept;
};

void Exporter::add(char* file, const char* type, Bytes value) noexcept {
  auto* const entry = g_new0(export_object_entry_t, 1);
  entry->pkt_num = packet;
  entry->hostname = g_strdup_printf("%s-%d", topic, partition);
  entry->content_type = g_strdup(type);
  entry->filename = file;
  entry->payload_len = value.size();
  entry->payload_data = static_cast<decltype(entry->payload_data)>(g_malloc(value.size() + 1));
  if (!value.empty()) std::memcpy(entry->payload_data, value.data(), value.size());
  list->add_entry(list->gui_data, entry);
}

void Exporter::record(const Batch& batch, const Record& r) noexcept {
  const std::uint64_t place = index++;
  if (batch.control || !r.value.data() || progress.full) return;
  progress.bytes += r.value.size() + entry_cost;
  if (progress.bytes > max_bytes || progress.objects >= max_objects) {
    progress.full = true;
    static constexpr char text[] =
        "The values of later records are not here: there were too many to keep them in memory. Filter the capture, or\n"
        "use `kparse records`.\n";
    add(g_strdup("not-all-records.txt"), "text/plain", {reinterpret_cast<const std::uint8_t*>(text), sizeof text - 1});
    return;
  }
  ++progress.objects;
  const ValueKind kind = kind_of(r.value);
  const char* const ending = ending_of(kind);
  // The broker gives a produced record its offset; the request doesn't know it.
  char* const file = produced ? g_strdup_printf("%s-%d-packet%u-%" G_GUINT64_FORMAT "%s", topic, partition, packet,
                                                static_cast<guint64>(place), ending)
                              : g_strdup_printf("%s-%d-%" G_GINT64_FORMAT "%s", topic, partition,
                                                static_cast<gint64>(r.offset), ending);
  add(file, content_type(kind), r.value);
}

/// What Kafka allows in a topic's name; everything else could mean something in a file's name.
void set_topic(Exporter& e, std::string_view name) noexcept {
  std::size_t n = 0;
  for (const char c : name) {
    if (n + 1 == sizeof e.topic) break;
    e.topic[n++] = g_ascii_isalnum(c) || c == '.' || c == '_' || c == '-' ? c : '_';
  }
  e.topic[n] = '\0';
}

void set_topic_id(Exporter& e, const std::uint8_t* id) noexcept {
  const std::string_view name = cluster().topic_name(id);
  if (!name.empty()) return set_topic(e, name);
  char text[uuid_text_size];
  uuid_text(id, text);
  set_topic(e, {text, sizeof text});
}

void export_records(Exporter& e, const Body& b) noexcept {
  using What = TreeNode::What;
  set_topic(e, "unknown");
  for (const TreeNode& n : b.tree->nodes()) {
    if (n.node == no_node) continue;
    const Mark mark = field(n.node).mark;
    const Bytes value = b.bytes.subspan(n.value_offset, n.value_length);
    if (n.what == What::string && mark == Mark::topic) set_topic(e, kparse::text(value));
    if (n.what == What::uuid && mark == Mark::topic_id) set_topic_id(e, b.bytes.data() + n.offset);
    if (n.what == What::integer && mark == Mark::partition) e.partition = static_cast<std::int32_t>(n.integer);
    if (n.what != What::records || value.empty()) continue;
    e.index = 0;
    read_records(value, record_options(), listener_scratch(), e);
  }
}

tap_packet_status packet(void* with, packet_info* pinfo, epan_dissect_t*, const void* data, tap_flags_t) noexcept {
  const auto& tap = *static_cast<const FrameTap*>(data);
  if (!tap.body.message || !carries_record_sets(tap.pdu->api_key)) return TAP_PACKET_DONT_REDRAW;
  const Body body = decoded(tap);
  if (!body.tree) return TAP_PACKET_DONT_REDRAW;
  Exporter exporter;
  exporter.list = static_cast<export_object_list_t*>(with);
  exporter.packet = pinfo->num;
  exporter.produced = tap.pdu->api_key == 0;
  const std::uint64_t before = progress.objects;
  export_records(exporter, body);
  return progress.objects > before ? TAP_PACKET_REDRAW : TAP_PACKET_DONT_REDRAW;
}

}  // namespace

void register_export(int proto) { object_tap = register_export_object(proto, packet, reset); }

}  // namespace kparse::dissector
