// SPDX-License-Identifier: MIT
#include "commands/header_setup.h"

#include <cerrno>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "commands/byte_input.h"

namespace kparse::cli {

int HeaderSetup::load(Context& context) {
  const CommonOptions& o = context.options;
  if (!o.header_register.empty()) {
    const InputFile in = open_input(o.header_register);
    std::vector<std::uint8_t> bytes;
    if (!in || !read_all(in.get(), bytes)) {
      context.out.discard();
      context.diagnostics.error(o.header_register, std::strerror(errno));
      return status_input;
    }
    if (const auto problem = names.parse(text(Bytes(bytes)))) {
      context.out.discard();
      std::string what(problem.what);
      if (!problem.where.empty()) what += fmt::format(": '{}'", problem.where);
      context.diagnostics.error(fmt::format("{}:{}", o.header_register, problem.line), what);
      return status_usage;
    }
  }
  if (const auto profile = find_draft_profile(o.draft_headers)) draft.emplace(*profile, &names);
  return status_done;
}

}  // namespace kparse::cli
