// SPDX-License-Identifier: MIT
#include "diff/diff_out.h"

#include <fmt/format.h>

namespace kparse::diff {
namespace {

using cli::printable;
using cli::Style;

void value(JsonWriter& json, const Value& v) {
  if (v.list) {
    json.begin_array();
    for (const std::string& item : v.items) json.string(item);
    json.end_array();
  } else if (v.items.empty()) {
    json.null();
  } else if (v.number) {
    json.raw(v.items[0]);
  } else {
    json.string(v.items[0]);
  }
}

std::string shown(const Value& v) {
  if (v.items.empty()) return v.list ? "nothing" : "–";
  std::string text;
  constexpr std::size_t most = 6;
  for (std::size_t i = 0; i < v.items.size() && i < most; ++i) text += (i ? " | " : "") + printable(v.items[i]);
  if (v.items.size() > most) text += fmt::format(" and {} more", v.items.size() - most);
  return text;
}

Style style(Significance s) noexcept {
  return s == Significance::high ? Style::red : s == Significance::medium ? Style::yellow : Style::dim;
}

}  // namespace

void write_diff(JsonWriter& json, const std::vector<Difference>& all) {
  json.key("diff");
  json.begin_array();
  for (const Difference& d : all) {
    json.begin_object();
    json.key("what");
    json.string(d.what);
    json.key("path");
    json.string(d.path);
    json.key("old");
    value(json, d.before);
    json.key("new");
    value(json, d.after);
    json.key("significance");
    json.string(name_of(d.significance));
    json.end_object();
  }
  json.end_array();
}

void print_diff(cli::Output& out, const cli::Painter& paint, const std::vector<Difference>& all, bool profiles) {
  if (all.empty()) out.write("No difference beyond noise.\n");
  for (const Difference& d : all) {
    out.print("{} {} {}\n", paint(style(d.significance), fmt::format("{:<6}", name_of(d.significance))),
              fmt::format("{:<8}", d.what), paint(Style::bold, printable(d.path)));
    out.print("       old  {}\n       new  {}\n", shown(d.before), shown(d.after));
  }
  if (!profiles)
    out.print(
        "\n{}\n",
        paint(Style::dim, "Request fields and the order of calls are compared only where both sides are captures."));
}

}  // namespace kparse::diff
