// SPDX-License-Identifier: MIT
// kparse schema: the table of APIs; the layout of one message.
#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <string>

#include "commands/command.h"
#include "commands/schema_find.h"
#include "commands/schema_json.h"
#include "commands/schema_text.h"

namespace kparse::cli {
namespace {

class SchemaCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "The table of APIs, or the layout of one message",
            .examples =
                "  kparse schema                              all APIs with their versions\n"
                "  kparse schema Fetch                        request and response, all versions\n"
                "  kparse schema FetchResponse 12             one version, in the order of the bytes\n"
                "  kparse schema OffsetCommitValue            records of internal topics, too\n"
                "  kparse schema --format json | jq '.apis[] | select(.api == \"Fetch\").versions'\n",
            .formats = {Format::text, Format::json}};
  }

  void add_options(CLI::App& app) override {
    app.add_option("name", name_, "an API (name or key) or a message");
    app.add_option("version", version_, "only this version of it");
  }

  int run(Context& context) override {
    const bool json = context.options.format == Format::json;
    const Painter paint(context.options.color, context.out.is_terminal());
    if (name_.empty()) {
      if (json)
        context.out.write(api_table_json());
      else
        print_api_table(context.out, paint);
      return status_done;
    }
    const Found found = find_in_schema(name_);
    if (!found.api && !found.message)
      return usage_error(context, "schema",
                         "no API or message is called '" + name_ + "'" +
                             (found.nearest.empty() ? "" : "; did you mean " + found.nearest + "?"));
    const Message& any = found.api ? *found.api->request : *found.message;
    std::optional<int> version;
    if (!version_.empty()) {
      int v = 0;
      const auto [end, error] = std::from_chars(version_.data(), version_.data() + version_.size(), v);
      if (error != std::errc{} || end != version_.data() + version_.size() || !any.versions.has(v))
        return usage_error(context, "schema",
                           std::string(found.api ? found.api->name : any.name) + " has no version '" + version_ +
                               "', only " + text_of(any.versions));
      version = v;
    }
    if (json) {
      context.out.write(found.api ? api_json(*found.api, version) : message_json(any, version));
    } else {
      print_message(context.out, paint, any, version);
      if (found.api) {
        context.out.write("\n");
        print_message(context.out, paint, *found.api->response, version);
      }
    }
    return status_done;
  }

 private:
  std::string name_, version_;
};

}  // namespace

std::unique_ptr<Command> make_schema_command() { return std::make_unique<SchemaCommand>(); }

}  // namespace kparse::cli
