// SPDX-License-Identifier: MIT
// kparse decode: message bytes, record batches and payloads to JSON, without a capture.
#include "commands/decode_command.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Option.hpp>

#include "commands/byte_input.h"
#include "commands/command.h"
#include "commands/header_setup.h"

namespace kparse::cli {
namespace {

BytesAs bytes_as(BytesMode m) {
  switch (m) {
    case BytesMode::base64:
      return BytesAs::base64;
    case BytesMode::hex:
      return BytesAs::hex;
    case BytesMode::none:
      return BytesAs::nothing;
    case BytesMode::automatic:
      break;
  }
  return BytesAs::text;
}

class Decode final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "Message bytes to Kafka's JSON, no capture needed",
            .examples =
                "  kparse decode --message ApiVersionsRequest --version 3 0b6c696272646b61666b6106322e332e3000\n"
                "  kparse decode --message FetchResponse --version 12 --header response.bin\n"
                "  kparse decode --records 00000000000000000001.log\n"
                "  kparse decode --payload connect-assignment 0000...\n"
                "  kparse decode --batch < messages.ndjson\n",
            .formats = {Format::json},
            .takes = Takes::values | Takes::secrets | Takes::headers};
  }

  void add_options(CLI::App& app) override {
    app.add_option("--message", job_.name, "Kafka's name of the message: FetchRequest, OffsetCommitValue, ...")
        ->type_name("NAME");
    app.add_option("--version", job_.version, "Its version")->type_name("N");
    app.add_flag("--header", job_.header, "The bytes begin with the request or response header");
    app.add_flag("--records", records_, "The bytes are record batches");
    app.add_option("--payload", kind_, "The bytes are a payload known from inside fields; nothing in it is redacted")
        ->type_name("KIND")
        ->expected(0, 1);
    app.add_option("--api-key", job_.api_key, "Of a coordinator value: the type of its key")->type_name("N");
    app.add_flag("--batch", batch_, "ndjson in and out, a line for each");
    app.add_flag("--unknown-tags", unknown_tags_, "Show tagged fields that the schema lacks, as \"$tags\"");
    app.add_flag("--raw-records", raw_records_, "Show records fields unopened, in base64: encode takes them back");
    app.add_option("input", input_, "Hex digits, a file (hex or bytes), or - for standard input")
        ->type_name("HEX|FILE|-");
    payload_ = app.get_option("--payload");
  }

  int run(Context& context) override {
    const CommonOptions& o = context.options;
    JsonOptions json;
    // A payload comes without what is around it, and shows as Kafka's classes print it.
    json.show_secrets = o.show_secrets || payload_->count() > 0;
    json.unknown_tags = unknown_tags_;
    if (raw_records_) json.records = RecordsAs::base64;
    json.bytes = bytes_as(o.bytes);
    json.record_limits.max_batch = o.max_batch;
    json.record_limits.max_ratio = o.max_ratio;
    HeaderSetup headers;
    if (const int wrong = headers.load(context)) return wrong;
    json.record_limits.draft = headers.decoder();
    JobDecoder decoder(json);

    const bool payload = payload_->count() > 0;
    if (records_ && payload) return usage_error(context, "decode", "--records and --payload exclude each other");
    if ((records_ || payload) && !job_.name.empty())
      return usage_error(context, "decode", "--message goes with neither --records nor --payload");
    if (records_) job_.what = DecodeWhat::records;
    if (payload) {
      job_.what = DecodeWhat::payload;
      job_.name = kind_;
    }
    return batch_ ? many(context, decoder) : one(context, decoder);
  }

 private:
  int unreadable(Context& context) {
    context.diagnostics.error(input_ == "-" ? "standard input" : input_, std::strerror(errno));
    return status_input;
  }

  int many(Context& context, JobDecoder& decoder) {
    if (input_.empty()) input_ = "-";
    const InputFile in = open_input(input_);
    if (!in) return unreadable(context);
    decode_batch(in.get(), job_, decoder, context.out);
    return std::ferror(in.get()) == 0 ? status_done : unreadable(context);
  }

  int one(Context& context, JobDecoder& decoder) {
    if (job_.what != DecodeWhat::records && job_.name.empty())
      return usage_error(context, "decode", "one of --message, --records, --payload KIND and --batch is needed");
    if (job_.what == DecodeWhat::message && job_.version < 0)
      return usage_error(context, "decode", "--version is needed");
    std::vector<std::uint8_t> bytes;
    std::error_code none;
    auto hex = parse_hex(input_);
    if (!input_.empty() && input_ != "-" && hex && !std::filesystem::exists(input_, none)) {
      bytes = std::move(*hex);
    } else {
      if (input_.empty()) input_ = "-";
      const InputFile in = open_input(input_);
      if (!in || !read_all(in.get(), bytes)) return unreadable(context);
      if (hex = parse_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()}); hex) bytes = std::move(*hex);
    }
    JsonWriter out;
    if (const std::string wrong = decoder.run(job_, bytes, out); !wrong.empty())
      return usage_error(context, "decode", wrong);
    out.newline();
    if (out.size() > 1) context.out.write(out.view());
    for (const Note& n : decoder.notes()) tell(context, n);
    if (decoder.error()) tell(context, decoder.error());
    return decoder.failed() ? status_findings : status_done;
  }

  std::string place(NodeId node, std::uint64_t offset) const {
    char path[256];
    const std::string_view name = node == no_node ? std::string_view{} : path_of(node, path);
    return name.empty() ? fmt::format("byte {}", offset) : fmt::format("{}, byte {}", name, offset);
  }
  void tell(Context& context, const Note& n) const {
    context.diagnostics.warning(job_.name, fmt::format("{} at {}", name_of(n.rule), place(n.node, n.offset)));
  }
  void tell(Context& context, const Error& e) const {
    context.diagnostics.error(job_.name, fmt::format("{} at {}: {} bytes needed, {} there", name_of(e.code),
                                                     place(e.node, e.offset), e.need, e.have));
  }

  DecodeJob job_;
  std::string kind_, input_;
  bool records_ = false, batch_ = false, unknown_tags_ = false, raw_records_ = false;
  CLI::Option* payload_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_decode_command() { return std::make_unique<Decode>(); }

}  // namespace kparse::cli
