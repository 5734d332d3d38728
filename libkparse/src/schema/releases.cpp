// SPDX-License-Identifier: MIT
#include "kparse/releases.h"

#include "schema/tables.h"

namespace kparse {
namespace {

/// "3.9" of "3.9.2-rc0"; old releases have three numbers in their line: "0.10.1" of "0.10.1.1".
std::string_view line_of(std::string_view release) noexcept {
  const int dots = release.substr(0, 2) == "0." ? 3 : 2;
  std::size_t at = 0;
  for (int i = 0; i < dots; ++i) {
    at = release.find_first_of(".-", at + (i > 0));
    if (at == release.npos) return release;
  }
  return release.substr(0, at);
}

}  // namespace

std::span<const std::string_view> releases() noexcept { return tables::releases; }
std::size_t current_release() noexcept { return tables::current_release; }

std::optional<std::size_t> find_release(std::string_view name) noexcept {
  if (name.size() > 1 && name[0] == 'v') name.remove_prefix(1);
  const auto all = tables::releases;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] == name) return i;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (line_of(all[i]) == line_of(name)) return i;
  return std::nullopt;
}

Support support(const Api& api, std::size_t release) noexcept {
  if (release >= tables::releases.size()) return {};
  const auto row = static_cast<std::size_t>(&api - tables::apis.data());
  return tables::support[row * tables::releases.size() + release];
}

}  // namespace kparse
