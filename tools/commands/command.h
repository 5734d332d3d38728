// SPDX-License-Identifier: MIT
// What a command is, and what it gets to run. A new command is a file NAME_command.cpp that defines
// `make_NAME_command()`, and a line in part.cmake.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "commands/options.h"
#include "output/diagnostics.h"
#include "output/output.h"

namespace kparse::cli {

/// The process's exit status (COMMAND: "Exit status").
enum Status : int { status_done = 0, status_findings = 1, status_usage = 2, status_input = 3 };

/// What every command says of itself.
struct CommandInfo {
  std::string_view summary;      ///< one line, in `kparse --help`
  std::string_view examples;     ///< lines for the end of `kparse NAME --help`
  std::vector<Format> formats;   ///< what --format may be; the first is the default
  Takes takes = Takes::nothing;  ///< groups of common options
};

struct Context {
  const CommonOptions& options;
  Output& out;  ///< committed after run(), unless run() discarded it or returned status_usage
  Diagnostics& diagnostics;
};

class Command {
 public:
  virtual ~Command() = default;
  [[nodiscard]] virtual CommandInfo info() const = 0;
  /// The command's own options; values go to members. Options that take a list need `allow_extra_args(false)`, else
  /// they swallow the captures.
  virtual void add_options(CLI::App&) {}
  /// Returns a Status. Write problems are no concern of it: they make the status 3 by themselves. Long jobs should
  /// end early when `out.wanted()` is false (closed pipe, full disk).
  virtual int run(Context&) = 0;
};

/// One row of the table of commands, in the order of `kparse --help`.
struct CommandRow {
  std::string_view name;
  std::unique_ptr<Command> (*make)();
};
[[nodiscard]] const std::vector<CommandRow>& command_table();

/// For run(): says what is wrong with the call, points to --help, and gives status_usage.
int usage_error(Context&, std::string_view command, std::string_view message);

}  // namespace kparse::cli
