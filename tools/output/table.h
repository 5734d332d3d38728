// SPDX-License-Identifier: MIT
// Columns of text, aligned.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "output/text.h"

namespace kparse::cli {

class Output;

enum class Align : std::uint8_t { left, right };

/// Collects rows and prints them with as little space as they need. Cells are text for people: pass what comes from
/// captures through printable() first; cells may be painted. Memory: the rows.
class Table {
 public:
  struct Column {
    std::string title;
    Align align = Align::left;
    std::size_t max_width = 0;  ///< longer cells end in "…"; 0: no limit. Only for cells that aren't painted.
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Missing cells are empty; surplus ones are dropped.
  void row(std::vector<std::string> cells);
  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
  /// Titles (not if all are empty), then the rows, each line after `indent` blanks.
  void print(Output& out, const Painter& paint, std::size_t indent = 2) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace kparse::cli
