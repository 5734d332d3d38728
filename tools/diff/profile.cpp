// SPDX-License-Identifier: MIT
#include "diff/profile.h"

#include <algorithm>

#include <fmt/format.h>

namespace kparse::diff {
namespace {

/// Does the field say how a client is made or set up, and not what it works on?
bool tells_of_client(const Field& f) {
  switch (f.mark) {
    case Mark::topic:
    case Mark::topic_id:
    case Mark::partition:
    case Mark::group:
    case Mark::member:
    case Mark::generation:
    case Mark::transactional_id:
    case Mark::producer_id:
    case Mark::producer_epoch:
    case Mark::offset:
    case Mark::session_id:
    case Mark::session_epoch:
    case Mark::auth_bytes:
    case Mark::metadata:
    case Mark::assignment:
    case Mark::cluster_id:
    case Mark::host:
    case Mark::port:
    case Mark::config_value:
      return false;
    default:
      break;
  }
  if (f.secret || f.type == Type::records || f.type == Type::bytes || f.type == Type::uuid) return false;
  constexpr std::string_view workload[] = {"ffset", "imestamp", "Epoch", "epoch", "Id",   "Metadata", "reason",
                                           "key",   "Keys",     "value", "error", "name", "Names"};
  constexpr std::string_view settings[] = {"replicaId", "rackId", "keyType", "Type", "offsetScope"};
  const auto has = [&](std::string_view part) { return f.name.find(part) != f.name.npos; };
  if (f.mark != Mark::none) return true;
  if (std::any_of(std::begin(settings), std::end(settings), has)) return true;
  return std::none_of(std::begin(workload), std::end(workload), has);
}

std::vector<bool> telling_fields() {
  std::vector<bool> out(fields().size());
  for (const Message& m : messages()) {
    if (m.kind != Kind::request) continue;
    for (int n = m.root + 1; n <= m.root + field(m.root).below; ++n) {
      const Field& f = field(static_cast<NodeId>(n));
      out[static_cast<std::size_t>(n)] = f.type != Type::structure && tells_of_client(f);
    }
  }
  return out;
}

Interest interest_in(const std::vector<bool>& telling) {
  Interest i = Interest::nothing();
  for (std::size_t n = 0; n < telling.size(); ++n)
    if (telling[n]) i.add(static_cast<NodeId>(n));
  return i;
}

struct FieldSink : Sink {
  std::map<NodeId, FieldValues*>& by_node;
  Profile& profile;
  const Api& api;

  FieldSink(std::map<NodeId, FieldValues*>& b, Profile& p, const Api& a) noexcept : by_node(b), profile(p), api(a) {}

  void take(NodeId node, std::string text) {
    FieldValues*& values = by_node[node];
    if (!values) {
      char path[256];
      values = &profile.fields[{std::string(api.name), std::string(path_of(node, path))}];
    }
    ++values->seen;
    if (values->values.contains(text)) return;
    if (values->values.size() >= FieldValues::most) {
      values->more = true;
    } else {
      values->values.insert(std::move(text));
    }
  }
  void null(NodeId n, Bytes) noexcept { take(n, "null"); }
  void boolean(NodeId n, bool v, Bytes) noexcept { take(n, v ? "true" : "false"); }
  void integer(NodeId n, std::int64_t v, Bytes) noexcept { take(n, fmt::format("{}", v)); }
  void string(NodeId n, std::string_view v, Bytes) noexcept { take(n, fmt::format("\"{}\"", v.substr(0, 64))); }
};

}  // namespace

ProfileObserver::ProfileObserver() : telling_(telling_fields()), programs_(interest_in(telling_)) {}

void ProfileObserver::begin_request(const ConversationInfo& c, const Request& r) {
  if (!r.api || !r.header_whole) return;
  if (open_.size() < 100'000 || open_.contains(c.number)) {
    Start& start = open_[c.number];
    if (start.count < first_calls) {
      std::string call = fmt::format("{} v{}", r.api->name, r.version);
      if (call != start.last) {  // how often in a row depends on the work
        start.calls += (start.calls.empty() ? "" : ", ") + call;
        start.last = std::move(call);
        ++start.count;
      }
    }
  }
  if (!r.known || !r.api->request) return;
  FieldSink sink(by_node_, profile_, *r.api);
  (void)walk(programs_.get(layout_for(*r.api->request, r.version, r.body)), r.body, sink);
}

void ProfileObserver::settle(const Start& start) {
  if (start.calls.empty()) return;
  if (profile_.starts.size() >= max_starts && !profile_.starts.contains(start.calls)) {
    profile_.starts_more = true;
  } else {
    ++profile_.starts[start.calls];
  }
}

void ProfileObserver::on_close(const ConversationInfo& c, Stamp) {
  const auto it = open_.find(c.number);
  if (it == open_.end()) return;
  settle(it->second);
  open_.erase(it);
}

Profile ProfileObserver::finish() {
  for (const auto& [number, start] : open_) settle(start);
  open_.clear();
  return std::move(profile_);
}

}  // namespace kparse::diff
