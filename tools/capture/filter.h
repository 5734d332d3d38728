// SPDX-License-Identifier: MIT
// A BPF filter (pcap-filter(7)) over packets of any link type.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "capture/packet.h"

namespace kparse::capture {

class Filter {
 public:
  Filter();
  ~Filter();
  Filter(Filter&&) noexcept;
  Filter& operator=(Filter&&) noexcept;

  /// Empty, or what is wrong with the expression. An empty expression lets everything through.
  [[nodiscard]] std::string set(std::string expression);
  [[nodiscard]] bool empty() const noexcept { return expression_.empty(); }
  /// Compiles once for each link type. Packets of a link type for which the expression means nothing don't pass.
  [[nodiscard]] bool passes(const Packet&);

 private:
  struct Program;
  std::string expression_;
  std::vector<std::unique_ptr<Program>> programs_;
};

}  // namespace kparse::capture
