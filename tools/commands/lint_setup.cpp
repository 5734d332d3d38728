// SPDX-License-Identifier: MIT
#include "commands/lint_setup.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

namespace kparse::cli {
namespace {

constexpr const char* group = "Rules";

void add_list(CLI::App& app, const char* flag, const char* type, std::vector<std::string>& to, const char* help, bool commas) {
  auto* option = app.add_option(flag, to, help)->type_name(type)->allow_extra_args(false)->group(group);
  if (commas) option->delimiter(',');
}

}  // namespace

void ConfigOptions::add(CLI::App& app) {
  app.add_option("--config", file_, "Read FILE instead of the nearest .kparse.toml (here or in a folder above)")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--no-config", none_, "Read no .kparse.toml")->group(group);
}

bool ConfigOptions::load(Context& context, findings::Config& config) const {
  if (none_) return true;
  const std::string file = file_.empty() ? findings::find_config(".") : file_;
  if (file.empty()) return true;
  context.diagnostics.detail(file, "is the configuration");
  const findings::ConfigError error = findings::read_config(file, config);
  if (error.message.empty()) return true;
  context.diagnostics.error(file, error.line > 0 ? fmt::format("line {}: {}", error.line, error.message) : error.message);
  return false;
}

void RuleOptions::add(CLI::App& app) {
  add_list(app, "--select", "RULE", select_, "Only these rules: ids, or beginnings of them like 'KP-BATCH-*'", true);
  add_list(app, "--ignore", "RULE", ignore_, "Not these rules", true);
  add_list(app, "--set", "RULE.OPTION=N", set_, "A rule's threshold; kparse rules RULE names them", false);
  add_list(app, "--compacted", "TOPIC", compacted_, "This topic is compacted, for the rules that need to know", true);
}

int RuleOptions::load(Context& context, std::string_view command, const findings::Config& config, LintOptions& to) const {
  to = config.lint;
  if (!select_.empty()) to.select = select_;
  to.ignore.insert(to.ignore.end(), ignore_.begin(), ignore_.end());
  to.compacted.insert(to.compacted.end(), compacted_.begin(), compacted_.end());
  for (const std::string& text : set_)
    if (const std::string wrong = findings::add_setting(to, text); !wrong.empty())
      return usage_error(context, command, "--set: " + wrong);
  if (const std::string wrong = wrong_with(to); !wrong.empty()) return usage_error(context, command, wrong);
  return status_done;
}

Stamp end_of(const Summary& summary) noexcept {
  Stamp end;
  for (std::size_t i = 0; i < summary.inputs.size(); ++i) {
    const capture::FileInfo& file = summary.inputs[i];
    if (file.last_time && (end.packet == 0 || *file.last_time >= end.time_ns))
      end = {.time_ns = *file.last_time, .packet = file.packets, .file = static_cast<std::uint32_t>(i)};
  }
  return end;
}

}  // namespace kparse::cli
