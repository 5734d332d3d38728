// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "output/human.h"
#include "output/table.h"
#include "trace/trace_observer.h"
#include "trace/trace_out.h"

namespace kparse::trace {
namespace {

using cli::Align;
using cli::human_count;
using cli::human_duration;
using cli::printable;
using cli::Style;

std::string name(const Actor& a) {
  std::string text = a.who.client_id_null ? "(no client id)" : printable(a.who.client_id);
  return fmt::format("{} at {}", text, printable(a.who.address));
}

std::string duration(const report::Histogram& h, unsigned percent) {
  if (h.count() == 0) return "–";
  const std::int64_t ns = h.percentile(percent);
  return ns < 0 ? "-" + human_duration(-ns) : human_duration(ns);
}

void print_delays(cli::Output& out, const cli::Painter& paint, const TraceSeen& seen) {
  if (seen.delays.empty()) return;
  out.print("{}\n", paint(Style::bold, "From the Produce request to the Fetch answer"));
  cli::Table table({{"topic", Align::left, 36},
                    {"group", Align::left, 28},
                    {"read by", Align::left, 40},
                    {"records", Align::right},
                    {"produced here", Align::right},
                    {"p50", Align::right},
                    {"p90", Align::right},
                    {"p99", Align::right},
                    {"max", Align::right}});
  for (const Delay& d : seen.delays) {
    const Actor& a = seen.actors[d.actor];
    table.row({printable(seen.names.label(d.topic).shown()),
               a.group.empty() ? (a.several_groups ? "several" : "–") : printable(a.group), name(a),
               human_count(d.records), d.matched ? human_count(d.matched) : "–", duration(d.ns, 50), duration(d.ns, 90),
               duration(d.ns, 99), d.ns.count() == 0 ? "–" : human_duration(std::max<std::int64_t>(0, d.ns.max()))});
  }
  table.print(out, paint, 2);
}

void print_topics(cli::Output& out, const cli::Painter& paint, const TraceSeen& seen) {
  if (seen.topics.empty()) {
    out.write("No records were seen.\n");
    return;
  }
  out.print("\n{}\n", paint(Style::bold, "Trace context in headers"));
  cli::Table table({{"topic", Align::left, 36},
                    {"produced", Align::right},
                    {"fetched", Align::right},
                    {"with a header", Align::right},
                    {"valid", Align::right}});
  for (const auto& [n, t] : seen.topics) {
    const TopicShare::Side& s = t.written.records > 0 ? t.written : t.read;
    table.row({printable(seen.names.label(n).shown()), t.written.records ? human_count(t.written.records) : "–",
               t.read.records ? human_count(t.read.records) : "–", cli::human_share(s.with_context, s.records),
               cli::human_share(s.valid, s.records)});
  }
  table.print(out, paint, 2);
}

void print_list(cli::Output& out, const cli::Painter& paint, const TraceSeen& seen, const Show& show) {
  std::int64_t last = -1;
  bool first = true;
  const std::uint64_t left_out = each_listed(seen, show, [&](const Way& w, std::int64_t mark) {
    if (show.grouped && (first || mark != last))
      out.print("{}{}\n", first ? "" : "\n", paint(Style::bold, printable(seen.marks[static_cast<std::size_t>(mark)])));
    first = false;
    last = mark;
    out.print("{}{} {} @ {}\n", show.grouped ? "  " : "", printable(seen.names.label(w.partition.topic).shown()),
              w.partition.partition, w.offset);
    const std::string indent = show.grouped ? "    " : "  ";
    if (w.written) {
      out.print("{}produced {} by {}, packet {}\n", indent, cli::human_time(w.written->at.time_ns),
                name(seen.actors[w.written->actor]), w.written->first.packet);
    } else {
      out.print("{}{}\n", indent, paint(Style::dim, "produced: not seen"));
    }
    for (const Read* r : w.read) {
      const Actor& a = seen.actors[r->actor];
      const std::int64_t ns = w.written && w.written->whole && r->whole ? r->at.time_ns - w.written->at.time_ns : -1;
      out.print("{}fetched  {} by {}{}, packet {}{}\n", indent, cli::human_time(r->at.time_ns), name(a),
                a.group.empty() ? "" : ", group " + printable(a.group), r->first.packet,
                ns >= 0 ? ", after " + human_duration(ns) : "");
    }
  });
  if (left_out > 0)
    out.print("{}\n", paint(Style::dim, fmt::format("… {} more records (--limit)", human_count(left_out))));
  if (first) out.write("No such record was seen.\n");
  out.write("\n");
}

}  // namespace

void print_trace(cli::Output& out, const cli::Painter& paint, const TraceSeen& seen, const Show& show, bool list) {
  if (list) print_list(out, paint, seen, show);
  print_delays(out, paint, seen);
  print_topics(out, paint, seen);
  if (seen.failed > 0) out.print("\n{} records were refused by the broker.\n", human_count(seen.failed));
  if (seen.without_offset > 0)
    out.print("\n{} produced records have no offset: no answer in the capture, or none was asked for (acks=0).\n",
              human_count(seen.without_offset));
  for (const story::Limit& l : seen.limits)
    if (l.left_out > 0)
      out.print("\n{}\n", paint(Style::yellow, fmt::format("Full: {} (at most {}); {} left out.", l.table,
                                                           human_count(l.limit), human_count(l.left_out))));
}

}  // namespace kparse::trace
