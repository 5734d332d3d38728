// SPDX-License-Identifier: MIT
// kparse xerial: snappy in the framing of snappy-java, written and read.
#include <cerrno>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <CLI/App.hpp>

#include "commands/byte_input.h"
#include "commands/command.h"
#include "commands/parse.h"
#include "kparse/compress.h"
#include "output/human.h"

namespace kparse::cli {
namespace {

constexpr std::int32_t swapped_one = 0x01000000;
constexpr std::size_t framing_header = 16;

std::string_view as_text(Bytes b) { return text(b); }

class XerialCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "Snappy in xerial framing, as Java clients write it: encode, decode",
            .examples =
                "  kparse xerial encode payload.bin --output payload.snappy\n"
                "  kparse xerial decode payload.snappy        framed or one raw block, told apart by 8 bytes\n"
                "  kparse xerial encode --block-size 1K < in > out    blocks as Java's producer of 0.8.2 to 0.10.2\n"
                "  kparse xerial decode --hex <<< '82534e415050590000000001000000010000000705 10 68656c6c6f'\n",
            .formats = {},
            .takes = Takes::limits};
  }

  void add_options(CLI::App& app) override {
    app.add_option("what", what_, "encode or decode")->type_name("encode|decode");
    app.add_option("input", input_, "A file, or - for standard input (the default)")->type_name("FILE|-");
    app.add_option("--block-size", block_size_, "encode: largest block before compression (default 32K)")
        ->type_name("SIZE");
    app.add_flag("--raw", raw_, "encode: one raw block without framing, as librdkafka and others write it");
    app.add_flag("--little-endian", little_endian_,
                 "encode: version fields the wrong way round, as Redpanda once wrote them");
    app.add_flag("--hex", hex_, "Input and output are hex digits");
  }

  int run(Context& context) override {
    if (what_ != "encode" && what_ != "decode")
      return usage_error(context, "xerial",
                         what_.empty() ? "encode or decode?" : fmt::format("'{}' is neither encode nor decode", what_));
    const bool encoding = what_ == "encode";
    if (!encoding && (raw_ || little_endian_ || !block_size_.empty()))
      return usage_error(context, "xerial", "--block-size, --raw and --little-endian go with encode only");
    if (raw_ && (little_endian_ || !block_size_.empty()))
      return usage_error(context, "xerial", "--raw has no framing: neither --block-size nor --little-endian");
    CompressOptions how{.xerial = !raw_};
    if (!block_size_.empty()) {
      const auto size = parse_size(block_size_);
      if (!size || *size == 0 || *size > (512u << 20))
        return usage_error(context, "xerial",
                           fmt::format("--block-size: '{}' is not a size from 1 to 512M", block_size_));
      how.xerial_block = static_cast<std::uint32_t>(*size);
    }
    if (little_endian_) how.xerial_version = how.xerial_compatible = swapped_one;

    std::vector<std::uint8_t> bytes;
    const InputFile in = open_input(input_);
    if (!in || !read_all(in.get(), bytes)) {
      context.diagnostics.error(name(), std::strerror(errno));
      return status_input;
    }
    if (hex_) {
      auto parsed = parse_hex(as_text(bytes));
      if (!parsed) {
        context.diagnostics.error(name(), "not hex digits, two for each byte");
        return status_findings;
      }
      bytes = std::move(*parsed);
    }
    return encoding ? encode(context, bytes, how) : decode(context, bytes);
  }

 private:
  [[nodiscard]] std::string name() const { return input_ == "-" ? "standard input" : input_; }

  int failed(Context& context, const Error& e) const {
    context.diagnostics.error(
        name(), fmt::format("{} at byte {}: {} bytes needed, {} there", name_of(e.code), e.offset, e.need, e.have));
    return status_findings;
  }

  void write(Context& context, Bytes bytes) const {
    if (!hex_) return context.out.write(as_text(bytes));
    for (const std::uint8_t b : bytes) context.out.print("{:02x}", b);
    context.out.write('\n');
  }

  int encode(Context& context, Bytes bytes, const CompressOptions& how) {
    Scratch scratch;
    Writer out;
    if (const Error e = compress(Codec::snappy, bytes, scratch, out, how)) return failed(context, e);
    write(context, out.view());
    return status_done;
  }

  int decode(Context& context, Bytes bytes) {
    Scratch scratch;
    const Decompressed out = decompress(Codec::snappy, bytes, scratch,
                                        {.max_out = context.options.max_batch, .max_ratio = context.options.max_ratio});
    write(context, out.data);
    if (out.error) return failed(context, out.error);
    if (!out.xerial) {
      context.diagnostics.detail(name(), fmt::format("one raw block, {} bytes", out.data.size()));
      return status_done;
    }
    if (out.xerial_version == swapped_one && out.xerial_compatible == swapped_one) {
      context.diagnostics.warning(name(), "the version fields are little-endian: some readers refuse them");
    } else if (out.xerial_version != 1 || out.xerial_compatible != 1) {
      context.diagnostics.warning(name(), fmt::format("version {}, compatible with {}: 1 and 1 are usual",
                                                      out.xerial_version, out.xerial_compatible));
    }
    if (const std::size_t ignored = surplus(bytes))
      context.diagnostics.warning(
          name(), fmt::format("{} bytes at the end are no block: ignored, as snappy-java does", ignored));
    context.diagnostics.detail(name(), fmt::format("xerial framing, {} bytes", out.data.size()));
    return status_done;
  }

  /// Bytes after the last block of a framing that was read without error.
  static std::size_t surplus(Bytes bytes) {
    std::size_t at = framing_header;
    while (bytes.size() - at >= 4) {
      const auto length = load_be<std::int32_t>(bytes.data() + at);
      at += length < 0 ? framing_header : 4 + static_cast<std::size_t>(length);  // negative: the header once more
    }
    return bytes.size() - at;
  }

  std::string what_, input_ = "-", block_size_;
  bool raw_ = false, little_endian_ = false, hex_ = false;
};

}  // namespace

std::unique_ptr<Command> make_xerial_command() { return std::make_unique<XerialCommand>(); }

}  // namespace kparse::cli
