// SPDX-License-Identifier: MIT
// CSV after RFC 4180, harmless to spreadsheets.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace kparse::cli {

class Output;

/// Writes rows cell by cell; lines end in CR LF. Text that a spreadsheet would run as a formula (it begins with = + -
/// @, a tab or a carriage return) gets a ' in front (OWASP: CSV injection). Numbers are written as they are.
class Csv {
 public:
  explicit Csv(Output& out) : out_(out) {}

  Csv& text(std::string_view);
  template <std::integral T>
  Csv& number(T value) {
    return raw(std::to_string(value));
  }
  Csv& number(double);
  /// A cell without value.
  Csv& empty() { return raw({}); }
  void end_row();

 private:
  Csv& raw(std::string_view);

  Output& out_;
  std::string cell_;
  bool first_ = true;
};

}  // namespace kparse::cli
