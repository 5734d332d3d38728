// SPDX-License-Identifier: MIT
#include "lint/wrap.h"

#include "output/text.h"

namespace kparse::findings {

std::string wrapped(std::string_view text, std::size_t indent, std::string_view first, std::size_t width) {
  std::string out = first.empty() ? std::string(indent, ' ') : std::string(first);
  std::size_t column = indent;
  bool begun = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t columns = cli::width_of(word);
    if (begun && column + 1 + columns > width) {
      (out += '\n').append(indent, ' ');
      column = indent;
    } else if (begun) {
      out += ' ';
      ++column;
    }
    out += word;
    column += columns;
    begun = true;
  }
  return out += '\n';
}

}  // namespace kparse::findings
