// SPDX-License-Identifier: MIT
// The kparse command: finds the command, has its options parsed, runs it, and turns what happened into an exit status.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "commands/arguments.h"
#include "commands/command.h"
#include "commands/own_input.h"
#include "commands/usage.h"
#include "output/interrupt.h"
#include "output/text.h"
#include "output/version.h"

namespace kparse::cli {
namespace {

constexpr std::string_view general_examples =
    "  kparse report capture.pcap              what happened\n"
    "  kparse report --topic orders *.pcapng   what happened to one topic, in rotated captures\n"
    "  tcpdump -U -w - port 9092 | kparse report -\n"
    "  kparse report --help                    all options of one command\n";

std::string general_help() {
  std::string text =
      "kparse analyses Kafka traffic in packet captures.\n\nUsage: kparse COMMAND [OPTION]... "
      "[CAPTURE]...\n\nCommands:\n";
  for (const auto& row : command_table()) text += fmt::format("  {:<9} {}\n", row.name, row.make()->info().summary);
  text +=
      "\nOptions:\n  --help     this text; after a command: its options\n  --version  the version; --format json for "
      "scripts\n";
  return text + fmt::format("\nExamples:\n{}", general_examples) +
         "\nExit status: 0 done, 1 something was found wrong, 2 wrong usage, 3 an input could not be read or the "
         "output not written.\n";
}

/// Prints a text that isn't a command's result.
int say(std::string_view text) {
  Diagnostics diagnostics;
  Output out(diagnostics);
  if (!out.open("")) return status_input;
  out.write(text);
  return out.commit() ? status_done : status_input;
}

int say_version(const std::vector<std::string>& args) {
  std::string format = "text";
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--version") continue;
    if (args[i] == "--format" && i + 1 < args.size()) {
      format = args[++i];
    } else if (args[i].starts_with("--format=")) {
      format = args[i].substr(9);
    } else {
      return usage("", fmt::format("'{}' does not go with --version", args[i]));
    }
  }
  if (format == "json")
    return say(fmt::format("{{\"schemaVersion\":{},\"kparse\":\"{}\"}}\n", schema_version, version()));
  if (format != "text") return usage("", fmt::format("--format: '{}' is none of text|json", format));
  return say(fmt::format("kparse {}\n", version()));
}

/// Each line of `text` after two blanks.
std::string indented(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!line.empty()) result += line.starts_with("  ") ? "" : "  ";
    result.append(line);
    result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

/// Usage errors of CLI11 in one line.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

int run_command(const CommandRow& row, std::vector<std::string> args) {
  const std::string name(row.name);
  const auto command = row.make();
  const CommandInfo info = command->info();
  CommonOptions options;
  CLI::App app(std::string(info.summary), "kparse " + name);
  app.get_formatter()->column_width(34);
  app.set_help_flag("--help,-h", "This text");
  app.option_defaults()->always_capture_default(false);
  command->add_options(app);
  add_common_options(app, options, info.takes, info.formats);
  if (!info.examples.empty()) app.footer("Examples:\n" + indented(info.examples));

  if (const std::string wrong = expand_options(app, args); !wrong.empty()) return usage(name, wrong);
  try {
    std::vector<std::string> reversed(args.rbegin(), args.rend());
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    return say(app.help());
  } catch (const CLI::ParseError& error) {
    return usage(name, first_line(error.what()));
  }
  if ((info.takes & Takes::captures) && options.captures.empty())
    return usage(name, "no capture was named (- is standard input)");
  if (std::count(options.captures.begin(), options.captures.end(), "-") > 1)
    return usage(name, "- (standard input) can be named once only");

  Diagnostics diagnostics;
  diagnostics.set_quiet(options.quiet);
  diagnostics.set_verbose(options.verbose);
  Output out(diagnostics);
  if (is_own_input(options.output, options.captures, diagnostics) ||
      is_own_input(options.output, options.key_logs, diagnostics))
    return status_usage;
  if (!out.open(options.output)) return status_input;
  handle_interrupts();
  Context context{options, out, diagnostics};
  const int status = command->run(context);
  if (status == status_usage) {
    out.discard();
    return status;
  }
  if (out.closed()) return status;  // the command had nothing to write
  return out.commit() ? status : status_input;
}

int run(std::vector<std::string> args) {
  if (args.empty()) {
    fmt::print(stderr, "{}", general_help());
    return status_usage;
  }
  if (args[0] == "help" && args.size() == 2) args = {args[1], "--help"};
  if (args[0] == "--help" || args[0] == "-h" || args[0] == "help") return say(general_help());
  if (args[0] == "--version" || (args[0].starts_with("--format") && args.back() == "--version"))
    return say_version(args);
  if (args[0].starts_with("-")) return usage("", fmt::format("'{}' comes after a command", args[0]));

  std::vector<std::string> names;
  for (const auto& row : command_table()) {
    if (row.name == args[0]) return run_command(row, {args.begin() + 1, args.end()});
    names.emplace_back(row.name);
  }
  const std::string near = nearest(args[0], names);
  return usage("", fmt::format("there is no command '{}'{}", args[0],
                               near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

}  // namespace

}  // namespace kparse::cli

int main(int argc, char** argv) {
  try {
    return kparse::cli::run({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    std::fputs("kparse: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kparse: %s\n", error.what());
  }
  return kparse::cli::status_input;
}
