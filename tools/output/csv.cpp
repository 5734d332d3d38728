// SPDX-License-Identifier: MIT
#include "output/csv.h"

#include <cmath>

#include <fmt/format.h>

#include "output/output.h"

namespace kparse::cli {

Csv& Csv::raw(std::string_view cell) {
  if (!first_) out_.write(',');
  first_ = false;
  out_.write(cell);
  return *this;
}

Csv& Csv::text(std::string_view text) {
  const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
  if (!formula && text.find_first_of("\",\r\n") == std::string_view::npos) return raw(text);
  cell_ = '"';
  if (formula) cell_ += '\'';
  for (const char c : text) {
    if (c == '"') cell_ += '"';
    cell_ += c;
  }
  cell_ += '"';
  return raw(cell_);
}

Csv& Csv::number(double value) { return std::isfinite(value) ? raw(fmt::format("{}", value)) : empty(); }

void Csv::end_row() {
  out_.write("\r\n");
  first_ = true;
}

}  // namespace kparse::cli
