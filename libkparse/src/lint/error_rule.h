// SPDX-License-Identifier: MIT
// KP-ERR-REFUSED, -DEGRADED, -RETRY, -NORMAL: the same rule for the four severities of error_severity.txt.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lint/error_severity.h"
#include "lint/rule.h"
#include "lint/subject.h"

namespace kparse::lint {

/// All that the table names, so that those rules are called first; which of them count depends on the code.
inline constexpr std::string_view error_rules_instead[] = {
    "KP-ACKS-INVALID",    "KP-APIV-FALLBACK", "KP-BATCH-COUNT",     "KP-BATCH-LOD",
    "KP-COORD-LOOP",      "KP-CRC",           "KP-CTRL-CLIENT",     "KP-JOIN-GHOST",
    "KP-JOIN-LOOP",       "KP-LZ4-DEP",       "KP-NOTLEADER-LOOP",  "KP-PRODUCE-MAGIC",
    "KP-PRODUCE-MULTI",   "KP-REC-HDR",       "KP-REC-LEN",         "KP-REC-ODELTA",
    "KP-SASL-FAIL",       "KP-SASL-MECH",     "KP-SASL-STATE",      "KP-SEQ",
    "KP-SEQ-NEG",         "KP-SESSION-ERR",   "KP-STATIC-FENCED",   "KP-TOO-LARGE",
    "KP-TOO-LARGE-SPLIT", "KP-TOPIC-ID-ZERO", "KP-TOPIC-RECREATED", "KP-ZSTD-VER"};

/// A code that a newer Kafka, or none, defines.
inline constexpr ErrorAdvice unknown_error{0,
                                           "unknown error",
                                           Severity::warning,
                                           "unknown",
                                           "",
                                           {},
                                           "No Kafka up to 4.4 has this code: see the server's documentation."};

template <Severity severity>
class ErrorRule : public Rule {
 public:
  using Rule::Rule;

  void on_coordinator(const CoordinatorTold& c) override {
    if (c.error == 0 || !frames().response) return;
    if (serial_ != frames().response->serial || conn_ != conn().number) looked_for_.clear();
    serial_ = frames().response->serial;
    conn_ = conn().number;
    looked_for_.push_back({c.of, c.error, std::string(c.key)});
  }

  void on_txn_answer(const TxnCall& asked, const TxnAnswer& a) override {
    if (a.error == 0 || asked.transactional_id.empty() || !frames().response) return;
    of_transaction_ = asked.transactional_id;
    txn_serial_ = frames().response->serial;
    txn_conn_ = conn().number;
  }

  void on_error(const ErrorSeen& e) override {
    const Response* const r = frames().response;
    if (!r || !r->matched) return;
    const std::string api = api_text(r->api, r->api_key);
    const ErrorAdvice* known = error_advice(e.code);
    const ErrorAdvice& a = known ? *known : unknown_error;
    if (a.in(api) != severity) return;
    const bool has_topic = !e.topic.name.empty() || e.topic.id;
    const std::string name = has_topic ? topic(e.topic) : std::string();
    const std::string cause = api + ' ' + std::to_string(e.code);
    const bool about_nothing = !has_topic && e.group.empty();
    LookedFor key = r->api_key == key_find_coordinator ? key_of(e.code) : LookedFor{};
    if (about_nothing && txn_serial_ == r->serial && txn_conn_ == conn().number && !of_transaction_.empty())
      key = {CoordinatorTold::Of::transaction, e.code, of_transaction_};
    const bool of_group = key.of == CoordinatorTold::Of::group && !key.key.empty();
    const std::string_view group = of_group ? std::string_view(key.key) : e.group;
    hit({.topic = name, .partition = e.partition, .group = group, .api = api, .cause = cause, .instead = &a.instead},
        [&](Text& t) {
          t << api << " to " << conn().server() << " answered " << a.name << " (" << e.code << ") for ";
          if (key.of == CoordinatorTold::Of::transaction) {
            t << "transactional id " << Quoted{key.key};
          } else if (key.of == CoordinatorTold::Of::share) {
            t << "share partition " << Quoted{key.key};
          } else {
            t << About{name, e.partition, group};
          }
          t << ": " << a.advice;
        });
  }

 private:
  static constexpr std::int16_t key_find_coordinator = 10;
  struct LookedFor {
    CoordinatorTold::Of of = CoordinatorTold::Of::group;
    std::int16_t error = 0;
    std::string key;
  };
  /// Its keys in their order: each is taken once.
  LookedFor key_of(std::int16_t error) {
    if (serial_ != frames().response->serial || conn_ != conn().number) return {};
    const auto at = std::ranges::find(looked_for_, error, &LookedFor::error);
    if (at == looked_for_.end()) return {};
    LookedFor found = std::move(*at);
    looked_for_.erase(at);
    return found;
  }

  std::vector<LookedFor> looked_for_;
  std::uint64_t serial_ = 0, conn_ = 0;   ///< of the answer that they are in
  std::string of_transaction_;
  std::uint64_t txn_serial_ = 0, txn_conn_ = 0;
};

}  // namespace kparse::lint
