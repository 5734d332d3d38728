// SPDX-License-Identifier: MIT
// kparse rules: the catalogue of lint.
#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "commands/arguments.h"
#include "commands/command.h"
#include "commands/json_document.h"
#include "lint/catalogue.h"

namespace kparse::cli {
namespace {

class RulesCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "The rules of lint; one explained: when, why, what to do, an example",
            .examples =
                "  kparse rules\n"
                "  kparse rules KP-CRC\n"
                "  kparse rules --format json | jq -r '.rules[] | select(.severity == \"error\").id'\n",
            .formats = {Format::text, Format::json, Format::markdown}};
  }

  void add_options(CLI::App& app) override { app.add_option("RULE", rule_, "Only this rule, explained"); }

  int run(Context& context) override {
    std::vector<const RuleInfo*> rules(rule_catalogue().begin(), rule_catalogue().end());
    if (!rule_.empty()) {
      const RuleInfo* rule = find_rule(rule_);
      if (!rule) rule = find_rule("KP-" + rule_);
      if (!rule) {
        std::vector<std::string> ids;
        for (const RuleInfo* r : rules) ids.emplace_back(r->id);
        const std::string near = nearest(rule_, ids);
        return usage_error(context, "rules",
                           "there is no rule '" + rule_ + "'" + (near.empty() ? "" : "; did you mean " + near + "?"));
      }
      rules = {rule};
    }
    if (context.options.format == Format::json) {
      write_document(context.out, [&](JsonWriter& json) { findings::write_rules(json, rules); });
    } else if (context.options.format == Format::markdown) {
      context.out.write(findings::rules_page(rules));
    } else {
      const Painter paint(context.options.color, context.out.is_terminal());
      if (rule_.empty())
        findings::print_rules(context.out, paint, rules);
      else
        findings::print_rule(context.out, paint, *rules[0]);
    }
    return status_done;
  }

 private:
  std::string rule_;
};

}  // namespace

std::unique_ptr<Command> make_rules_command() { return std::make_unique<RulesCommand>(); }

}  // namespace kparse::cli
