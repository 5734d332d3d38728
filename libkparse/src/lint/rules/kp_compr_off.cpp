// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kparse/compress.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {
    {"expect-compression", 0, "", "1: take every client for one that means to compress"},
    {"compr-min-bytes", 4096, "bytes", "smaller batches don't count"},
    {"compr-ratio", 2, "times", "how much a batch must shrink to be worth compressing"},
    {"compr-min-batches", 10, "", "so many batches in a row"},
};
/// More of a batch isn't tried: its beginning is like the rest.
constexpr std::size_t most_tried = 256u << 10;

class ComprOff final : public Rule {
 public:
  using Rule::Rule;

  void begin_batch(const RecordsSeen& seen, const Batch& b) override {
    if (seen.via != Via::produce || !b.readable || b.control) return;
    const Conn& c = conn();
    key_.assign(c.client_host());
    (key_ += '\n') += c.client_id;
    (key_ += '\n') += topic(seen.topic);
    if (b.codec != Codec::none) {
      if (Row* const r = rows_.get(key_, room_)) {
        r->compressed = true;
        r->batches = 0;
      }
      return;
    }
    if (static_cast<double>(b.payload.size()) <= option(1)) return;
    Row* const r = option(0) != 0 ? rows_.get(key_, room_) : rows_.find(key_);
    if (!r || r->done || (!r->compressed && option(0) == 0)) return;
    const double ratio = ratio_of(b.payload);
    if (ratio <= option(2)) {
      r->batches = 0;
      return;
    }
    if (r->batches++ == 0) r->at = frames().request->frame.first;
    r->ratio = r->batches == 1 ? ratio : std::min(r->ratio, ratio);
    if (static_cast<double>(r->batches) < option(3)) return;
    r->done = true;
    const std::string name = topic(seen.topic);
    hit({.topic = name, .at = &r->at, .count = r->batches}, [&](Text& t) {
      t << who(c) << " sends uncompressed batches to " << Quoted{name} << " that would shrink " << Decimal{r->ratio}
        << " times.";
    });
  }

 private:
  struct Row {
    bool compressed = false;
    std::uint64_t batches = 0;   ///< uncompressed ones since, in a row
    double ratio = 0;
    Stamp at;
    bool done = false;
  };

  double ratio_of(Bytes payload) {
    const Bytes part = payload.first(std::min(payload.size(), most_tried));
    packed_.clear();
    if (compress(Codec::zstd, part, scratch_, packed_) || packed_.size() == 0) return 0;
    return static_cast<double>(part.size()) / static_cast<double>(packed_.size());
  }

  Room room_{*this, "clients with a topic"};
  Bounded<std::string, Row> rows_;
  Scratch scratch_;
  Writer packed_;
  std::string key_;   ///< client and topic
};

}  // namespace

KPARSE_RULE(kp_compr_off, ComprOff, .id = "KP-COMPR-OFF", .severity = Severity::warning, .scope = RuleScope::client,
            .condition = "A client that sent compressed batches to a topic earlier in the capture (or any, with "
                         "expect-compression) sends it many uncompressed ones in a row, each large and such that zstd shrinks it much. "
                         "Single uncompressed batches among compressed ones are normal (kafka-python, franz-go).",
            .why = "Compression was dropped silently, for example by librdkafka where a broker advertises Produce from 3.",
            .fix = "Update the client (librdkafka#4956); check compression.type.",
            .example = "10.0.0.1:50000 (\"billing\") sends uncompressed batches to orders that would shrink 15.2 "
                       "times.",
            .sources = "librdkafka#4956; KAFKA-18659; kafka#18727", .options = options);

}  // namespace kparse::lint
