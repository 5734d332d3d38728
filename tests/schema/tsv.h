// SPDX-License-Identifier: MIT
// Rows of a tab-separated file beside the tests, without its heading.
#pragma once

#include <fstream>
#include <string>
#include <vector>

namespace kparse::test {

inline std::vector<std::vector<std::string>> read_tsv(const std::string& name, bool heading = false) {
  std::ifstream in(std::string(KPARSE_SOURCE_DIR) + "/tests/schema/data/" + name);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  if (!heading) std::getline(in, line);
  while (std::getline(in, line)) {
    auto& row = rows.emplace_back(1);
    for (const char c : line) {
      if (c == '\t')
        row.emplace_back();
      else
        row.back() += c;
    }
  }
  return rows;
}

}  // namespace kparse::test
