// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "output/human.h"
#include "output/table.h"
#include "txns/txn_out.h"

namespace kparse::txns {
namespace {

using cli::Align;
using cli::human_count;
using cli::human_duration;
using cli::printable;
using cli::Style;

constexpr std::size_t transactions_shown = 30, producers_shown = 30, held_shown = 20;

std::string plural(std::uint64_t n, std::string_view what) {
  return fmt::format("{} {}{}", human_count(n), what, n == 1 ? "" : what.ends_with("h") ? "es" : "s");
}

Style style(Outcome o) noexcept {
  switch (o) {
    case Outcome::committed:
      return Style::green;
    case Outcome::aborted:
      return Style::yellow;
    case Outcome::open:
    case Outcome::fenced:
    case Outcome::unknown:
      return Style::red;
  }
  return Style::plain;
}

std::string faults_text(const std::vector<Fault>& faults) {
  std::string text;
  for (const Fault& f : faults)
    text += fmt::format("{}{} to {}{}", text.empty() ? "" : ", ", story::error_text(f.error), f.call,
                        f.count > 1 ? fmt::format(" ({} times)", human_count(f.count)) : "");
  return text;
}

std::string name(const Producer& p) {
  return p.transactional_id.empty() ? fmt::format("producer {}", p.id)
                                    : fmt::format("{} (producer {})", printable(p.transactional_id), p.id);
}

struct Printer {
  cli::Output& out;
  const cli::Painter& paint;
  const TxnsSeen& seen;
  bool all;

  void more(std::size_t shown, std::size_t of) const {
    if (shown < of) out.print("    {}\n", paint(Style::dim, fmt::format("… {} more (--all)", human_count(of - shown))));
  }

  void producer(const Producer& p) const {
    std::string head = paint(Style::bold, name(p));
    std::string epochs;
    if (!p.epochs.empty()) {
      epochs = fmt::format("epoch {}", *p.epochs.begin());
      if (p.epochs.size() > 1) epochs = fmt::format("epochs {} to {}", *p.epochs.begin(), *p.epochs.rbegin());
    }
    out.print("{}  {}\n", head, epochs);
    for (const auto& [key, who] : p.people)
      out.print("  by {} at {}{}\n", who.client_id_null ? "(no client id)" : printable(who.client_id),
                printable(who.address),
                who.software.empty() ? "" : ", " + printable(who.software + " " + who.software_version));
    if (!p.requests_seen)
      out.print("  {}\n", paint(Style::dim, "Its requests are not in the capture; consumers got its markers."));
    std::string line = fmt::format("{} in {}", plural(p.records, "record"), plural(p.batches, "batch"));
    if (p.committed + p.aborted + p.others > 0)
      line += fmt::format(", {} committed, {} aborted", human_count(p.committed), human_count(p.aborted));
    if (p.others > 0) line += fmt::format(", {} ended otherwise", human_count(p.others));
    if (p.repeated > 0) line += fmt::format(", {} sent again", plural(p.repeated, "batch"));
    if (p.gaps > 0) line += fmt::format(", {} in the sequence", plural(p.gaps, "gap"));
    if (p.old_epochs > 0) line += fmt::format(", {} of an old epoch", plural(p.old_epochs, "batch"));
    if (p.own_adds) line += ", adds partitions itself";
    if (p.implied_adds && !p.own_adds) line += ", partitions are added by the broker (KIP-890)";
    if (p.timeout_ms >= 0) line += fmt::format(", timeout {}", human_duration(std::int64_t{p.timeout_ms} * 1'000'000));
    out.print("  {}\n", line);
    if (!p.faults.empty()) out.print("  {}\n", paint(Style::red, faults_text(p.faults)));
    if (!p.markers.empty()) out.print("  {} of transactions that were not seen\n", plural(p.markers.size(), "marker"));
    if (p.transactions.empty()) return;
    cli::Table table({{"begin"},
                      {"packet", Align::right},
                      {"epoch", Align::right},
                      {"outcome"},
                      {"after", Align::right},
                      {"records", Align::right},
                      {"partitions", Align::left, 56},
                      {"offsets of", Align::left, 24},
                      {"errors"}});
    const std::size_t most = all ? p.transactions.size() : std::min(transactions_shown, p.transactions.size());
    for (std::size_t i = p.transactions.size() - most; i < p.transactions.size(); ++i) {
      const Txn& t = p.transactions[i];
      std::uint64_t records = 0;
      std::vector<PartitionKey> keys;
      for (const auto& [key, part] : t.partitions) {
        records += part.records;
        keys.push_back(key);
      }
      std::string groups;
      for (const std::string& g : t.groups) groups += (groups.empty() ? "" : ", ") + printable(g);
      std::string after = t.begin_known && t.end_known && t.whole
                              ? human_duration(std::max<std::int64_t>(0, t.end.time_ns - t.begin.time_ns))
                              : "–";
      if (t.outcome == Outcome::open && t.begin_known)
        after =
            fmt::format("{} so far", human_duration(std::max<std::int64_t>(0, seen.last.time_ns - t.begin.time_ns)));
      table.row(
          {t.begin_known ? cli::human_time(t.begin.time_ns).substr(11) : "–",
           t.begin_known ? fmt::format("{}", t.begin_first.packet) : "", t.epoch < 0 ? "" : fmt::format("{}", t.epoch),
           paint(style(t.outcome), name_of(t.outcome)) + (t.by_marker ? " (marker)" : ""), after, human_count(records),
           keys.empty() ? "–" : story::partitions_text(keys, seen.topics, 4), groups, faults_text(t.faults)});
    }
    table.print(out, paint, 4);
    more(most, p.transactions.size());
  }

  void held() const {
    if (seen.held.empty()) return;
    out.print("\n{}\n", paint(Style::bold, "Last stable offset held back (as fetches showed it)"));
    cli::Table table({{"topic", Align::left, 40},
                      {"partition", Align::right},
                      {"offset", Align::right},
                      {"since"},
                      {"for", Align::right},
                      {"records", Align::right},
                      {"by"}});
    const std::size_t most = all ? seen.held.size() : std::min(held_shown, seen.held.size());
    for (std::size_t i = 0; i < most; ++i) {
      const Held& h = seen.held[i];
      const Holder by = holder_of(h, seen);
      table.row(
          {printable(seen.topics.label(h.partition.topic).shown()), fmt::format("{}", h.partition.partition),
           fmt::format("{}", h.offset), cli::human_time(h.since.time_ns).substr(11),
           human_duration(std::max<std::int64_t>(0, h.until.time_ns - h.since.time_ns)) + (h.at_end ? " and on" : ""),
           human_count(static_cast<std::uint64_t>(h.most)),
           by.producer < 0 ? "not seen" : name(seen.producers[static_cast<std::size_t>(by.producer)])});
    }
    table.print(out, paint, 2);
    more(most, seen.held.size());
  }

  void open_ones() const {
    bool first = true;
    for (const Producer& p : seen.producers)
      for (const Txn& t : p.transactions) {
        if (t.outcome != Outcome::open) continue;
        if (first) out.print("\n{}\n", paint(Style::bold, "Open at the end of the capture"));
        first = false;
        out.print("  {}, epoch {}{}\n", name(p), t.epoch,
                  t.begin_known ? fmt::format(", since {}", cli::human_time(t.begin.time_ns)) : "");
      }
  }
};

}  // namespace

void print_txns(cli::Output& out, const cli::Painter& paint, const TxnsSeen& seen, bool all) {
  const Printer printer{out, paint, seen, all};
  if (seen.producers.empty()) out.write("No producer with an id was seen.\n");
  std::size_t shown = 0;
  for (const Producer& p : seen.producers) {
    if (!all && shown >= producers_shown) break;
    if (shown++ > 0) out.write("\n");
    printer.producer(p);
  }
  printer.more(shown, seen.producers.size());
  printer.open_ones();
  printer.held();
  for (const story::Limit& l : seen.limits)
    if (l.left_out > 0)
      out.print("\n{}\n", paint(Style::yellow, fmt::format("Full: {} (at most {}); {} left out.", l.table,
                                                           human_count(l.limit), human_count(l.left_out))));
}

}  // namespace kparse::txns
