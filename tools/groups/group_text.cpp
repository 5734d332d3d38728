// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "groups/group_out.h"
#include "kparse/events.h"
#include "output/human.h"
#include "output/table.h"

namespace kparse::groups {
namespace {

using cli::Align;
using cli::human_count;
using cli::human_duration;
using cli::printable;
using cli::Style;

constexpr std::size_t events_shown = 60, rows_shown = 24;

struct Printer {
  cli::Output& out;
  const cli::Painter& paint;
  const GroupsSeen& seen;
  const Group& g;
  const std::vector<std::string>& captures;
  bool all;

  std::string short_member(std::uint32_t m) const {
    if (m == 0) return "";
    const Member& member = g.members[m - 1];
    if (!member.instance.empty()) return printable(member.instance);
    // Ids end in a UUID or are one: its first digits tell members apart.
    const std::string& id = member.member;
    if (id.size() > 37 && id[id.size() - 37] == '-')
      return printable(id.substr(0, id.size() - 37)) + "-" + printable(id.substr(id.size() - 36, 8));
    return printable(id.size() > 30 ? id.substr(0, 30) + "…" : id);
  }

  std::string work(const Assignment& a) const {
    if (!a.told) return "";
    if (a.cut) return "more than is kept";
    if (!a.raw.empty()) return fmt::format("{} bytes for {}", a.raw.size(), printable(g.protocol_type));
    if (!a.tasks.empty()) {
      std::string text;
      constexpr std::string_view roles[] = {"active", "standby", "warmup"};
      for (const Task& t : a.tasks)
        text += fmt::format("{}{} {}_{}", text.empty() ? "" : ", ", roles[static_cast<int>(t.role)],
                            printable(t.subtopology), t.partition);
      return text;
    }
    return story::partitions_text(a.partitions, seen.topics);
  }

  std::string what(const Event& e) const {
    const std::string times = e.count > 1 ? fmt::format(" ({} times)", human_count(e.count)) : "";
    switch (e.what) {
      case What::join:
        return e.reason.empty() ? "asks to join" : "asks to join: " + printable(e.reason);
      case What::member_id:
        return "gets its member id";
      case What::joined: {
        const bool leads = !e.leader.empty() && e.member && g.members[e.member - 1].member == e.leader;
        return fmt::format("joined{}{}", leads ? " as leader" : "",
                           e.protocol.empty() ? "" : ", " + printable(e.protocol));
      }
      case What::assigned: {
        std::string text = "is to do " + work(e.assignment);
        if (!e.removed.empty()) text += "; gives up " + story::partitions_text(e.removed, seen.topics);
        return text;
      }
      case What::owns:
        return "has " + work(e.assignment);
      case What::epoch:
        return "is in this epoch now";
      case What::generation:
        return generation(e);
      case What::rebalance:
        return "hears of a rebalance";
      case What::subscribed:
        return "wants " + printable(e.reason);
      case What::leave:
        if (e.member == 0) return "somebody leaves or is removed: who isn't in the capture";
        return e.reason.empty() ? "leaves" : "leaves: " + printable(e.reason);
      case What::static_leave:
        return "leaves for a while";
      case What::removed: {
        const std::string by = e.by ? printable(g.people[e.by - 1].client_id) : "somebody";
        return fmt::format("is removed by {}{}", by, e.reason.empty() ? "" : ": " + printable(e.reason));
      }
      case What::not_listed:
        return fmt::format("is no longer a member: not in the list of generation {}{}", e.generation,
                           e.reason.empty() ? "" : " (" + printable(e.reason) + ")");
      case What::fenced:
        return fmt::format("is no member any more: {} to its {}{}", story::error_text(e.error), e.call, times);
      case What::status:
        return printable(e.reason);
      case What::error:
        return fmt::format("{} to its {}{}{}", story::error_text(e.error), e.call,
                           e.reason.empty() ? "" : " (" + printable(e.reason) + ")", times);
      case What::unanswered:
        return fmt::format("no answer to its {} in the capture", e.reason);
    }
    return "";
  }

  std::string generation(const Event& e) const {
    std::string text = e.members > 0
                           ? fmt::format("{} of {} members have their part", e.synced, e.members)
                           : fmt::format("{} member{} seen to get their part", e.synced, e.synced == 1 ? "" : "s");
    if (e.standstill_ns >= 0) text += fmt::format(", stood still for {}", human_duration(e.standstill_ns));
    if (e.moved_known)
      text += e.moved.empty() ? ", nothing moved"
                              : fmt::format(", {} partition{} moved", e.moved.size(), e.moved.size() == 1 ? "" : "s");
    return text;
  }

  Style style(const Event& e) const {
    switch (e.what) {
      case What::generation:
        return Style::bold;
      case What::fenced:
      case What::error:
        return Style::red;
      case What::rebalance:
      case What::leave:
      case What::static_leave:
      case What::removed:
      case What::not_listed:
      case What::status:
      case What::unanswered:
        return Style::yellow;
      default:
        return Style::plain;
    }
  }

  void events() const {
    if (g.events.empty()) return;
    out.print("\n  {}\n", paint(Style::bold, "What happened"));
    const bool epochs = g.kind != GroupKind::classic;
    cli::Table table({{"time"},
                      {"packet", Align::right},
                      {epochs ? "epoch" : "gen.", Align::right},
                      {"member", Align::left, 40},
                      {""}});
    const std::size_t most = all ? g.events.size() : std::min(events_shown, g.events.size());
    for (std::size_t i = 0; i < most; ++i) {
      const Event& e = g.events[i];
      table.row({cli::human_time(e.at.time_ns).substr(11), fmt::format("{}", e.first.packet),
                 e.generation < 0 ? std::string() : fmt::format("{}", e.generation),
                 e.member ? short_member(e.member) : printable(e.instance), paint(style(e), what(e))});
    }
    table.print(out, paint, 4);
    if (most < g.events.size())
      out.print("    {}\n", paint(Style::dim, fmt::format("… {} more (--all)", human_count(g.events.size() - most))));
  }

  void members() const {
    if (g.members.empty()) return;
    out.print("\n  {}\n", paint(Style::bold, "Members"));
    cli::Table table({{"member", Align::left, 40},
                      {"client id", Align::left, 32},
                      {"address"},
                      {"software", Align::left, 34},
                      {"has", Align::left, 44},
                      {""}});
    std::size_t n = 0;
    for (const Member& m : g.members) {
      if (!all && n++ >= rows_shown) break;
      const story::Person* p = m.person ? &g.people[m.person - 1] : nullptr;
      Assignment a;
      a.told = m.assigned_known;
      a.partitions.assign(m.assigned.begin(), m.assigned.end());
      a.tasks.assign(m.tasks.begin(), m.tasks.end());
      std::string state = m.gone;
      if (m.acquired > 0)
        state += fmt::format("{}{} records acquired", state.empty() ? "" : ", ", human_count(m.acquired));
      table.row({short_member(static_cast<std::uint32_t>(&m - g.members.data()) + 1), p ? printable(p->client_id) : "",
                 p ? printable(p->address) : "",
                 p && !p->software.empty() ? printable(p->software + " " + p->software_version) : "",
                 m.gone.empty() ? work(a) : "", state});
    }
    table.print(out, paint, 4);
    if (!all && g.members.size() > rows_shown)
      out.print("    {}\n", paint(Style::dim, fmt::format("… {} more (--all)", g.members.size() - rows_shown)));
  }

  void offsets() const {
    std::vector<Lag> rows = lags(g, seen);
    if (rows.empty()) return;
    out.print("\n  {}\n", paint(Style::bold, "Offsets"));
    cli::Table table({{"topic", Align::left, 40},
                      {"partition", Align::right},
                      {"committed", Align::right},
                      {"end", Align::right},
                      {"lag", Align::right},
                      {"commits", Align::right},
                      {"failed", Align::right}});
    std::size_t n = 0;
    for (const Lag& l : rows) {
      if (!all && n++ >= rows_shown) break;
      const auto number = [](std::int64_t v) {
        return v < 0 ? std::string("–") : human_count(static_cast<std::uint64_t>(v));
      };
      table.row({printable(seen.topics.label(l.partition.topic).shown()), fmt::format("{}", l.partition.partition),
                 l.committed < 0 && l.none ? "none" : number(l.committed), number(l.end.offset), number(l.lag()),
                 l.commits ? human_count(l.commits) : "–", l.failed ? human_count(l.failed) : "–"});
    }
    table.print(out, paint, 4);
    if (!all && rows.size() > rows_shown)
      out.print("    {}\n", paint(Style::dim, fmt::format("… {} more (--all)", rows.size() - rows_shown)));
  }

  void deliveries() const {
    if (g.deliveries.empty()) return;
    out.print("\n  {}\n", paint(Style::bold, "Deliveries"));
    cli::Table table({{"topic", Align::left, 40},
                      {"partition", Align::right},
                      {"acquired", Align::right},
                      {"again", Align::right},
                      {"accepted", Align::right},
                      {"released", Align::right},
                      {"rejected", Align::right},
                      {"renewed", Align::right},
                      {"refused", Align::right}});
    for (const auto& [key, d] : g.deliveries) {
      const auto of = [&d = d](std::int8_t type) {
        const auto it = d.acknowledged.find(type);
        return it == d.acknowledged.end() ? std::string("–") : human_count(it->second);
      };
      table.row({printable(seen.topics.label(key.topic).shown()), fmt::format("{}", key.partition),
                 human_count(d.acquired), human_count(d.redelivered), of(1), of(2), of(3), of(4),
                 d.failed ? human_count(d.failed) : "–"});
    }
    table.print(out, paint, 4);
  }

  void print() const {
    std::string head = paint(Style::bold, printable(g.name));
    if (g.kind_known) head += fmt::format("  {} group", kparse::name_of(g.kind));
    if (!g.protocol_type.empty() && g.protocol_type != "consumer")
      head += fmt::format(", {}", printable(g.protocol_type));
    if (!g.protocol.empty()) head += fmt::format(", {}", printable(g.protocol));
    for (const std::string& c : g.coordinators)
      head += fmt::format("{}{}", &c == &*g.coordinators.begin() ? ", coordinator " : ", ", c);
    out.print("{}\n", head);
    if (g.generations > 0) {
      out.print("  {} generation{}", g.generations, g.generations == 1 ? "" : "s");
      if (g.standstill_ns >= 0) out.print(", stood still for {} in all", human_duration(g.standstill_ns));
      out.write("\n");
    } else if (g.kind == GroupKind::consumer && g.standstill_ns >= 0) {
      out.print("  partitions had no owner for {} in all\n", human_duration(g.standstill_ns));
    }
    if (!g.kind_known) out.print("  {}\n", paint(Style::dim, "No member's calls are in the capture."));
    events();
    members();
    offsets();
    deliveries();
  }
};

}  // namespace

void print_groups(cli::Output& out, const cli::Painter& paint, const GroupsSeen& seen,
                  const std::vector<std::string>& captures, bool all) {
  if (seen.groups.empty()) out.write("No group was seen.\n");
  bool first = true;
  for (const Group& g : seen.groups) {
    if (!first) out.write("\n");
    first = false;
    Printer{out, paint, seen, g, captures, all}.print();
  }
  for (const story::Limit& l : seen.limits)
    if (l.left_out > 0)
      out.print("\n{}\n", paint(Style::yellow, fmt::format("Full: {} (at most {}); {} left out.", l.table,
                                                           human_count(l.limit), human_count(l.left_out))));
}

}  // namespace kparse::groups
