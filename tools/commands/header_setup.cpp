// SPDX-License-Identifier: MIT
#include "commands/header_setup.h"

#include <fmt/format.h>

#include "output/whole_file.h"

namespace kparse::cli {

int HeaderSetup::load(Context& context) {
  const CommonOptions& o = context.options;
  if (!o.header_register.empty()) {
    std::string list;
    if (const std::string why = read_whole(o.header_register == "-" ? "/dev/stdin" : o.header_register, list); !why.empty()) {
      context.out.discard();
      context.diagnostics.error(o.header_register, why);
      return status_input;
    }
    if (const auto problem = names.parse(list)) {
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
