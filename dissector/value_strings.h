// SPDX-License-Identifier: GPL-2.0-or-later
// Names of numbers, as Wireshark wants them. Built once, live as long as the process.
#pragma once

#include "compat.h"
#include "kparse/enums.h"
#include "kparse/schema.h"

namespace kparse::dissector {

/// For `strings` and `display` of a header_field_info.
struct ValueNames {
  const void* strings = nullptr;
  int display = 0;  ///< to be or-ed to BASE_DEC
};

[[nodiscard]] ValueNames error_names();
[[nodiscard]] ValueNames api_names();
/// The field's numbers are APIs: of a request's header, or in the list that a broker sends.
[[nodiscard]] bool is_api_key(NodeId) noexcept;
/// `wide`: of an FT_INT64 or FT_UINT64.
[[nodiscard]] ValueNames names_of(const Enumeration&, bool wide);

}  // namespace kparse::dissector
