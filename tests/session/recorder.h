// SPDX-License-Identifier: MIT
// An observer that writes down what it is told, a line an event.
#pragma once

#include <string>
#include <vector>

#include "kparse/events.h"

namespace kparse::test {

class Recorder : public Observer {
 public:
  std::vector<std::string> lines;

  /// The lines that begin with `word`.
  [[nodiscard]] std::vector<std::string> of(const std::string& word) const {
    std::vector<std::string> out;
    for (const std::string& l : lines)
      if (l.starts_with(word + " ") || l == word) out.push_back(l);
    return out;
  }

  void on_conversation(const ConversationInfo& c) override { say("conversation", c.client); }
  void begin_request(const ConversationInfo&, const Request& r) override { say("request", r.api ? r.api->name : "?", r.version); }
  void end_request(const ConversationInfo&, const Request&, const Error& e) override { end(e); }
  void begin_response(const ConversationInfo&, const Response& r) override { say("response", r.api ? r.api->name : "?"); }
  void end_response(const ConversationInfo&, const Response&, const Error& e) override { end(e); }
  void on_error(const ErrorSeen& e) override { say("error", e.code, topic(e.topic), e.partition, e.group); }
  void on_acks(std::int16_t a) override { say("acks", a); }
  void on_transactional_id(std::string_view t) override { say("transaction", t); }
  void on_records(const RecordsSeen& r) override {
    say("records", name_of(r.via), topic(r.topic), r.partition, r.records.size(), r.position, r.unread);
  }
  void on_produce_answered(const ProduceAnswered& p) override {
    say("answered", p.request_serial, topic(p.topic), p.partition, p.error, p.base_offset, p.log_append_time);
  }
  void on_partition(const PartitionSeen& p) override { say("partition", topic(p.topic), p.partition); }
  void on_topic_id(const TopicIdSeen& t) override { say("id", t.name, int{t.id[0]}); }
  void on_group(const GroupSeen& g) override { say("group", g.group, g.member); }
  void on_broker(const BrokerSeen& b) override { say("broker", b.id, b.host, b.port); }
  void on_client_software(const ClientSoftwareSeen& s) override { say("software", s.name, s.version); }
  void on_principal(const PrincipalSeen& p) override { say("principal", p.mechanism, p.user); }
  void on_long_poll(std::int32_t wait, bool data) override { say("poll", wait, data ? "data" : "none"); }
  void on_throttle(std::int32_t ms) override { say("throttle", ms); }
  void on_unanswered(const ConversationInfo&, std::uint64_t s) override { say("unanswered", s); }
  void on_sasl(const ConversationInfo&, const SaslToken& t) override { say("sasl", t.frame.data.size()); }
  void on_limit(const LimitReached& l) override { say("limit", l.limit, l.left_out); }
  void on_close(const ConversationInfo&, Stamp) override { say("close"); }

 private:
  static std::string topic(const TopicRef& t) {
    std::string s = t.name.empty() ? "-" : std::string(t.name);
    return t.id ? s + "/" + std::to_string(t.id[0]) : s;
  }
  static std::string text(std::string_view s) { return std::string(s); }
  template <class T>
    requires std::integral<T>
  static std::string text(T v) {
    return std::to_string(v);
  }
  template <class... Parts>
  void say(std::string_view first, const Parts&... parts) {
    std::string line(first);
    ((line += " " + text(parts)), ...);
    lines.push_back(line);
  }
  void end(const Error& e) { e ? say("end", name_of(e.code)) : say("end"); }
};

}  // namespace kparse::test
