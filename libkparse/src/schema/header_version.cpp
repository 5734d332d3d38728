// SPDX-License-Identifier: MIT
#include "kparse/schema.h"

namespace kparse {
namespace {

constexpr int controlled_shutdown = 7;
constexpr int api_versions = 18;

/// Flexible versions are open: one newer than the tables is flexible when the newest known one is.
bool flexible(const Message& m, int version) noexcept { return !m.flexible.empty() && version >= m.flexible.lo; }

}  // namespace

int request_header_version(const Api& api, int version) noexcept {
  if (api.key == controlled_shutdown && version == 0) return 0;
  return flexible(*api.request, version) ? 2 : 1;
}

int response_header_version(const Api& api, int version) noexcept {
  // A client can't know yet whether the broker speaks flexible versions.
  if (api.key == api_versions) return 0;
  return flexible(*api.response, version) ? 1 : 0;
}

}  // namespace kparse
