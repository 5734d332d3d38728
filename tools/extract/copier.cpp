// SPDX-License-Identifier: MIT
#include "extract/copier.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace kparse::cli {
namespace {

enum : int { a_request, a_response, a_token };
constexpr std::size_t first_part = 1448;

std::uint64_t hash(Bytes b) { return std::hash<std::string_view>()(text(b)); }

FramePrint print_of(const Request& r) {
  return {.kind = a_request, .api_key = r.api_key, .version = r.version, .correlation_id = r.correlation_id, .error = r.frame.error.code};
}
FramePrint print_of(const Response& r) {
  return {.kind = a_response, .api_key = r.matched ? r.api_key : std::int16_t{-1}, .version = r.matched ? r.version : std::int16_t{-1},
          .correlation_id = r.correlation_id, .matched = r.matched, .error = r.frame.error.code};
}
FramePrint print_of(const SaslToken& t) { return {.kind = a_token, .error = t.frame.error.code}; }

void set_bytes(FramePrint& p, Bytes data) {
  p.size = data.size();
  p.bytes = hash(data);
  if (p.error == Code::cut) p.error = Code::lost;  // what a snapshot length cut, the copy just lacks
}

void put(FramePrints& to, std::size_t place, Side from, const FramePrint& p) {
  if (to.size() <= place) to.resize(place + 1);
  to[place][from == Side::client ? 0 : 1].push_back(p);
}

}  // namespace

void PrintTaker::end_request(const ConversationInfo& c, const Request& r, const Error&) {
  FramePrint p = print_of(r);
  set_bytes(p, r.frame.data);
  put(prints_, places_.try_emplace(c.number, places_.size()).first->second, Side::client, p);
}
void PrintTaker::end_response(const ConversationInfo& c, const Response& r, const Error&) {
  FramePrint p = print_of(r);
  set_bytes(p, r.frame.data);
  put(prints_, places_.try_emplace(c.number, places_.size()).first->second, Side::server, p);
}
void PrintTaker::on_sasl(const ConversationInfo& c, const SaslToken& t) {
  FramePrint p = print_of(t);
  set_bytes(p, t.frame.data);
  put(prints_, places_.try_emplace(c.number, places_.size()).first->second, t.frame.from, p);
}

Copier::Talk& Copier::talk(const ConversationInfo& c, const Stamp& at) {
  const auto [entry, fresh] = talks_.try_emplace(c.number);
  Talk& t = entry->second;
  if (!fresh) return t;
  t.place = prints_.size();
  prints_.emplace_back();
  t.connection.number = c.number;
  t.connection.client = capture::parse_endpoint(c.client).value_or(capture::Endpoint{});
  t.connection.server = capture::parse_endpoint(c.server).value_or(capture::Endpoint{});
  if (redactor_ != nullptr) {
    t.connection.client = redactor_->address(t.connection.client);
    t.connection.server = redactor_->address(t.connection.server);
  }
  packets_.begin(t.connection, at);
  return t;
}

void Copier::write(const ConversationInfo& c, const Frame& f, FramePrint print) {
  const auto not_back = [this](Stamp s) {
    last_time_ = s.time_ns = std::max(s.time_ns, last_time_);
    return s;
  };
  Talk& t = talk(c, not_back(f.first));
  const bool up = f.from == Side::client;
  Bytes all = frame_.view();
  set_bytes(print, all.subspan(std::min<std::size_t>(4, all.size())));
  put(prints_, t.place, f.from, print);
  if (f.first.packet != f.last.packet && all.size() > 8) {
    const std::size_t n = std::min(first_part, all.size() / 2);
    packets_.data(t.connection, up, 0, all.first(n), not_back(f.first));
    all = all.subspan(n);
  }
  packets_.data(t.connection, up, 0, all, not_back(f.whole() ? f.completed : f.last));
  const std::uint64_t missing = f.size > f.data.size() ? f.size - f.data.size() : 0;
  if (missing > 0) packets_.missing(t.connection, up, {.bytes = missing, .wire = missing, .shown = f.last}, f.last);
}

void Copier::end_request(const ConversationInfo& c, const Request& r, const Error&) {
  if (!selection_.has(key_of(c, r.frame))) return;
  frame_.clear();
  if (redactor_ != nullptr) {
    redactor_->request(c.number, r, frame_);
  } else {
    frame_.be(static_cast<std::int32_t>(r.frame.size));
    frame_.bytes(r.frame.data);
  }
  write(c, r.frame, print_of(r));
}

void Copier::end_response(const ConversationInfo& c, const Response& r, const Error&) {
  if (!selection_.has(key_of(c, r.frame))) return;
  frame_.clear();
  if (redactor_ != nullptr) {
    redactor_->response(c.number, r, frame_);
  } else {
    frame_.be(static_cast<std::int32_t>(r.frame.size));
    frame_.bytes(r.frame.data);
  }
  write(c, r.frame, print_of(r));
}

void Copier::on_sasl(const ConversationInfo& c, const SaslToken& t) {
  if (!selection_.has(key_of(c, t.frame))) return;
  frame_.clear();
  if (redactor_ != nullptr) {
    redactor_->token(t, frame_);
  } else {
    frame_.be(static_cast<std::int32_t>(t.frame.size));
    frame_.bytes(t.frame.data);
  }
  write(c, t.frame, print_of(t));
}

void Copier::on_close(const ConversationInfo& c, Stamp at) {
  if (redactor_ != nullptr) redactor_->forget(c.number);
  const auto t = talks_.find(c.number);
  if (t == talks_.end()) return;
  at.time_ns = std::max(at.time_ns, last_time_);
  packets_.close(t->second.connection, at);
  talks_.erase(t);
}

}  // namespace kparse::cli
