// SPDX-License-Identifier: GPL-2.0-or-later
#include "open_capture.h"

namespace kparse::dissector {

Capture*& capture() noexcept {
  static Capture* open = new Capture;  // never destroyed: Wireshark may still show packets while the program ends
  return open;
}

const char* keep(std::string_view word) { return capture()->words.emplace(word).first->c_str(); }

void* in_file_scope(std::size_t size) {
  constexpr std::size_t small = 1024, chunk = 256 * small, alignment = 8;
  if (size > small) return wmem_alloc(wmem_file_scope(), size);
  Capture& c = *capture();
  const std::size_t taken = (size + alignment - 1) / alignment * alignment;
  if (c.spare_bytes < taken) {
    c.spare = static_cast<std::uint8_t*>(wmem_alloc(wmem_file_scope(), chunk));
    c.spare_bytes = chunk;
  }
  c.spare_bytes -= taken;
  void* const place = c.spare;
  c.spare += taken;
  return place;
}

}  // namespace kparse::dissector
