// SPDX-License-Identifier: MIT
#include "commands/usage.h"

#include <cstdio>

#include <fmt/format.h>

#include "commands/command.h"
#include "output/text.h"

namespace kparse::cli {

int usage(const std::string& command, std::string_view message) {
  const std::string help = command.empty() ? "kparse --help" : fmt::format("kparse {} --help", command);
  fmt::print(stderr, "kparse{}{}: {}\nTry '{}'.\n", command.empty() ? "" : " ", command, printable(message), help);
  return status_usage;
}

int usage_error(Context& context, std::string_view command, std::string_view message) {
  context.out.discard();
  return usage(std::string(command), message);
}

}  // namespace kparse::cli
