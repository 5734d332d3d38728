// SPDX-License-Identifier: MIT
#include "audit/audit.h"

#include <algorithm>

#include <fmt/format.h>

#include "kparse/releases.h"
#include "output/human.h"

namespace kparse::audit {
namespace {

constexpr std::int64_t a_month = std::int64_t{31} * 24 * 3600 * 1'000'000'000;

JudgedClient judge_one(const Client& client, std::size_t target) {
  JudgedClient j;
  j.client = &client;
  j.library = library_of(client.who.software, client.who.software_version, client.who.client_id);
  for (const auto& [key, call] : client.calls) {
    j.calls.emplace_back(&call, judge(call, client.negotiates, target));
    j.verdict = std::max(j.verdict, j.calls.back().second.verdict);
  }
  for (const std::size_t release : judged_releases()) {
    Verdict v = Verdict::ok;
    for (const auto& [key, call] : client.calls) v = std::max(v, judge(call, client.negotiates, release).verdict);
    j.releases.push_back(v);
  }
  const bool old = std::any_of(j.calls.begin(), j.calls.end(), [](const auto& c) { return c.second.reason == Reason::too_old; });
  if (old && !client.who.inter_broker) j.fix = fix_for(j.library);
  return j;
}

std::string many(std::uint64_t n, std::string_view one, std::string_view more) {
  return fmt::format("{} {}", cli::human_count(n), n == 1 ? one : more);
}

std::vector<Blind> blind_spots(const Audit& audit, const Seen& seen, std::int64_t span_ns) {
  std::vector<Blind> blind;
  const auto add = [&](std::string_view what, std::uint64_t count, std::string message) {
    blind.push_back({what, count, std::move(message)});
  };
  const Unseen& u = seen.unseen;
  if (span_ns < a_month)
    add("span", 0,
        span_ns < 0 ? std::string("Nothing was captured.")
                    : fmt::format("The capture spans {}: what comes less often (monthly jobs, admin tools) isn't in it.",
                                  cli::human_duration(span_ns)));
  if (u.tls)
    add("tls", u.tls, fmt::format("{}: who calls what inside can't be told without the secrets (--keylog).",
                                  many(u.tls, "conversation is TLS", "conversations are TLS")));
  if (u.answers_only)
    add("answersOnly", u.answers_only, fmt::format("{} only answers: their requests weren't captured.",
                                                   many(u.answers_only, "conversation has", "conversations have")));
  if (u.requests_only)
    add("requestsOnly", u.requests_only, fmt::format("{} only requests: whether they were served can't be told.",
                                                     many(u.requests_only, "conversation has", "conversations have")));
  if (u.begun_before)
    add("begunBefore", u.begun_before,
        fmt::format("{} before the capture: software and SASL user, told at the start, may be missing.",
                    many(u.begun_before, "conversation began", "conversations began")));
  if (u.lost_bytes)
    add("lost", u.lost_bytes, fmt::format("{} are missing in the capture: requests may be among them.",
                                          cli::human_bytes(u.lost_bytes)));
  std::uint64_t nameless = 0, limited = 0, too_new = 0;
  for (const JudgedClient& j : audit.clients) {
    if (j.client->who.inter_broker) continue;
    nameless += j.client->who.software.empty();
    bool limit = false, later = false;
    for (const auto& [call, judged] : j.calls) {
      limit = limit || judged.reason == Reason::brokers_limit;
      const Api* api = find_api(call->api_key);
      later = later || (api && judged.verdict == Verdict::ok && call->version > support(*api, audit.target).stable.hi);
    }
    limited += limit;
    too_new += later;
  }
  if (nameless)
    add("software", nameless, fmt::format("{} what software they are: only ApiVersions 3 and later tell (KIP-511).",
                                          many(nameless, "client doesn't say", "clients don't say")));
  if (limited)
    add("brokersLimit", limited,
        fmt::format("{} the latest version that the broker takes: with a newer broker a later one may be sent.",
                    many(limited, "client uses", "clients use")));
  if (too_new)
    add("negotiated", too_new,
        fmt::format("{} later versions than {} takes, but asked the brokers here for theirs, so older ones are expected there; "
                    "a feature may need the later one.",
                    many(too_new, "client sends", "clients send"), line_of(audit.target)));
  if (line_of(audit.target) == "4.0")
    for (const JudgedClient& j : audit.clients)
      if (std::any_of(j.calls.begin(), j.calls.end(),
                      [](const auto& c) { return c.first->api_key == 11 && c.first->version < 2; })) {
        add("joinGroup", 0, "4.0.0 itself refuses JoinGroup 0 and 1; 4.0.1 and later take them, and so this says.");
        break;
      }
  if (u.other_requests)
    add("cut", u.other_requests, fmt::format("{} without a whole header.", many(u.other_requests, "request is", "requests are")));
  if (u.clients_left_out)
    add("clients", u.clients_left_out, fmt::format("{} left out: the table was full.", many(u.clients_left_out, "client was", "clients were")));
  if (u.calls_left_out)
    add("calls", u.calls_left_out, fmt::format("{} left out: more different ones than a client has.", many(u.calls_left_out, "call was", "calls were")));
  return blind;
}

}  // namespace

Audit judge_all(const Seen& seen, std::size_t target, std::int64_t span_ns) {
  Audit audit;
  audit.target = target;
  for (const Client& client : seen.clients) audit.clients.push_back(judge_one(client, target));
  std::stable_sort(audit.clients.begin(), audit.clients.end(), [](const JudgedClient& a, const JudgedClient& b) {
    const bool a_broker = a.client->who.inter_broker, b_broker = b.client->who.inter_broker;
    return a_broker != b_broker ? b_broker : a.verdict > b.verdict;
  });
  audit.blind = blind_spots(audit, seen, span_ns);
  return audit;
}

Verdict worst(const Audit& audit) noexcept {
  Verdict v = Verdict::ok;
  for (const JudgedClient& j : audit.clients)
    if (!j.client->who.inter_broker) v = std::max(v, j.verdict);
  return v;
}

}  // namespace kparse::audit
