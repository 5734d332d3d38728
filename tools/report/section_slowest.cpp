// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "output/human.h"
#include "report/json_parts.h"
#include "report/report.h"
#include "report/text_parts.h"

namespace kparse::report {
namespace {

using cli::Align;
using cli::human_count;

constexpr std::int16_t join_group = 11, sync_group = 14;

std::string api_name(const SlowExchange& e) { return e.api ? std::string(e.api->name) : fmt::format("API key {}", e.api_key); }

/// Packets from the request's first to the answer's last.
std::string packets(const Report& r, const SlowExchange& e) {
  if (r.summary.inputs.size() <= 1) return fmt::format("{} – {}", human_count(e.request.packet), human_count(e.last.packet));
  const std::string from = human_count(e.request.packet), to = human_count(e.last.packet);
  if (e.last.file == e.request.file) return fmt::format("{} – {} of {}", from, to, capture_shown(r, e.last));
  return fmt::format("{} of {} – {} of {}", from, capture_shown(r, e.request), to, capture_shown(r, e.last));
}

std::string remark(const SlowExchange& e) {
  if (e.api_key == join_group || e.api_key == sync_group) return "waits for the other members";
  if (e.max_wait_ms > 0) return fmt::format("was to wait {} ms at most", e.max_wait_ms);
  if (e.latency_ns - e.first_byte_ns > e.latency_ns / 10) return "first byte after " + brief_duration(e.first_byte_ns);
  return {};
}

}  // namespace

void json_slowest(JsonWriter& json, const Report& r) {
  json.begin_array();
  for (const SlowExchange& e : r.data.slowest.rows()) {
    json.begin_object();
    text_or_null(json, "api", e.api ? e.api->name : std::string_view());
    json.key("apiKey");
    json.integer(e.api_key);
    json.key("version");
    json.integer(e.version);
    client_id(json, e.client);
    json.key("latencyMs");
    json.float64(in_ms(e.latency_ns));
    json.key("firstByteMs");
    json.float64(in_ms(e.first_byte_ns));
    text(json, "capture", r.capture(e.request));
    count(json, "packet", e.request.packet);
    if (e.last.file != e.request.file) text(json, "lastCapture", r.capture(e.last));
    count(json, "lastPacket", e.last.packet);
    text(json, "responseCapture", r.capture(e.response));
    count(json, "responsePacket", e.response.packet);
    count(json, "conversation", e.conversation);
    text(json, "time", cli::rfc3339(e.request_last.time_ns));
    json.end_object();
  }
  json.end_array();
}

void text_slowest(cli::Output& out, const cli::Painter& paint, const Report& r) {
  const auto& rows = r.data.slowest.rows();
  if (rows.empty()) return;
  cli::Table table({{"Slowest"}, {"", Align::right}, {"took", Align::right}, {"client", Align::left, 40}, {"request", Align::left}, {"packets"}, {""}});
  constexpr std::size_t most = 6;
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
    const SlowExchange& e = rows[i];
    table.row({api_name(e), fmt::format("v{}", e.version), brief_duration(e.latency_ns), shown(e.client),
               cli::human_time(e.request_last.time_ns).substr(11), packets(r, e), paint(cli::Style::dim, remark(e))});
  }
  out.write('\n');
  table.print(out, paint, 0);
}

}  // namespace kparse::report
