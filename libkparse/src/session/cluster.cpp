// SPDX-License-Identifier: MIT
#include "kparse/cluster.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "session/cluster_state.h"

namespace kparse {
namespace {

constexpr std::array<std::uint8_t, 16> metadata_id{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

// Ids come from the wire: the seed keeps a capture from being made to collide.
std::size_t Cluster::Hash::operator()(const Id& id) const noexcept {
  std::uint64_t halves[2];
  std::memcpy(halves, id.data(), sizeof halves);
  return static_cast<std::size_t>(mix(mix(halves[0] ^ seed, 0x9e3779b97f4a7c15u) ^ halves[1], seed | 1));
}

Cluster::Cluster(std::size_t limit)
    : limit_(limit), topics_(0, Hash{mix(reinterpret_cast<std::uintptr_t>(this), 0xd1342543de82ef95u)}),
      state_(std::make_unique<ClusterState>()) {
  learn_topic(metadata_id.data(), "__cluster_metadata");
}

Cluster::~Cluster() = default;

std::string_view Cluster::topic_name(const std::uint8_t* id) const noexcept {
  if (!id) return {};
  Id key;
  std::memcpy(key.data(), id, key.size());
  const auto it = topics_.find(key);
  return it == topics_.end() ? std::string_view{} : std::string_view(it->second);
}

bool Cluster::learn_topic(const std::uint8_t* id, std::string_view name) noexcept {
  if (!id || name.empty()) return false;
  Id key;
  std::memcpy(key.data(), id, key.size());
  if (std::all_of(key.begin(), key.end(), [](std::uint8_t b) { return b == 0; }) || topics_.contains(key)) return false;
  if (topics_.size() >= limit_) {
    ++left_out_;
    return false;
  }
  try {
    topics_.emplace(key, name);
    return true;
  } catch (const std::bad_alloc&) {
    ++left_out_;
    return false;
  }
}

const Cluster::Endpoint* Cluster::broker(std::int32_t id) const noexcept {
  const auto it = brokers_.find(id);
  return it == brokers_.end() ? nullptr : &it->second;
}

void Cluster::learn_broker(std::int32_t id, std::string_view host, std::int32_t port) noexcept {
  if (id < 0 || host.empty() || port <= 0) return;
  auto it = brokers_.find(id);
  try {
    if (it == brokers_.end()) {
      if (brokers_.size() >= limit_) {
        ++left_out_;
        return;
      }
      it = brokers_.emplace(id, Endpoint{}).first;
    }
    if (it->second.host != host) it->second.host = host;
    it->second.port = port;
  } catch (const std::bad_alloc&) {
    ++left_out_;
  }
}

const Cluster::Leader* Cluster::leader(const TopicRef& topic, std::int32_t partition) const noexcept {
  return topic.id ? state_->by_id_.find(topic, partition) : state_->by_name_.find(topic, partition);
}

void Cluster::learn_leader(const TopicRef& topic, std::int32_t partition, const Leader& told) noexcept {
  try {
    const std::size_t most = std::min(limit_, Leaders::limit);
    if (topic.id && !state_->by_id_.learn(topic, partition, told, most)) ++left_out_;
    const TopicRef named{.name = topic.name, .id = nullptr};
    if (!topic.name.empty() && !state_->by_name_.learn(named, partition, told, most)) ++left_out_;
  } catch (const std::bad_alloc&) {
    ++left_out_;
  }
}

const Cluster::Advertised* Cluster::advertised(std::string_view server, std::int16_t api_key) const noexcept {
  const auto of_server = state_->advertised_.find(server);
  if (of_server == state_->advertised_.end()) return nullptr;
  const auto it = of_server->second.find(api_key);
  return it == of_server->second.end() ? nullptr : &it->second;
}

void Cluster::learn_advertised(std::string_view server, std::int16_t api_key, const Advertised& told) noexcept {
  constexpr std::size_t most_servers = 1024, most_apis = 1024;
  try {
    auto it = state_->advertised_.find(server);
    if (it == state_->advertised_.end()) {
      if (state_->advertised_.size() >= most_servers) {
        ++left_out_;
        return;
      }
      it = state_->advertised_.emplace(std::string(server), std::map<std::int16_t, Advertised>{}).first;
    }
    if (it->second.size() >= most_apis && !it->second.contains(api_key)) {
      ++left_out_;
      return;
    }
    it->second[api_key] = told;
  } catch (const std::bad_alloc&) {
    ++left_out_;
  }
}

}  // namespace kparse
