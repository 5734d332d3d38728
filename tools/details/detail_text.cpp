// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "details/details_out.h"
#include "details/network_out.h"
#include "output/human.h"
#include "output/table.h"

namespace kparse::details {
namespace {

using cli::Align;
using cli::human_count;
using cli::human_duration;
using cli::printable;
using cli::Style;

constexpr std::size_t shown = 12;

struct Printer {
  cli::Output& out;
  const cli::Painter& paint;
  const Everything& all;

  void title(std::string_view name) const { out.print("\n{}\n", paint(Style::bold, name)); }
  void more(std::size_t of, std::string_view command) const {
    if (of > shown)
      out.print("  {}\n", paint(Style::dim, fmt::format("… {} more ({})", human_count(of - shown), command)));
  }
  static std::string number(std::uint64_t n) { return n ? human_count(n) : "–"; }

  void groups() const {
    const auto& rows = all.groups.groups;
    if (rows.empty()) return;
    title("Groups");
    cli::Table table({{"group", Align::left, 40},
                      {"type"},
                      {"members", Align::right},
                      {"joins", Align::right},
                      {"fenced", Align::right},
                      {"stood still", Align::right},
                      {"lag", Align::right}});
    for (std::size_t i = 0; i < std::min(shown, rows.size()); ++i) {
      const groups::Group& g = rows[i];
      std::int64_t lag = -1;
      for (const groups::Lag& l : groups::lags(g, all.groups))
        if (l.lag() >= 0) lag = std::max<std::int64_t>(lag, 0) + l.lag();
      const auto events = [&g](groups::What w) {
        return static_cast<std::uint64_t>(
            std::count_if(g.events.begin(), g.events.end(), [w](const auto& e) { return e.what == w; }));
      };
      table.row({printable(g.name), g.kind_known ? std::string(kparse::name_of(g.kind)) : "–", number(g.members.size()),
                 number(events(groups::What::joined)), number(events(groups::What::fenced)),
                 g.standstill_ns < 0 ? "–" : human_duration(g.standstill_ns),
                 lag < 0 ? "–" : human_count(static_cast<std::uint64_t>(lag))});
    }
    table.print(out, paint);
    more(rows.size(), "kparse groups");
  }

  void transactions() const {
    std::uint64_t committed = 0, aborted = 0, others = 0, open = 0, transactional = 0, repeated = 0, gaps = 0;
    for (const txns::Producer& p : all.txns.producers) {
      transactional += p.transactional;
      committed += p.committed;
      aborted += p.aborted;
      others += p.others;
      repeated += p.repeated;
      gaps += p.gaps;
      open += static_cast<std::uint64_t>(std::count_if(p.transactions.begin(), p.transactions.end(),
                                                       [](const auto& t) { return t.outcome == txns::Outcome::open; }));
    }
    if (transactional == 0 && repeated == 0 && gaps == 0) return;
    title("Transactions");
    out.print("  {} transactional producers: {} committed, {} aborted, {} ended otherwise, {} open at the end\n",
              transactional, human_count(committed), human_count(aborted), human_count(others), human_count(open));
    if (repeated > 0) out.print("  {} batches were sent again\n", human_count(repeated));
    if (gaps > 0) out.print("  {} gaps in producers' sequences\n", human_count(gaps));
    if (!all.txns.held.empty())
      out.print("  the last stable offset was held back {} times (kparse txns)\n", human_count(all.txns.held.size()));
  }

  void delays() const {
    const DetailsSeen& d = all.details;
    if (d.delays.empty()) return;
    title("From the Produce request to the Fetch answer");
    cli::Table table({{"topic", Align::left, 40},
                      {"client", Align::left, 40},
                      {"records", Align::right},
                      {"p50", Align::right},
                      {"p99", Align::right},
                      {"max", Align::right}});
    std::size_t n = 0;
    for (const auto& [key, h] : d.delays) {
      if (n++ >= shown) break;
      table.row({printable(d.topics.label(d.topics.same(key.first.topic)).shown()), printable(key.second),
                 human_count(h.count()), human_duration(std::max<std::int64_t>(0, h.percentile(50))),
                 human_duration(std::max<std::int64_t>(0, h.percentile(99))),
                 human_duration(std::max<std::int64_t>(0, h.max()))});
    }
    table.print(out, paint);
    more(d.delays.size(), "kparse trace");
  }

  void partitions() const {
    const DetailsSeen& d = all.details;
    std::map<std::int32_t, std::uint64_t> by_leader;
    std::uint64_t changes = 0, errors = 0;
    for (const auto& [key, l] : d.leaders) {
      ++by_leader[l.leader];
      changes += l.changes;
      errors += l.errors;
    }
    if (by_leader.empty()) return;
    title("Leaders");
    std::string line;
    for (const auto& [leader, n] : by_leader)
      line += fmt::format("{}{} {} of {} partitions", line.empty() ? "" : " · ",
                          leader < 0 ? "nobody" : fmt::format("broker {}", leader), leader < 0 ? "has" : "leads",
                          human_count(n));
    out.print("  {}\n", line);
    if (changes > 0)
      out.print("  {}\n", paint(Style::yellow, fmt::format("{} changes of leader", human_count(changes))));
    if (errors > 0) out.print("  {} answers told of a leader with an error\n", human_count(errors));
  }

  void fetches() const {
    const DetailsSeen& d = all.details;
    std::uint64_t refused = 0, lost = 0, broken = 0;
    for (const auto& [client, s] : d.sessions) {
      refused += s.refused;
      lost += s.lost;
      broken += s.broken;
    }
    if (refused + lost + broken == 0 && d.stuck.empty() && d.throttled.empty()) return;
    title("Fetches and quotas");
    if (refused + lost + broken > 0)
      out.print("  fetch sessions: {} refused (no room at the broker), {} lost (evicted, or a restart), {} broken\n",
                number(refused), number(lost), number(broken));
    std::size_t n = 0;
    for (const auto& [key, s] : d.stuck) {
      if (n++ >= shown) break;
      out.print("  {} asks for {} {} @ {} again and again: {} answers in {}, {} records behind\n", printable(key.first),
                printable(d.topics.label(d.topics.same(key.second.topic)).shown()), key.second.partition, s.offset,
                human_count(s.answers), human_duration(s.until.time_ns - s.since.time_ns),
                human_count(static_cast<std::uint64_t>(std::max<std::int64_t>(0, s.behind))));
    }
    n = 0;
    for (const auto& [key, t] : d.throttled) {
      if (n++ >= shown) break;
      const Api* api = find_api(key.first);
      out.print("  {} of {} throttled {} times, {} in all, at most {}\n", api ? api->name : "?", printable(key.second),
                human_count(t.answers), human_duration(t.sum_ms * 1'000'000), human_duration(t.most_ms * 1'000'000));
    }
  }
};

}  // namespace

void print_details(cli::Output& out, const cli::Painter& paint, const Everything& all) {
  const Printer p{out, paint, all};
  p.groups();
  p.transactions();
  p.delays();
  p.partitions();
  p.fetches();
  print_network(out, paint, all);
}

}  // namespace kparse::details
