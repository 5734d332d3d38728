// SPDX-License-Identifier: MIT
#include "story/people.h"

namespace kparse::story {

std::string clipped(std::string_view text, std::size_t most) {
  return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "...";
}

std::string_view host_of(std::string_view endpoint) noexcept {
  if (endpoint.starts_with('[')) {
    const auto end = endpoint.find(']');
    return end == endpoint.npos ? endpoint : endpoint.substr(1, end - 1);
  }
  return endpoint.substr(0, endpoint.rfind(':'));
}

Person& People::open(std::uint64_t conversation) {
  if (last_ && last_number_ == conversation) return *last_;
  std::unique_ptr<Person>& mine = open_[conversation];
  if (!mine) mine = std::make_unique<Person>();
  last_ = mine.get();
  last_number_ = conversation;
  return *last_;
}

void People::request(const ConversationInfo& c, const Request& r) {
  if (r.same_client) return;
  Person& p = open(c.number);
  if (p.address.empty()) {
    p.address = c.proxied.empty() ? c.client : c.proxied;
    p.server = c.server;
  }
  if (!r.header_whole || (p.client_id == r.client_id && p.client_id_null == r.client_id_null)) return;
  p.client_id = clipped(r.client_id);
  p.client_id_null = r.client_id_null;
}

void People::software(const ConversationInfo& c, const ClientSoftwareSeen& s) {
  Person& p = open(c.number);
  p.software = clipped(s.name, 128);
  p.software_version = clipped(s.version, 128);
  if (software_.size() >= max_software) return;
  software_[{std::string(host_of(c.client)), p.client_id}] = {p.software, p.software_version};
}

void People::close(const ConversationInfo& c) {
  open_.erase(c.number);
  last_ = nullptr;
}

std::string_view People::client_id(const ConversationInfo& c) const {
  if (last_ && last_number_ == c.number) return last_->client_id;
  const auto it = open_.find(c.number);
  return it == open_.end() ? std::string_view{} : std::string_view(it->second->client_id);
}

Person People::of(const ConversationInfo& c) const {
  Person p;
  if (const auto it = open_.find(c.number); it != open_.end()) p = *it->second;
  if (p.address.empty()) {
    p.address = c.proxied.empty() ? c.client : c.proxied;
    p.server = c.server;
  }
  if (!p.software.empty() || p.client_id_null) return p;
  const auto it = software_.find({std::string(host_of(c.client)), p.client_id});
  if (it == software_.end()) return p;
  p.software = it->second.name;
  p.software_version = it->second.version;
  return p;
}

}  // namespace kparse::story
