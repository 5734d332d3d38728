// SPDX-License-Identifier: MIT
#include "output/table.h"

#include <algorithm>

#include "output/output.h"

namespace kparse::cli {
namespace {

/// Cuts to `width` columns, the last one "…", never inside a UTF-8 sequence.
std::string shorten(std::string cell, std::size_t width) {
  while (width_of(cell) >= width && !cell.empty()) {
    while (!cell.empty() && (static_cast<unsigned char>(cell.back()) & 0xc0) == 0x80) cell.pop_back();
    if (!cell.empty()) cell.pop_back();
  }
  return cell + "…";
}

}  // namespace

void Table::row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (columns_[i].max_width > 0 && width_of(cells[i]) > columns_[i].max_width)
      cells[i] = shorten(std::move(cells[i]), columns_[i].max_width);
  rows_.push_back(std::move(cells));
}

void Table::print(Output& out, const Painter& paint, std::size_t indent) const {
  std::vector<std::size_t> widths(columns_.size());
  bool titles = false;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    widths[i] = width_of(columns_[i].title);
    titles |= !columns_[i].title.empty();
    for (const auto& cells : rows_) widths[i] = std::max(widths[i], width_of(cells[i]));
  }
  std::string line;
  const auto finish_line = [&] {
    line.erase(line.find_last_not_of(' ') + 1);
    line += '\n';
    out.write(line);
  };
  const auto cell = [&](std::size_t i, const std::string& text) {
    const std::size_t pad = widths[i] - std::min(widths[i], width_of(text));
    line.append(i == 0 ? indent : 2, ' ');
    if (columns_[i].align == Align::right) line.append(pad, ' ');
    line += text;
    if (columns_[i].align == Align::left) line.append(pad, ' ');
  };
  if (titles) {
    line.clear();
    for (std::size_t i = 0; i < columns_.size(); ++i) cell(i, paint(Style::dim, columns_[i].title));
    finish_line();
  }
  for (const auto& cells : rows_) {
    line.clear();
    for (std::size_t i = 0; i < cells.size(); ++i) cell(i, cells[i]);
    finish_line();
  }
}

}  // namespace kparse::cli
