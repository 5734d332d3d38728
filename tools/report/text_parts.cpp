// SPDX-License-Identifier: MIT
#include "report/text_parts.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "output/human.h"

namespace kparse::report {

using cli::human_count;
using cli::printable;
using cli::Style;
using cli::width_of;

std::string plural(std::uint64_t n, std::string_view one, std::string_view many) {
  if (n == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", human_count(n), one) : fmt::format("{} {}", human_count(n), many);
}

std::string files_shown(const std::vector<capture::FileInfo>& files) {
  if (files.empty()) return "no capture";
  const std::string& first = files[0].name;
  if (files.size() == 1) return first == "-" ? "standard input" : printable(first);
  std::size_t head = first.size(), tail = first.size();
  for (const capture::FileInfo& f : files) {
    const std::string& name = f.name;
    head = std::min(head, static_cast<std::size_t>(std::mismatch(first.begin(), first.end(), name.begin(), name.end()).first - first.begin()));
    tail = std::min(tail, static_cast<std::size_t>(std::mismatch(first.rbegin(), first.rend(), name.rbegin(), name.rend()).first - first.rbegin()));
  }
  std::size_t shortest = first.size();
  for (const capture::FileInfo& f : files) shortest = std::min(shortest, f.name.size());
  tail = std::min(tail, shortest - head);
  if (head + tail == 0) return printable(first) + ", …";
  return printable(first.substr(0, head)) + "*" + printable(first.substr(first.size() - tail));
}

std::string capture_shown(const Report& r, const Stamp& stamp) {
  const std::vector<capture::FileInfo>& files = r.summary.inputs;
  std::string_view name = r.capture(stamp);
  const std::string_view folder = name.substr(0, name.rfind('/') + 1);
  for (const capture::FileInfo& f : files) {
    if (!f.name.starts_with(folder) || f.name.find('/', folder.size()) != std::string::npos) return shown(name, 40);
  }
  return shown(name.substr(folder.size()), 40);
}

std::uint64_t distinct_clients(const Report& r) {
  std::set<ClientName> names;
  for (const ClientTable::Slot* slot : r.data.clients.sorted()) names.insert(slot->row.identity.name);
  return names.size();
}

void title(cli::Output& out, const cli::Painter& paint, std::string_view name, std::string_view remark) {
  out.print("\n{}", paint(Style::bold, name));
  if (!remark.empty()) out.print("   {}", paint(Style::dim, remark));
  out.write('\n');
}

void and_more(cli::Output& out, const cli::Painter& paint, std::size_t shown, std::size_t all, std::string_view what) {
  if (shown >= all) return;
  out.print("  {}\n", paint(Style::dim, fmt::format("… {} more {} (--format json has all)", human_count(all - shown), what)));
}

std::string brief_duration(std::int64_t ns) {
  std::string text = cli::human_duration(ns);
  const std::size_t blank = text.find(' ');
  if (blank != std::string::npos && text.find(' ', blank + 1) == std::string::npos) text.erase(blank, 1);
  return text;
}

std::string brief_percentile(const Histogram& h, unsigned percent) {
  return h.count() == 0 ? std::string(none) : brief_duration(percent == 100 ? h.max() : h.percentile(percent));
}

std::string brief_count(std::uint64_t n) { return n == 0 ? std::string(none) : human_count(n); }

std::string shown(const ClientName& client) {
  if (client.null) return "(null)";
  return client.id.empty() ? "\"\"" : shown(client.id, 32);
}

std::string shown(std::string_view name, std::size_t width) {
  std::string text = printable(name.substr(0, 4 * width));
  bool cut = name.size() > 4 * width;
  while (width_of(text) > width - (cut ? 1 : 0)) {
    cut = true;
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
    if (!text.empty()) text.pop_back();
  }
  return cut ? text + "…" : text;
}

std::string listed(const std::vector<std::string>& items, std::size_t limit) {
  std::string out;
  const std::size_t n = items.size() > limit ? limit : items.size();
  for (std::size_t i = 0; i < n; ++i) out += (i > 0 ? ", " : "") + items[i];
  if (items.size() > n) out += fmt::format(" and {} more", human_count(items.size() - n));
  return out;
}

void flow(cli::Output& out, std::size_t indent, std::string_view label, const std::vector<std::string>& words) {
  constexpr std::size_t columns = 110;
  std::string line(indent, ' ');
  line += label;
  const std::size_t start = width_of(line);
  bool fresh = true;
  for (const std::string& word : words) {
    const std::size_t more = width_of(word) + (fresh ? 0 : 3);
    if (!fresh && width_of(line) + more > columns) {
      out.print("{}\n", line);
      line.assign(start, ' ');
      fresh = true;
    }
    line += fresh ? word : " · " + word;
    fresh = false;
  }
  out.print("{}\n", line);
}

std::string place(const Report& r, const Stamp& stamp) {
  const std::string packet = "packet " + human_count(stamp.packet);
  return r.summary.inputs.size() > 1 ? fmt::format("{} of {}", packet, capture_shown(r, stamp)) : packet;
}

}  // namespace kparse::report
