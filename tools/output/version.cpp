// SPDX-License-Identifier: MIT
#include "output/version.h"

namespace kparse::cli {

std::string_view version() noexcept { return KPARSE_VERSION; }

}  // namespace kparse::cli
