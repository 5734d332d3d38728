// SPDX-License-Identifier: MIT
#include "report/report.h"

namespace kparse::report {
namespace {

std::vector<FullTable> full_tables(const ReportData& d) {
  std::vector<FullTable> out;
  const auto add = [&out](const auto&... tables) {
    for (const FullTable& t : {tables.full()..., tables.long_keys()...})
      if (t.left_out > 0) out.push_back(t);
  };
  add(d.topics, d.headers, d.clients, d.groups, d.servers, d.endpoints, d.errors, d.tls);
  for (const auto& [name, t] : d.event_limits) {
    if (t.left_out > 0) out.push_back({name, t.limit, t.left_out});
  }
  return out;
}

}  // namespace

Report::Report(const ReportData& d, const Cluster& cluster, const cli::Summary& s)
    : data(d),
      summary(s),
      topics(named_topics(d.topics, cluster)),
      headers(named_headers(d.headers, cluster)),
      headers_by_topic(report::headers_by_topic(d.headers, cluster)),
      errors(named_errors(d.errors, cluster)),
      brokers(named_brokers(d.servers, d.endpoints)),
      full(full_tables(d)) {
  if (cluster.left_out() > 0) full.push_back({"topic ids", cluster.limit(), cluster.left_out()});
  if (s.tcp.evicted > 0) full.push_back({"live connections", capture::TcpOptions{}.max_connections, s.tcp.evicted});
  if (s.tcp.silent_evicted > 0)
    full.push_back({"connections without data", capture::TcpOptions{}.max_silent, s.tcp.silent_evicted});
}

std::string_view Report::capture(const Stamp& stamp) const {
  return stamp.file < summary.inputs.size() ? std::string_view(summary.inputs[stamp.file].name) : std::string_view();
}

void write_report(JsonWriter& json, const Report& report) {
  static constexpr struct {
    const char* name;
    void (*write)(JsonWriter&, const Report&);
  } sections[] = {
      {"inputs", json_inputs},   {"seen", json_seen},     {"apis", json_apis},       {"topics", json_topics},   {"clients", json_clients},
      {"brokers", json_brokers}, {"groups", json_groups}, {"headers", json_headers}, {"slowest", json_slowest}, {"errors", json_errors},
      {"tls", json_tls},
  };
  for (const auto& section : sections) {
    json.key(section.name);
    section.write(json, report);
  }
}

void print_report(cli::Output& out, const cli::Painter& paint, const Report& report) {
  for (const auto section : {text_inputs, text_seen, text_apis, text_errors, text_topics, text_headers, text_clients,
                             text_groups, text_brokers, text_tls, text_slowest}) {
    section(out, paint, report);
  }
}

}  // namespace kparse::report
