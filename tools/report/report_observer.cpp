// SPDX-License-Identifier: MIT
#include "report/report_observer.h"

#include <algorithm>
#include <utility>

#include "kparse/same.h"

namespace kparse::report {
namespace {

constexpr std::int16_t key_produce = 0, key_fetch = 1, key_find_coordinator = 10, key_share_fetch = 78;
constexpr std::int16_t sasl_authentication_failed = 58;
constexpr std::uint64_t size_field = 4;
constexpr std::int64_t ms = 1'000'000;

bool moves_records(std::int16_t key) noexcept { return key == key_produce || key == key_fetch || key == key_share_fetch; }

ClientName name_of(const ConversationState::Client* client) { return client ? client->name : ClientName{}; }

bool same_topic(const TopicKey& key, const TopicRef& t) noexcept {
  if (t.id) return key.id && same_id(key.id->data(), t.id);
  return !key.id && same_text(key.name, t.name);
}

}  // namespace

void ReportData::merge(ReportData&& o) {
  seen.merge(o.seen);
  apis.merge(std::move(o.apis));
  topics.merge(std::move(o.topics));
  headers.merge(std::move(o.headers));
  clients.merge(std::move(o.clients));
  groups.merge(std::move(o.groups));
  servers.merge(std::move(o.servers));
  endpoints.merge(std::move(o.endpoints));
  errors.merge(std::move(o.errors));
  slowest.merge(std::move(o.slowest));
  tls.merge(std::move(o.tls));
  for (auto& [name, full] : o.event_limits) {
    FullTable& mine = event_limits[name];
    mine.limit = std::max(mine.limit, full.limit);
    mine.left_out += full.left_out;
  }
}

const HeaderRegister& no_register() {
  static const HeaderRegister none;
  return none;
}

ReportObserver::ReportObserver(const RecordOptions& options, const HeaderRegister& names, unsigned threads)
    : counter_(options, names) {
  if (threads > 1 && !options.draft)  // a draft's decoder is of one thread
    workers_ = std::make_unique<RecordWorkers>(threads - 1, options, names);
}
ReportObserver::~ReportObserver() = default;

ReportData ReportObserver::finish() {
  for (auto& [number, conversation] : conversations_) close(*conversation, {});
  conversations_.clear();
  last_conversation_ = nullptr;
  last_topic_ = nullptr;
  now_ = {};
  if (workers_) workers_->finish(data_);
  workers_.reset();
  ReportData out;
  std::swap(out, data_);
  return out;
}

ConversationState& ReportObserver::state_of(const ConversationInfo& info) {
  if (last_conversation_ && last_number_ == info.number) [[likely]] return *last_conversation_;
  auto& state = conversations_[info.number];
  if (!state) state = std::make_unique<ConversationState>(info);
  last_number_ = info.number;
  last_conversation_ = state.get();
  return *state;
}

void ReportObserver::begin_request(const ConversationInfo& info, const Request& r) {
  ConversationState& c = state_of(info);
  now_ = {};
  group_told_ = false;
  const std::uint64_t bytes = r.frame.size + size_field;
  ++data_.seen.requests;
  ++c.requests;
  ++c.from_client;
  c.request_bytes += bytes;
  ConversationState::Client& client = c.request(r, data_.clients, key_);
  client.called(api_version(r.api_key, r.version));
  ApiRow& api = data_.apis.row(r.api_key, r.api);
  ++api.requests;
  api.request_bytes += bytes;
  if (!r.answer_expected) {
    ++data_.seen.no_answer_due;
    ++api.no_answer_due;
  }
  ++api.versions[r.version];
  now_.conversation = &c;
  now_.client = now_.sender = &client;
  now_.api = &api;
  now_.version = r.version;
  now_.first = r.frame.first;
}

void ReportObserver::frame_error(const Frame& frame, const Error& error, bool request) {
  if (!error) return;
  ++data_.seen.undecoded;
  if (!frame.whole()) {
    ++data_.seen.incomplete;
  } else if (error.code == Code::unknownApi || error.code == Code::unknownVersion) {
    ++data_.seen.unknown_frames;
  }
  if (request && (error.code == Code::unknownApi || error.code == Code::unknownVersion)) ++data_.seen.unknown;
}

void ReportObserver::end_request(const ConversationInfo&, const Request& r, const Error& error) {
  frame_error(r.frame, error, true);
  now_ = {};
}

void ReportObserver::begin_response(const ConversationInfo& info, const Response& r) {
  ConversationState& c = state_of(info);
  now_ = {};
  group_told_ = false;
  const std::uint64_t bytes = r.frame.size + size_field;
  ++data_.seen.responses;
  ++c.responses;
  ++c.from_server;
  c.response_bytes += bytes;
  now_.conversation = &c;
  now_.response = true;
  now_.first = r.frame.first;
  now_.version = r.version;
  if (!r.matched) return;
  ++data_.seen.matched;
  ApiRow& api = data_.apis.row(r.api_key, r.api);
  ++api.responses;
  api.response_bytes += bytes;
  if (!r.expected) {  // answered all the same
    --data_.seen.no_answer_due;
    --api.no_answer_due;
  }
  now_.api = &api;
  now_.client = c.client_of(r.serial);
}

void ReportObserver::end_response(const ConversationInfo& info, const Response& r, const Error& error) {
  frame_error(r.frame, error, false);
  if (r.matched) {
    if (now_.failed) ++now_.api->failed;
    add_latency(info, r);
  }
  now_ = {};
}

void ReportObserver::add_latency(const ConversationInfo& info, const Response& r) {
  ApiRow& api = *now_.api;
  api.latency.add(r.latency_ns);
  if (!r.timed()) return;
  const std::int64_t wait = now_.max_wait_ms > 0 ? now_.max_wait_ms * ms : 0;
  // Empty after nearly all the time that the client allowed: the broker had nothing, it was not slow.
  if (now_.may_wait && !now_.data_came && wait > 0 && r.latency_ns >= wait - wait / 10) {
    ++api.long_polls;
    return;
  }
  api.own_latency.add(r.latency_ns);
  api.first_byte.add(r.first_byte_ns);
  // A fetch may wait for data as long as the client allows. Only past that, with a margin, it was slow.
  if (now_.may_wait && r.latency_ns < wait + std::max(wait / 2, 50 * ms)) return;
  if (!data_.slowest.may_enter(r.latency_ns)) return;
  data_.slowest.add({.api_key = r.api_key,
                     .version = r.request_version,
                     .api = r.api,
                     .latency_ns = r.latency_ns,
                     .first_byte_ns = r.first_byte_ns,
                     .request = r.request_first,
                     .request_last = r.request_last,
                     .response = r.frame.first,
                     .last = r.frame.last,
                     .conversation = info.number,
                     .max_wait_ms = now_.max_wait_ms,
                     .client = name_of(now_.client)});
}

void ReportObserver::on_error(const ErrorSeen& e) {
  if (!now_.api) return;
  now_.failed = true;
  if (e.code == sasl_authentication_failed) now_.conversation->refused = true;
  ++now_.api->errors[e.code];
  key_.clear().number(now_.api->key).number(e.code);
  add_topic(key_, e.topic);
  key_.number(e.partition).text(e.group);
  if (ErrorTable::Slot* slot = data_.errors.find_or_add(key_.view())) {
    ErrorRow& row = slot->row;
    const bool fresh = row.count++ == 0;
    if (fresh) {
      row.api_key = now_.api->key;
      row.code = e.code;
      row.topic = TopicKey::of(e.topic);
      row.partition = e.partition;
      row.group = e.group;
    }
    if (fresh || earlier(now_.first, row.first)) {
      row.first = now_.first;
      row.first_client = name_of(now_.client);
    }
    row.clients.add(name_of(now_.client));
  }
  if (e.group.empty()) return;
  key_.clear().text(e.group);
  if (GroupTable::Slot* slot = data_.groups.find_or_add(key_.view())) {
    slot->row.group = e.group;
    ++slot->row.mentions;
    ++slot->row.errors;
  }
}

TopicTable::Slot* ReportObserver::topic(const TopicRef& t) {
  if (last_topic_ && last_topic_->uid == last_topic_uid_ && same_topic(last_topic_->row.topic, t)) [[likely]] return last_topic_;
  key_.clear();
  add_topic(key_, t);
  TopicTable::Slot* slot = data_.topics.find_or_add(key_.view());
  if (!slot) return nullptr;
  if (slot->row.mentions == 0) slot->row.topic = TopicKey::of(t);
  last_topic_ = slot;
  last_topic_uid_ = slot->uid;
  return slot;
}

// The hosts of clients are as many as conversations, so once for each of these is enough.
void ReportObserver::meet(TopicTable::Slot& slot, bool produced) {
  ++slot.row.mentions;
  if (!now_.conversation || !now_.client || !now_.conversation->first_meeting(slot.uid, produced, now_.client)) return;
  TopicFlow& flow = produced ? slot.row.produced : slot.row.fetched;
  flow.clients.add({now_.client->name, now_.conversation->host});
}

void ReportObserver::on_records(const RecordsSeen& r) {
  TopicTable::Slot* const slot = r.via == Via::snapshot ? nullptr : topic(r.topic);
  if (slot) {
    meet(*slot, r.via == Via::produce);
    slot->row.partitions.add(r.partition);
  }
  if (workers_) return workers_->add(r);
  counter_.count(r, slot ? &slot->row : nullptr, data_.headers, data_.seen, listener_);
  if (listener_) listener_->end_records();
  if (r.also) r.also->end_records();
}

void ReportObserver::on_partition(const PartitionSeen& p) {
  if (!now_.api || !moves_records(now_.api->key)) return;
  if (TopicTable::Slot* slot = topic(p.topic)) {
    meet(*slot, now_.api->key == key_produce);
    slot->row.partitions.add(p.partition);
  }
}

void ReportObserver::on_group(const GroupSeen& g) {
  const bool told = group_told_ && last_group_ == g.group;
  key_.clear().text(g.group);
  GroupTable::Slot* slot = data_.groups.find_or_add(key_.view());
  if (!slot) return;
  GroupRow& row = slot->row;
  ++row.mentions;
  row.group = g.group;
  if (!g.member.empty()) row.members.add(std::string(g.member));
  if (told || now_.response || !now_.api) return;
  last_group_ = g.group;
  group_told_ = true;
  row.calls.add(api_version(now_.api->key, now_.version));
  if (now_.client) row.clients.add({now_.client->name, now_.conversation->host});
  if (now_.api->key != key_find_coordinator) row.coordinators.add(now_.conversation->server);
}

void ReportObserver::on_broker(const BrokerSeen& b) {
  if (b.host.empty()) return;
  key_.clear().number(b.id).text(b.host).number(b.port);
  EndpointTable::Slot* slot = data_.endpoints.find_or_add(key_.view());
  if (!slot) return;
  EndpointRow& row = slot->row;
  if (row.mentions++ == 0) {
    row.id = b.id;
    row.host = b.host;
    row.port = b.port;
  }
  if (now_.conversation) row.told_by.add(now_.conversation->server);
}

void ReportObserver::on_client_software(const ClientSoftwareSeen& s) {
  if (now_.sender && !s.name.empty()) now_.conversation->software(*now_.sender, s, data_.clients, key_);
}

void ReportObserver::on_principal(const PrincipalSeen& p) {
  if (!now_.conversation) return;
  now_.conversation->authenticated = true;
  now_.conversation->refused = false;
  now_.conversation->mechanism = p.mechanism;
  if (!p.user.empty()) now_.conversation->principal = p.user;
}

void ReportObserver::on_long_poll(std::int32_t max_wait_ms, bool data_came) {
  now_.may_wait = true;
  now_.max_wait_ms = max_wait_ms;
  now_.data_came = data_came;
}

void ReportObserver::on_throttle(std::int32_t) { ++data_.seen.throttled; }

void ReportObserver::on_sasl(const ConversationInfo& info, const SaslToken& t) {
  ConversationState& c = state_of(info);
  ++c.tokens;
  ++(t.frame.from == Side::client ? c.from_client : c.from_server);
  ++data_.seen.sasl_tokens;
}

void ReportObserver::on_gap(const ConversationInfo& info, const Gap& g) {
  ConversationState& c = state_of(info);
  ++c.gaps;
  c.lost_bytes += g.bytes;
  if (g.cut) c.cut_bytes += g.bytes;
}

void ReportObserver::on_resync(const ConversationInfo& info, Side, std::uint64_t) { ++state_of(info).resyncs; }

void ReportObserver::on_other(const ConversationInfo& c, Side, std::string_view what, Stamp) {
  if (c.tls != nullptr && what == "TLS") {
    tls_.insert(c.number);
    if (c.tls->opened()) ++data_.seen.tls_opened;
  }
  const auto found = data_.seen.others.find(what);
  if (found != data_.seen.others.end()) {
    ++found->second;
  } else {
    data_.seen.others.emplace(what, 1);
  }
}

void ReportObserver::on_limit(const LimitReached& l) {
  FullTable& full = data_.event_limits[std::string(l.table)];
  full.limit = std::max(full.limit, l.limit);
  full.left_out += l.left_out;
}

void ReportObserver::on_close(const ConversationInfo& info, Stamp) {
  if (tls_.erase(info.number) > 0) add_tls(data_.tls, key_, info.server, *info.tls);
  const auto found = conversations_.find(info.number);
  if (found == conversations_.end()) {
    ++data_.seen.conversations;
    return;
  }
  close(*found->second, info.proxied);
  if (last_conversation_ == found->second.get()) last_conversation_ = nullptr;
  conversations_.erase(found);
}

void ReportObserver::close(ConversationState& c, std::string_view proxied) {
  Seen& seen = data_.seen;
  ++seen.conversations;
  if (c.from_client + c.from_server == 0) return;
  ++seen.kafka_conversations;
  if (c.from_client == 0 || c.from_server == 0) ++seen.one_way;
  if (c.role_guessed) ++seen.roles_guessed;
  if (!proxied.empty()) ++seen.proxied;
  seen.lost_bytes += c.lost_bytes;
  seen.cut_bytes += c.cut_bytes;
  if (c.gaps > 0) ++seen.lossy_conversations;
  seen.resyncs += c.resyncs;
  key_.clear().text(c.server);
  if (ServerTable::Slot* slot = data_.servers.find_or_add(key_.view())) {
    ServerRow& row = slot->row;
    row.address = c.server;
    ++row.connections;
    row.requests += c.requests;
    row.responses += c.responses;
    row.request_bytes += c.request_bytes;
    row.response_bytes += c.response_bytes;
  }
  c.close(proxied, data_.clients, key_);
}

}  // namespace kparse::report
