// SPDX-License-Identifier: MIT
#include "report/names.h"

namespace kparse::report {

std::string_view host_of(std::string_view endpoint) noexcept {
  endpoint = endpoint.substr(0, endpoint.rfind(':'));
  if (endpoint.starts_with('[') && endpoint.ends_with(']')) endpoint = endpoint.substr(1, endpoint.size() - 2);
  return endpoint;
}

TopicLabel label_of(const TopicKey& key, const Cluster& cluster) {
  if (!key.id) return {key.name, {}};
  return {std::string(cluster.topic_name(reinterpret_cast<const std::uint8_t*>(key.id->data()))), uuid_text(*key.id)};
}

}  // namespace kparse::report
