// SPDX-License-Identifier: MIT
// JSON members that several sections write.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kparse/json.h"
#include "report/histogram.h"
#include "report/names.h"

namespace kparse::report {

inline void count(JsonWriter& json, std::string_view name, std::uint64_t value) {
  json.key(name);
  json.unsigned_integer(value);
}

inline void text(JsonWriter& json, std::string_view name, std::string_view value) {
  json.key(name);
  json.string(value);
}

/// null for "".
inline void text_or_null(JsonWriter& json, std::string_view name, std::string_view value) {
  json.key(name);
  value.empty() ? json.null() : static_cast<void>(json.string(value));
}

inline void client_id(JsonWriter& json, const ClientName& client) {
  json.key("clientId");
  client.null ? json.null() : static_cast<void>(json.string(client.id));
}

/// Milliseconds with three digits after the point where that is all there is to know: 1.25 for 1,250,000 ns.
[[nodiscard]] inline double in_ms(std::int64_t ns) noexcept { return static_cast<double>(ns) / 1e6; }

/// {"p50","p90","p99","max","mean"}, all null of no values. `scale`: of one unit.
inline void percentiles(JsonWriter& json, std::string_view name, const Histogram& h, double scale) {
  json.key(name);
  json.begin_object();
  const auto member = [&](std::string_view key, double value) {
    json.key(key);
    h.count() == 0 ? json.null() : json.float64(value * scale);
  };
  member("p50", static_cast<double>(h.percentile(50)));
  member("p90", static_cast<double>(h.percentile(90)));
  member("p99", static_cast<double>(h.percentile(99)));
  member("max", static_cast<double>(h.max()));
  member("mean", h.mean());
  json.end_object();
}

/// Percentiles of whole numbers, as such but for the mean.
inline void whole_percentiles(JsonWriter& json, std::string_view name, const Histogram& h) {
  json.key(name);
  json.begin_object();
  const auto member = [&](std::string_view key, std::int64_t value) {
    json.key(key);
    h.count() == 0 ? json.null() : json.integer(value);
  };
  member("p50", h.percentile(50));
  member("p90", h.percentile(90));
  member("p99", h.percentile(99));
  member("max", h.max());
  json.key("mean");
  h.count() == 0 ? json.null() : json.float64(h.mean());
  json.end_object();
}

template <class Items>
void strings(JsonWriter& json, std::string_view name, const Items& items) {
  json.key(name);
  json.begin_array();
  for (const auto& item : items) json.string(item);
  json.end_array();
}

/// [{"clientId","addresses":[...]}]
inline void clients_with_hosts(JsonWriter& json, std::string_view name, const ClientSet& clients) {
  json.key(name);
  json.begin_array();
  const ClientName* last = nullptr;
  for (const auto& [client, host] : clients.items()) {
    if (!last || *last != client) {
      if (last) {
        json.end_array();
        json.end_object();
      }
      json.begin_object();
      client_id(json, client);
      json.key("addresses");
      json.begin_array();
      last = &client;
    }
    json.string(host);
  }
  if (last) {
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

}  // namespace kparse::report
