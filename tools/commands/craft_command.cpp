// SPDX-License-Identifier: MIT
// kparse craft: a capture from a script.
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <CLI/App.hpp>

#include "capture/pcapng_writer.h"
#include "commands/byte_input.h"
#include "commands/command.h"
#include "commands/own_input.h"
#include "craft/item.h"
#include "craft/script.h"
#include "craft/timeline.h"
#include "output/human.h"
#include "output/version.h"

namespace kparse::cli {
namespace {

class CraftCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "A capture from a script of requests and answers",
            .examples =
                "  kparse craft hello.yaml -o hello.pcapng\n"
                "  kparse craft hello.yaml hello.pcapng               the same\n"
                "  kparse craft hello.yaml -o - | kparse dump -\n"
                "A script, YAML or JSON:\n"
                "  clientId: demo\n"
                "  steps:\n"
                "    - request: ApiVersions\n"
                "      version: 3\n"
                "      body: {clientSoftwareName: demo, clientSoftwareVersion: '1'}\n"
                "      answer: {apiKeys: [{apiKey: 0, minVersion: 0, maxVersion: 9}]}\n"
                "    - request: Produce\n"
                "      version: 9\n"
                "      body:\n"
                "        acks: -1\n"
                "        topicData:\n"
                "          - name: orders\n"
                "            partitionData:\n"
                "              - records: [{codec: lz4, records: [{key: k, value: v, headers: [[trace, '42']]}]}]\n"
                "      answer: {responses: [{name: orders, partitionResponses: [{index: 0, baseOffset: 7}]}]}\n"
                "  tools/craft/README.md has all of it: several connections, old record formats, loss, SASL, raw bytes.\n",
            .formats = {},
            .takes = Takes::nothing};
  }

  void add_options(CLI::App& app) override {
    app.add_option("script", script_, "The script, or - for standard input")->type_name("SCRIPT|-");
    app.add_option("out", to_, "The capture to write (pcapng); --output does the same")->type_name("OUT");
  }

  int run(Context& context) override {
    if (script_.empty()) return usage_error(context, "craft", "it takes a script and the name of the capture");
    const bool named = !context.options.output.empty();
    if (named == !to_.empty())
      return usage_error(context, "craft", named ? "the capture is named twice" : "the name of the capture is missing (- is standard output)");
    const std::string name = script_ == "-" ? "standard input" : script_;
    std::vector<std::uint8_t> bytes;
    const InputFile in = open_input(script_);
    if (!in || !read_all(in.get(), bytes)) {
      context.diagnostics.error(name, std::strerror(errno));
      return status_input;
    }
    craft::Script script;
    try {
      script = craft::read_script(std::string(bytes.begin(), bytes.end()));
    } catch (const craft::ScriptError& e) {
      context.diagnostics.error(e.line() > 0 ? fmt::format("{}:{}", name, e.line()) : name, e.reason());
      context.out.discard();
      return status_findings;
    }

    std::optional<Output> own;
    Output* out = &context.out;
    if (!named && to_ != "-") {
      own.emplace(context.diagnostics);
      if (is_own_input(to_, {script_}, context.diagnostics)) return status_usage;
      if (!own->open(to_)) return status_input;
      out = &*own;
    }
    capture::PcapngWriter blocks([out](std::string_view block) { out->write(block); });
    const craft::Written w = craft::write_packets(script, fmt::format("kparse {}", version()), blocks);
    context.diagnostics.detail(name, fmt::format("{} packets, {} left out", human_count(w.packets), human_count(w.left_out)));
    return !own || own->commit() ? status_done : status_input;
  }

 private:
  std::string script_, to_;
};

}  // namespace

std::unique_ptr<Command> make_craft_command() { return std::make_unique<CraftCommand>(); }

}  // namespace kparse::cli
