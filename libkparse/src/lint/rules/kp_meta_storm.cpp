// SPDX-License-Identifier: MIT
#include <cmath>

#include "lint/per_client.h"
#include "lint/rule.h"
#include "lint/subject.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"meta-rate", 5, "requests a second", "more are a storm"},
                                  {"meta-seconds", 5, "s", "if it goes on for longer than this"}};
constexpr std::int16_t key_metadata = 3;
constexpr std::int64_t second = 1'000'000'000;

class MetaStorm final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn&, const Request& r) override {
    if (r.api_key == key_metadata) topics_.clear(), more_ = 0;
  }

  void on_partition(const PartitionSeen& p) override {
    const Request* const r = frames().request;
    if (!r || r->api_key != key_metadata) return;
    if (topics_.empty()) {
      topics_ = topic(p.topic);
    } else {
      ++more_;
    }
  }

  void end_request(const Conn& c, const Request& r, const Error&) override {
    if (r.api_key != key_metadata) return;
    Run& s = runs_[c];
    const std::int64_t now = r.frame.first.time_ns;
    if (s.in_second == 0 || now < s.second || now >= s.second + 2 * second) {
      s = {.began = now, .second = now, .spoke = s.spoke};
    } else if (now >= s.second + second) {  // that second is over
      if (static_cast<double>(s.in_second) > option(0)) {
        ++s.seconds;
        s.second += second;
      } else {
        s = {.began = now, .second = now, .spoke = s.spoke};
      }
      s.in_second = 0;
    }
    ++s.in_second;
    ++s.requests;
    if (s.seconds < std::ceil(option(1))) return;
    const double rate = static_cast<double>(s.requests) / (static_cast<double>(now - s.began) / 1e9);
    if (rate <= option(0)) return;
    hit({.count = s.spoke ? 1 : s.requests}, [&](Text& t) {
      t << who(c) << " sends " << Decimal{rate} << " Metadata requests a second (";
      if (topics_.empty()) {
        t << "no topic named";
      } else {
        t << Quoted{topics_, 249};
        if (more_ > 0) t << " and " << more_ << " more";
      }
      t << ").";
    });
    s.spoke = true;
  }

  void on_close(const Conn& c, const Stamp&) override { runs_.close(c); }

 private:
  struct Run {
    std::int64_t began = 0, second = 0;  ///< of the run, of the second at hand
    std::uint64_t in_second = 0, requests = 0;
    double seconds = 0;  ///< whole ones with more than the rate
    bool spoke = false;
  };

  PerClient<Run> runs_{*this, "clients between connections"};
  std::string topics_;
  std::uint64_t more_ = 0;
};

}  // namespace

KPARSE_RULE(kp_meta_storm, MetaStorm, .id = "KP-META-STORM", .severity = Severity::warning, .scope = RuleScope::client,
            .condition =
                "A client sends more than meta-rate Metadata requests in each second for longer than meta-seconds. "
                "Clients that share an address and an id aren't added up.",
            .why = "Load on brokers that grows with the number of clients.",
            .fix = "Set retry.backoff.ms and topic.metadata.refresh.interval.ms; create the missing topic.",
            .example = "10.0.0.1:50000 (\"t1\") sends 10.4 Metadata requests a second (missing).",
            .sources = "librdkafka#4577; KAFKA-7655", .options = options);

}  // namespace kparse::lint
