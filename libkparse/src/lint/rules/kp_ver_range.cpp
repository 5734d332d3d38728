// SPDX-License-Identifier: MIT
#include "lint/advertised.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

class VersionRange final : public AdvertisedRule {
 public:
  using AdvertisedRule::AdvertisedRule;

  void advertised(const Conn& c, const Ranges& r) override { servers_.put(c.server(), r); }

  void begin_request(const Conn& c, const Request& r) override {
    if (r.api_key == 18 || !r.api || !r.header_whole) return;
    const VersionsTold* const told = servers_.find(c.server(), r.api_key);
    if (!told || (r.version >= told->lowest && r.version <= told->highest)) return;
    const std::string what = subject(frames()).text();
    hit({.cause = what}, [&](Text& t) {
      t << what << " sent to " << c.server() << ", which advertised " << told->lowest << " to " << told->highest << ".";
    });
  }

 private:
  Servers servers_{*this};
};

}  // namespace

KPARSE_RULE(kp_ver_range, VersionRange, .id = "KP-VER-RANGE", .severity = Severity::error, .scope = RuleScope::frame,
            .condition = "A request, not ApiVersions, has a version outside the range that this server address advertised "
                         "last in an ApiVersions answer without error, on any connection of the capture before it.",
            .why = "The broker closes the connection or doesn't answer. The client ignored what it was told, or used another "
                   "broker's ranges.",
            .fix = "Negotiate with each broker and after every reconnect; update the client (librdkafka 2.6.0 had this "
                   "fault).",
            .example = "Fetch v12 sent to 10.0.0.9:9092, which advertised 4 to 11.",
            .sources = "KIP-35; librdkafka#4887; librdkafka#4870; kafkajs#1656; kroxylicious#441");

}  // namespace kparse::lint
