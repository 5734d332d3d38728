// SPDX-License-Identifier: MIT
#include "report/errors_table.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace kparse::report {

void ErrorRow::merge(ErrorRow&& o) {
  if (count == 0) {
    *this = std::move(o);
    return;
  }
  count += o.count;
  clients.merge(o.clients);
  if (!earlier(o.first, first)) return;
  first = o.first;
  first_client = std::move(o.first_client);
}

std::vector<NamedError> named_errors(const ErrorTable& table, const Cluster& cluster) {
  std::map<std::tuple<std::int16_t, std::int16_t, std::string, std::int32_t, std::string>, NamedError> together;
  for (const ErrorTable::Slot* slot : table.sorted()) {
    const ErrorRow& row = slot->row;
    TopicLabel label = label_of(row.topic, cluster);
    NamedError& error = together[{row.api_key, row.code, label.shown(), row.partition, row.group}];
    if (error.topic.shown().empty()) error.topic = std::move(label);
    error.row.merge(ErrorRow(row));
  }
  std::vector<NamedError> out;
  out.reserve(together.size());
  for (auto& [key, error] : together) out.push_back(std::move(error));
  std::stable_sort(out.begin(), out.end(), [](const NamedError& a, const NamedError& b) { return a.row.count > b.row.count; });
  return out;
}

}  // namespace kparse::report
