// SPDX-License-Identifier: MIT
#include <algorithm>
#include <initializer_list>

#include "kparse/record_walk.h"
#include "lint/batch_rule.h"
#include "lint/inner_messages.h"
#include "lint/lz4_frame.h"

namespace kparse::lint {
namespace {

class CodecMismatch final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_bad_batch(const RecordsSeen& r, const BatchFacts& f, const Error& e) override {
    const Batch& b = f.batch;
    if (b.codec == Codec::none || e.limit != Limit::payload || !sound(b)) return;
    if (e.code != Code::corrupt && e.code != Code::truncated) return;
    if (b.codec == Codec::lz4) {  // these have rules of their own
      const Lz4Frame frame = lz4_frame(b.payload);
      if (frame.wrong_as_legacy() || lz4_damage(b.payload, frame, b.opened) != Lz4Damage::none) return;
    }
    found(r, [&](Text& t, const Partition& at) {
      t << "Batch at " << at << " offset " << b.base_offset << " says " << name_of(b.codec) << " but holds "
        << content(b, e) << ".";
    });
  }

 private:
  static std::string content(const Batch& b, const Error& e) {
    const Bytes p = b.payload;
    const auto begins = [p](std::initializer_list<std::uint8_t> with) {
      return p.size() >= with.size() && std::equal(with.begin(), with.end(), p.begin());
    };
    if (p.empty()) return "nothing";
    if (std::ranges::all_of(p, [](std::uint8_t byte) { return byte == 0; })) return "zeros only";
    const Codec seen = begins({0x1f, 0x8b})               ? Codec::gzip
                       : begins({0x04, 0x22, 0x4d, 0x18}) ? Codec::lz4
                       : begins({0x28, 0xb5, 0x2f, 0xfd}) ? Codec::zstd
                       : begins({0x82, 'S', 'N', 'A'})    ? Codec::snappy
                                                          : Codec::none;
    const std::string name(name_of(b.codec));
    if (seen == b.codec || (seen == Codec::none && !b.opened.empty()))
      return (e.code == Code::truncated ? "a cut " : "a damaged ") + name + " stream";
    if (seen != Codec::none) return std::string(name_of(seen));
    if (is_plain(b)) return "plain records";
    if (b.codec != Codec::snappy) {
      Scratch scratch;
      if (!decompress(Codec::snappy, p, scratch, {.max_out = 16u << 20}).error) return "raw snappy";
    }
    return "no " + name + " stream";
  }
  static bool is_plain(const Batch& b) noexcept {
    if (b.magic < 2) {
      bool any = false;
      each_inner(b.payload, [&](const InnerMessage& m) { any = any || m.magic <= 1; });
      return any;
    }
    Record record;
    std::int64_t time = 0;
    std::int32_t delta = -1;
    const Bytes p = b.payload;
    return detail::read_record(p.data(), p.data() + p.size(), record, time, delta) && delta == 0;
  }
};

}  // namespace

KPARSE_RULE(kp_codec_mismatch, CodecMismatch, .id = "KP-CODEC-MISMATCH", .severity = Severity::error,
            .scope = RuleScope::batch,
            .condition =
                "A batch says that it is compressed and its CRC is right, but it can't be decompressed: "
                "it holds another codec, plain records, or no valid stream.",
            .why = "Consumers stop there. A broken zstd plug-in of kafkajs, for one, wrote zeros.",
            .fix = "Look at the producer's codec library, and at the attributes that it writes.",
            .example = "Batch at orders-0 offset 0 says zstd but holds zeros only.",
            .sources = "kafkajs#911; kafkajs#971");

}  // namespace kparse::lint
