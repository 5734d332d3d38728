// SPDX-License-Identifier: MIT
#include "kparse/interpreter.h"

#include <new>
#include <string>

#include "kparse/decode.h"
#include "kparse/payload.h"
#include "session/body_sink.h"
#include "session/detail_reader.h"
#include "session/metadata_topics.h"
#include "session/request_memory.h"
#include "session/roles.h"
#include "session/snapshot_joiner.h"

namespace kparse {
namespace {

constexpr int key_produce = 0, key_fetch = 1, key_sasl_handshake = 17, key_sasl_authenticate = 36,
              key_fetch_snapshot = 59, key_share_fetch = 78;

Via via_of(int api_key) noexcept {
  switch (api_key) {
    case key_produce:
      return Via::produce;
    case key_share_fetch:
      return Via::share_fetch;
    case key_fetch_snapshot:
      return Via::snapshot;
    default:
      return Via::fetch;
  }
}

/// Why a frame's body isn't walked.
Error unread(const Api* api, std::int16_t key, std::int16_t version, bool known) noexcept {
  if (known) return {.code = Code::badLength, .limit = Limit::header};
  if (!api) return {.code = Code::unknownApi, .have = static_cast<std::uint64_t>(key)};
  return {.code = Code::unknownVersion, .have = static_cast<std::uint64_t>(version)};
}

/// The mechanism that a client's first token is of, where no handshake named it; "" where the token doesn't tell.
std::string_view mechanism_of(Bytes token) noexcept {
  if (!token.empty() && token[0] == 0x60) return "GSSAPI";
  const std::string_view t = text(token);
  if (t.find("auth=Bearer") != t.npos) return "OAUTHBEARER";
  if (t.starts_with("n,") || t.starts_with("y,")) return "SCRAM";
  return t.find('\0') != t.npos ? "PLAIN" : "";
}

/// Bytes that the capture lacks are the cause; where decoding ran into that is what the walk tells.
Error both(const Error& frame, const Error& walk) noexcept {
  if (!frame || !walk) return frame ? frame : walk;
  Error e = frame;
  e.node = walk.node;
  e.offset = walk.offset;
  return e;
}

}  // namespace

std::string_view name_of(Via v) noexcept {
  switch (v) {
    case Via::produce:
      return "produce";
    case Via::fetch:
      return "fetch";
    case Via::share_fetch:
      return "shareFetch";
    case Via::snapshot:
      return "snapshot";
  }
  return "";
}

struct InterpreterPrograms::Impl {
  std::vector<Role> roles = make_roles();
  ProgramSet programs{interest_in(roles)};
  MetadataTopics metadata;
  std::unique_ptr<DetailPrograms> details;   ///< made when the first observer wants any
};

InterpreterPrograms::InterpreterPrograms() : impl_(std::make_unique<Impl>()) {}
InterpreterPrograms::~InterpreterPrograms() = default;
InterpreterPrograms::InterpreterPrograms(InterpreterPrograms&&) noexcept = default;

struct Interpreter::State {
  RequestMemory requests;
  SnapshotJoiner snapshots;
  std::string mechanism;       ///< of the last SaslHandshake
  bool token_awaited = false;  ///< the next token of the client is the first one of an exchange
  std::string user;            ///< from a raw token: belongs to the next request
  bool user_known = false;
  bool errors = false;         ///< the answer at hand tells of any
  std::unique_ptr<DetailReader> details;
};

Interpreter::Interpreter(const ConversationInfo& info, Cluster& cluster, InterpreterPrograms& programs,
                         Observer& observer, const InterpreterOptions& options)
    : info_(info), cluster_(cluster), programs_(programs.impl()), observer_(observer), options_(options),
      wants_(options.bodies ? observer.wants() : Wants::basics) {}

Interpreter::~Interpreter() = default;

void Interpreter::speaks_kafka() {
  if (announced_) return;
  announced_ = true;
  state_ = std::make_unique<State>();
  if (wants_ != Wants::basics && wants_ != Wants::segments) {
    if (!programs_.details) programs_.details = std::make_unique<DetailPrograms>();
    state_->details = std::make_unique<DetailReader>(info_, cluster_, *programs_.details, observer_, wants_);
  }
  observer_.on_conversation(info_);
}

Error Interpreter::walk_body(const Message& message, int version, Bytes body, std::uint64_t serial, bool response) {
  const RequestFacts* facts = response ? state_->requests.find(serial) : nullptr;
  BodySink sink({.roles = programs_.roles.data(),
                 .cluster = cluster_,
                 .observer = observer_,
                 .snapshots = state_->snapshots,
                 .via = via_of(message.api_key),
                 .response = response,
                 .serial = serial,
                 .group = facts ? std::string_view(facts->group) : std::string_view{},
                 .learn = [](void* self, const RecordsSeen& r) noexcept { static_cast<Interpreter*>(self)->learn(r); },
                 .batches = state_->details ? state_->details->batches() : nullptr,
                 .with = this});
  const Layout layout = layout_for(message, version, body);
  const Error error = sink.read(programs_.programs.get(layout), body);
  if (response) {
    answered(message.api_key, facts, sink.findings());
    state_->errors = sink.findings().errors;
  } else {
    asked(message.api_key, serial, sink.findings());
  }
  return error;
}

void Interpreter::learn(const RecordsSeen& r) noexcept {
  if (r.via == Via::produce || r.records.empty()) return;
  const std::string_view area = MetadataTopics::area_of(r.topic.name);
  if (!area.empty()) programs_.metadata.learn(r.records, area, cluster_, observer_);
}

void Interpreter::asked(int api_key, std::uint64_t serial, const BodyFindings& found) {
  State& s = *state_;
  if (found.has_wait || (!found.group.empty() && found.group.size() <= RequestMemory::max_group)) {
    if (RequestFacts* facts = s.requests.put(serial)) {
      facts->has_wait = found.has_wait;
      facts->max_wait_ms = found.max_wait_ms;
      facts->group = found.group.size() <= RequestMemory::max_group ? found.group : std::string_view{};
    }
  }
  if (!found.software_name.empty()) {
    observer_.on_client_software({.name = found.software_name, .version = found.software_version});
  }
  if (api_key == key_sasl_handshake) {
    s.mechanism = found.mechanism;
    s.token_awaited = true;
  } else if (api_key == key_sasl_authenticate && found.has_auth && s.token_awaited) {
    s.token_awaited = false;
    const std::string user = sasl_user(s.mechanism, found.auth_bytes);
    observer_.on_principal({.mechanism = s.mechanism, .user = user});
  }
}

void Interpreter::answered(int api_key, const RequestFacts* facts, const BodyFindings& found) {
  if (facts && facts->has_wait && (api_key == key_fetch || api_key == key_share_fetch)) {
    observer_.on_long_poll(facts->max_wait_ms, found.data);
  }
}

void Interpreter::on_request(const Request& r) {
  speaks_kafka();
  observer_.begin_request(info_, r);
  if (state_->user_known) {
    state_->user_known = false;
    observer_.on_principal({.mechanism = state_->mechanism, .user = state_->user});
  }
  Error error = r.frame.error;
  if (r.known && r.header_whole && r.api && r.api->request) {
    if (options_.bodies) error = both(error, walk_body(*r.api->request, r.version, r.body, r.serial, false));
    if (state_->details) state_->details->request(r);
  } else if (!error) {
    error = unread(r.api, r.api_key, r.version, r.known);
  }
  observer_.end_request(info_, r, error);
}

void Interpreter::on_response(const Response& r) {
  speaks_kafka();
  observer_.begin_response(info_, r);
  Error error = r.frame.error;
  if (r.matched) {
    if (r.known && r.header_whole && r.api && r.api->response) {
      if (options_.bodies) error = both(error, walk_body(*r.api->response, r.version, r.body, r.serial, true));
      if (state_->details) state_->details->response(r, state_->errors);
    } else if (!error) {
      error = unread(r.api, r.api_key, r.version, r.known);
    }
    state_->requests.forget(r.serial);
  }
  observer_.end_response(info_, r, error);
}

void Interpreter::on_sasl(const SaslToken& t) {
  speaks_kafka();
  State& s = *state_;
  if (t.frame.from == Side::client && (s.token_awaited || s.mechanism.empty()) && t.frame.whole()) {
    s.token_awaited = false;
    s.mechanism = t.mechanism.empty() ? mechanism_of(t.frame.data) : t.mechanism;
    s.user = sasl_user(s.mechanism, t.frame.data);
    s.user_known = true;
  }
  observer_.on_sasl(info_, t);
}

void Interpreter::on_gap(const Gap& g) { observer_.on_gap(info_, g); }

void Interpreter::on_other(Side from, std::string_view what, Stamp at) { observer_.on_other(info_, from, what, at); }

void Interpreter::on_not_a_frame(const NotAFrame& n) { observer_.on_not_a_frame(info_, n); }

void Interpreter::on_unanswered(std::uint64_t serial) {
  if (state_) state_->requests.forget(serial);
  observer_.on_unanswered(info_, serial);
  if (state_ && state_->details) state_->details->unanswered(serial);
}

void Interpreter::on_resync(Side side, std::uint64_t skipped, Stamp) { observer_.on_resync(info_, side, skipped); }

void Interpreter::on_close(Stamp at) {
  if (state_ && state_->requests.left_out() > 0) {
    observer_.on_limit({.table = "open requests of a connection",
                        .limit = RequestMemory::max_requests,
                        .left_out = state_->requests.left_out()});
  }
  if (state_ && state_->details) state_->details->tell_limits();
  observer_.on_close(info_, at);
}

}  // namespace kparse
