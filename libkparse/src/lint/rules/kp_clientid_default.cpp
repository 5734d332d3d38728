// SPDX-License-Identifier: MIT
#include <algorithm>

#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr std::string_view fixed[] = {"rdkafka",         "sarama",  "kafkajs",      "kgo",        "no-kafka-client",
                                      "pykafka",         "rskafka", "ruby-kafka",   "kafka-node-client", "kafka-go",
                                      "confluent-kafka", "brod",    "kafka-client", "franz-go",   "kafka-rust"};
/// With what must follow: a version, or a number at the end.
constexpr std::string_view versioned[] = {"kafka-python-", "aiokafka-"};
constexpr std::string_view numbered[] = {"producer-", "consumer-", "adminclient-"};

bool digits_at_end(std::string_view s) {
  const std::size_t dash = s.rfind('-');
  const std::string_view n = s.substr(dash + 1);
  return dash != s.npos && !n.empty() && std::ranges::all_of(n, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_default(std::string_view id) {
  if (std::ranges::find(fixed, id) != std::ranges::end(fixed)) return true;
  for (const std::string_view p : versioned)
    if (id.starts_with(p)) return true;
  for (const std::string_view p : numbered)
    if (id.starts_with(p) && digits_at_end(id)) return true;
  return id.ends_with("(github.com/segmentio/kafka-go)");
}

class ClientIdDefault final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn& c, const Request& r) override {
    if (r.client_id.empty()) return;
    if (r.client_id != last_) {   // requests come in runs
      last_ = r.client_id;
      last_is_default_ = is_default(last_);
    }
    if (!last_is_default_ || c.inter_broker) return;
    hit({}, [&](Text& t) { t << c.client() << " uses the default client id \"" << Quoted{r.client_id} << "\"."; });
  }

 private:
  std::string last_;
  bool last_is_default_ = false;
};

}  // namespace

KPARSE_RULE(kp_clientid_default, ClientIdDefault, .id = "KP-CLIENTID-DEFAULT", .severity = Severity::info,
            .scope = RuleScope::client,
            .condition = "The client id is one that a client library takes when none is set: rdkafka, sarama, kafkajs, kgo, "
                         "kafka-python-*, aiokafka-*, producer-N, consumer-*-N, adminclient-N, pykafka and the like.",
            .why = "Different programs can't be told apart in quotas, logs and here.",
            .fix = "Set client.id to the application's name.",
            .example = "10.0.0.1:50000 uses the default client id \"consumer-billing-1\".",
            .sources = "Defaults of the client libraries", .healthy = true);

}  // namespace kparse::lint
