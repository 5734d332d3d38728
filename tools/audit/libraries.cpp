// SPDX-License-Identifier: MIT
#include "audit/libraries.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace kparse::audit {
namespace {

// KIP-896, "Public Interfaces": the releases whose versions the floor was set by. The measured ones: releases that a
// 4.3.1 broker serves; earlier ones may do.
constexpr std::string_view kip = "KIP-896", measured = "measured on a 4.3.1 broker; earlier releases may do";

constexpr Library java = {"Apache Kafka Java client", "2.1.0", "", kip};
constexpr Library librdkafka = {"librdkafka", "1.8.2", "without broker.version.fallback and api.version.request=false", kip};
constexpr Library kafkajs = {"KafkaJS", "1.15.0", "", kip};
constexpr Library sarama = {"Sarama", "1.30.1", "Config.Version at V2_1_0_0 or later, the default as of 1.41.0", "KIP-896; Sarama 1.41.0"};
constexpr Library kafka_python = {"kafka-python", "2.0.2", "without api_version", kip};
constexpr Library aiokafka = {"aiokafka", "0.14", "", measured};
constexpr Library franz_go = {"franz-go", "1.22.3", "without MaxVersions", measured};
constexpr Library platformatic = {"@platformatic/kafka", "1.35.0", "", measured};
constexpr Library rskafka = {"rskafka", "0.6.0", "", measured};
constexpr Library pykafka = {"pykafka", "", "", "2.8.0, its last release, sends Produce and Fetch below the floor"};
constexpr Library kafka_node = {"kafka-node", "", "", "5.0.0, its last release, sends Produce and Fetch 2"};
constexpr Library no_kafka = {"no-kafka", "", "", "3.4.4, its last release, sends Produce 1 and Fetch 0"};

struct Name {
  std::string_view text;
  const Library* library;
};
/// As ApiVersions tells it. Everything on librdkafka tells that one's version too: "2.16.1-rdkafka-2.16.0".
constexpr Name software_names[] = {
    {"apache-kafka-java", &java}, {"librdkafka", &librdkafka}, {"kafkajs", &kafkajs}, {"sarama", &sarama},
    {"kafka-python", &kafka_python}, {"aiokafka", &aiokafka}, {"kgo", &franz_go}, {"kadm", &franz_go},
    {"platformatic-kafka", &platformatic}, {"rskafka", &rskafka}, {"confluent-kafka-python", &librdkafka},
    {"confluent-kafka-go", &librdkafka}, {"confluent-kafka-dotnet", &librdkafka}, {"confluent-kafka-javascript", &librdkafka},
    {"node-rdkafka", &librdkafka}, {"rdkafka-ruby", &librdkafka},
};
/// Default client ids; those with a version end in "-".
constexpr Name default_ids[] = {
    {"kafka-python-", &kafka_python}, {"aiokafka-", &aiokafka}, {"rdkafka", &librdkafka}, {"sarama", &sarama},
    {"kafkajs", &kafkajs}, {"pykafka", &pykafka}, {"kafka-node-client", &kafka_node}, {"no-kafka-client", &no_kafka},
    {"kgo", &franz_go},
};

bool all_digits(std::string_view s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "producer-1", "consumer-billing-2", "adminclient-3".
bool javas_default(std::string_view id) {
  for (const std::string_view kind : {"producer-", "consumer-", "adminclient-"})
    if (id.starts_with(kind)) return all_digits(id.substr(id.rfind('-') + 1));
  return false;
}

bool a_version(std::string_view s) { return !s.empty() && s[0] >= '0' && s[0] <= '9'; }

}  // namespace

Known library_of(std::string_view software, std::string_view version, std::string_view client_id) {
  for (const Name& n : software_names) {
    if (software != n.text) continue;
    constexpr std::string_view inner = "rdkafka-";
    if (const std::size_t at = version.find(inner); at != std::string_view::npos) version.remove_prefix(at + inner.size());
    if (version.starts_with("v")) version.remove_prefix(1);
    return {n.library, std::string(version), false};
  }
  if (!software.empty()) return {};
  for (const Name& n : default_ids) {
    if (n.text.ends_with("-")) {
      if (client_id.starts_with(n.text) && a_version(client_id.substr(n.text.size())))
        return {n.library, std::string(client_id.substr(n.text.size())), true};
    } else if (client_id == n.text) {
      return {n.library, {}, true};
    }
  }
  if (javas_default(client_id)) return {&java, {}, true};
  return {};
}

int compare_versions(std::string_view a, std::string_view b) noexcept {
  const auto next = [](std::string_view& s) {
    std::uint64_t n = 0;
    while (!s.empty() && s[0] >= '0' && s[0] <= '9') {
      n = std::min<std::uint64_t>(n * 10 + static_cast<std::uint64_t>(s[0] - '0'), 1u << 30);
      s.remove_prefix(1);
    }
    // What follows the numbers ("-rc1") doesn't count.
    if (!s.empty() && s[0] == '.')
      s.remove_prefix(1);
    else
      s = {};
    return n;
  };
  while (!a.empty() || !b.empty()) {
    const std::uint64_t m = next(a), n = next(b);
    if (m != n) return m < n ? -1 : 1;
  }
  return 0;
}

std::string fix_for(const Known& known) {
  if (!known.library) return {};
  const Library& l = *known.library;
  const std::string guess = known.guessed ? " (as its client id says)" : "";
  if (l.minimum.empty()) return fmt::format("another library: no release of {}{} speaks newer versions", l.name, guess);
  const bool enough = !known.version.empty() && compare_versions(known.version, l.minimum) >= 0;
  if (enough)
    return fmt::format("{} {}{} is new enough: a setting holds it at old versions{}{}", l.name, known.version, guess,
                       l.more.empty() ? "" : "; needed: ", l.more);
  return fmt::format("{} {} or later{}{}{}", l.name, l.minimum, known.version.empty() ? guess : fmt::format(", here {}{}", known.version, guess),
                     l.more.empty() ? "" : "; ", l.more);
}

}  // namespace kparse::audit
