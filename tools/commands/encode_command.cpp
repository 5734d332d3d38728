// SPDX-License-Identifier: MIT
// kparse encode: Kafka's JSON to message bytes.
#include "commands/encode_command.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/App.hpp>

#include "commands/batch.h"
#include "commands/byte_input.h"
#include "commands/command.h"

namespace kparse::cli {
namespace {

class Encode final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "Kafka's JSON to message bytes",
            .examples =
                "  kparse encode --message ListGroupsRequest --version 4 '{\"statesFilter\":[\"Stable\"]}'\n"
                "  kparse encode --message MetadataRequest --version 12 --raw request.json > request.bin\n"
                "  kparse decode --message FetchRequest --version 12 --header 0001... | kparse encode --message "
                "FetchRequest --version 12 --frame\n"
                "  kparse encode --batch < messages.ndjson\n",
            .formats = {Format::text},
            .takes = Takes::nothing};
  }

  void add_options(CLI::App& app) override {
    app.add_option("--message", job_.name, "Kafka's name of the message: FetchRequest, OffsetCommitValue, ...")
        ->type_name("NAME");
    app.add_option("--version", job_.version, "Its version")->type_name("N");
    app.add_flag(
        "--header", job_.header,
        "A request or response with its header: {\"header\":{...},\"body\":{...}}, as decode --header prints it");
    app.add_flag("--frame", job_.frame, "The same, and the four bytes of size before it: ready for a socket");
    app.add_flag("--raw", raw_, "Write the bytes, not their hex digits");
    app.add_flag("--batch", batch_, "ndjson in and out, a line for each: {\"message\",\"version\",\"json\"}");
    app.add_flag("--unknown-tags", unknown_tags_, "As for decode; members \"$tags\" are always written back");
    app.add_option("input", input_, "A file with JSON, - for standard input, or the JSON object itself")
        ->type_name("JSON|FILE|-");
  }

  int run(Context& context) override {
    if (batch_ && raw_) return usage_error(context, "encode", "--batch and --raw exclude each other");
    JobEncoder encoder;
    return batch_ ? many(context, encoder) : one(context, encoder);
  }

 private:
  int unreadable(Context& context) {
    context.diagnostics.error(input_ == "-" ? "standard input" : input_, std::strerror(errno));
    return status_input;
  }

  int many(Context& context, JobEncoder& encoder) {
    if (input_.empty()) input_ = "-";
    const InputFile in = open_input(input_);
    if (!in) return unreadable(context);
    encode_batch(in.get(), job_, encoder, context.out);
    return std::ferror(in.get()) == 0 ? status_done : unreadable(context);
  }

  int one(Context& context, JobEncoder& encoder) {
    if (job_.name.empty()) return usage_error(context, "encode", "one of --message and --batch is needed");
    if (job_.version < 0) return usage_error(context, "encode", "--version is needed");
    std::vector<std::uint8_t> text;
    std::error_code none;
    const bool given = input_.find_first_not_of(" \t\n") != std::string::npos &&
                       input_[input_.find_first_not_of(" \t\n")] == '{' && !std::filesystem::exists(input_, none);
    if (given) {
      text.assign(input_.begin(), input_.end());
      input_ = job_.name;
    } else {
      if (input_.empty()) input_ = "-";
      const InputFile in = open_input(input_);
      if (!in || !read_all(in.get(), text)) return unreadable(context);
      if (input_ == "-") input_ = "standard input";
    }
    rapidjson::Document d;
    if (const std::string wrong = parse_json({reinterpret_cast<const char*>(text.data()), text.size()}, d);
        !wrong.empty()) {
      context.diagnostics.error(input_, wrong);
      return status_findings;
    }
    Writer bytes;
    if (const std::string wrong = encoder.run(job_, d, bytes); !wrong.empty())
      return usage_error(context, "encode", wrong);
    for (const auto& n : encoder.notes()) context.diagnostics.warning(input_, place(n.field) + n.message);
    if (encoder.error()) {
      char path[512], message[512];
      context.diagnostics.error(input_, fmt::format("{}{}", place(path_of(encoder.error().place, path)),
                                                    message_of(encoder.error(), message)));
      return status_findings;
    }
    write(context, bytes.view());
    return status_done;
  }

  static std::string place(std::string_view field) { return field.empty() ? "" : fmt::format("{}: ", field); }

  void write(Context& context, Bytes bytes) const {
    if (raw_) return context.out.write(kparse::text(bytes));
    std::string hex;
    hex.reserve(bytes.size() * 2 + 1);
    for (const std::uint8_t b : bytes) hex += fmt::format("{:02x}", b);
    hex += '\n';
    context.out.write(hex);
  }

  EncodeJob job_;
  std::string input_;
  bool raw_ = false, batch_ = false;
  bool unknown_tags_ = false;  // so that decode's options may stay when a line is turned round
};

}  // namespace

std::unique_ptr<Command> make_encode_command() { return std::make_unique<Encode>(); }

}  // namespace kparse::cli
