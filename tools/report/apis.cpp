// SPDX-License-Identifier: MIT
#include "report/apis.h"

#include <algorithm>

namespace kparse::report {

void ApiRow::merge(ApiRow&& o) {
  requests += o.requests;
  responses += o.responses;
  no_answer_due += o.no_answer_due;
  failed += o.failed;
  request_bytes += o.request_bytes;
  response_bytes += o.response_bytes;
  for (const auto& [version, n] : o.versions) versions[version] += n;
  for (const auto& [code, n] : o.errors) errors[code] += n;
  latency.merge(o.latency);
  own_latency.merge(o.own_latency);
  first_byte.merge(o.first_byte);
  long_polls += o.long_polls;
}

ApiRow& Apis::row(std::int16_t key, const Api* api) {
  const bool common = key >= 0 && static_cast<std::size_t>(key) < known_.size();
  if (common && known_[static_cast<std::size_t>(key)]) return *known_[static_cast<std::size_t>(key)];
  auto& row = rows_[key];
  if (!row) {
    row = std::make_unique<ApiRow>();
    row->key = key;
    row->api = api;
  }
  if (common) known_[static_cast<std::size_t>(key)] = row.get();
  return *row;
}

void Apis::merge(Apis&& other) {
  for (auto& [key, from] : other.rows_) row(key, from->api).merge(std::move(*from));
}

std::vector<const ApiRow*> Apis::sorted() const {
  std::vector<const ApiRow*> out;
  out.reserve(rows_.size());
  for (const auto& [key, row] : rows_) out.push_back(row.get());
  std::sort(out.begin(), out.end(), [](const ApiRow* a, const ApiRow* b) { return a->key < b->key; });
  return out;
}

}  // namespace kparse::report
