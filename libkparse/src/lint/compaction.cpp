// SPDX-License-Identifier: MIT
#include "lint/compaction.h"

#include "kparse/node.h"
#include "kparse/walker.h"

namespace kparse::lint {
namespace {

namespace create = node::create_topics_request::topics;
namespace config = node::describe_configs_response::results;

constexpr std::int16_t key_create_topics = 19, key_describe_configs = 32;
constexpr std::int64_t resource_topic = 2;

template <class Add>
struct PolicySink : Sink {
  explicit PolicySink(Add a) : add(a) {}
  Add add;
  std::string_view topic, name;
  std::int64_t type = resource_topic;

  void integer(NodeId n, std::int64_t v, Bytes) noexcept {
    if (n == config::resource_type) type = v;
  }
  void string(NodeId n, std::string_view v, Bytes) noexcept {
    if (n == create::name || n == config::resource_name) {
      topic = v;
    } else if (n == create::configs::name || n == config::configs::name) {
      name = v;
    } else if (name == "cleanup.policy" && type == resource_topic && v.find("compact") != v.npos) {
      add(topic);
    }
  }
};

Interest created() {
  Interest i = Interest::nothing();
  for (const NodeId n : {create::name, create::configs::name, create::configs::value}) i.add(n);
  return i;
}

Interest described() {
  Interest i = Interest::nothing();
  for (const NodeId n : {config::resource_type, config::resource_name, config::configs::name, config::configs::value})
    i.add(n);
  return i;
}

}  // namespace

Compaction::Compaction(Desk& d) : room_(d, "compacted topics"), created_(created()), described_(described()) {}

void Compaction::request(const Request& r) {
  if (r.api_key != key_create_topics || !r.known) return;
  PolicySink sink([this](std::string_view t) { add(t); });
  (void)walk(created_.get(*r.api->request, r.version), r.body, sink);
}

void Compaction::response(const Response& r) {
  if (r.api_key != key_describe_configs || !r.known || !r.matched) return;
  PolicySink sink([this](std::string_view t) { add(t); });
  (void)walk(described_.get(*r.api->response, r.version), r.body, sink);
}

}  // namespace kparse::lint
