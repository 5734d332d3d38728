// SPDX-License-Identifier: MIT
// A report as people and scripts read it. Each section is a file of its own: section_NAME.cpp has both forms.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kparse/cluster.h"
#include "kparse/json.h"
#include "output/output.h"
#include "output/table.h"
#include "output/text.h"
#include "pipeline/summary.h"
#include "report/report_observer.h"

namespace kparse::report {

/// What a report is made of, with topics by their names.
struct Report {
  Report(const ReportData&, const Cluster&, const cli::Summary&);

  const ReportData& data;
  const cli::Summary& summary;
  std::vector<NamedTopic> topics;
  std::vector<NamedHeader> headers;
  std::map<std::string, std::vector<NamedHeader>> headers_by_topic;
  std::vector<NamedError> errors;
  std::vector<NamedBroker> brokers;
  std::vector<FullTable> full;          ///< tables that left something out

  /// Name of the capture that a stamp means.
  [[nodiscard]] std::string_view capture(const Stamp&) const;
};

/// The members of the JSON document after `kparse`: "inputs" to "tls".
void write_report(JsonWriter&, const Report&);
/// For people.
void print_report(cli::Output&, const cli::Painter&, const Report&);

// Sections, in the order of the JSON document. The JSON ones write a value.
void json_inputs(JsonWriter&, const Report&);
void json_seen(JsonWriter&, const Report&);
void json_apis(JsonWriter&, const Report&);
void json_topics(JsonWriter&, const Report&);
void json_clients(JsonWriter&, const Report&);
void json_brokers(JsonWriter&, const Report&);
void json_groups(JsonWriter&, const Report&);
void json_headers(JsonWriter&, const Report&);
void json_slowest(JsonWriter&, const Report&);
void json_errors(JsonWriter&, const Report&);
void json_tls(JsonWriter&, const Report&);

void text_inputs(cli::Output&, const cli::Painter&, const Report&);
void text_seen(cli::Output&, const cli::Painter&, const Report&);
void text_apis(cli::Output&, const cli::Painter&, const Report&);
void text_errors(cli::Output&, const cli::Painter&, const Report&);
void text_topics(cli::Output&, const cli::Painter&, const Report&);
void text_headers(cli::Output&, const cli::Painter&, const Report&);
void text_clients(cli::Output&, const cli::Painter&, const Report&);
void text_brokers(cli::Output&, const cli::Painter&, const Report&);
void text_groups(cli::Output&, const cli::Painter&, const Report&);
void text_slowest(cli::Output&, const cli::Painter&, const Report&);
void text_tls(cli::Output&, const cli::Painter&, const Report&);

}  // namespace kparse::report
