// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "output/human.h"
#include "report/json_parts.h"
#include "report/report.h"
#include "report/text_parts.h"

namespace kparse::report {

using cli::Align;
using cli::human_bytes;
using cli::human_count;

void json_brokers(JsonWriter& json, const Report& r) {
  json.begin_array();
  for (const NamedBroker& b : r.brokers) {
    json.begin_object();
    json.key("brokerId");
    b.id ? json.integer(*b.id) : json.null();
    text_or_null(json, "host", b.host);
    json.key("port");
    b.port < 0 ? json.null() : json.integer(b.port);
    text_or_null(json, "address", b.server ? std::string_view(b.server->address) : std::string_view());
    const ServerRow nobody;
    const ServerRow& s = b.server ? *b.server : nobody;
    count(json, "connections", s.connections);
    count(json, "requests", s.requests);
    count(json, "responses", s.responses);
    count(json, "requestBytes", s.request_bytes);
    count(json, "responseBytes", s.response_bytes);
    json.end_object();
  }
  json.end_array();
}

void text_brokers(cli::Output& out, const cli::Painter& paint, const Report& r) {
  if (r.brokers.empty()) return;
  cli::Table table({{"Broker", Align::left, 40}, {"id", Align::right}, {"conns", Align::right}, {"requests", Align::right},
                    {"sent to it", Align::right}, {"sent by it", Align::right}, {"advertised as"}});
  constexpr std::size_t most = 12;
  std::size_t n = 0;
  for (const NamedBroker& b : r.brokers) {
    if (n++ == most) break;
    const std::string advertised = b.id ? fmt::format("{}:{}", shown(b.host, 40), b.port) : std::string(none);
    const std::string id = b.id ? std::to_string(*b.id) : std::string(none);
    if (!b.server) {
      table.row({"(not talked to by this name)", id, std::string(none), std::string(none), std::string(none), std::string(none), advertised});
    } else {
      table.row({shown(b.server->address), id, human_count(b.server->connections), human_count(b.server->requests),
                 human_bytes(b.server->request_bytes), human_bytes(b.server->response_bytes), advertised});
    }
  }
  out.write('\n');
  table.print(out, paint, 0);
  and_more(out, paint, most, r.brokers.size(), "brokers");
}

}  // namespace kparse::report
