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
    if (b.codec != Codec::none) {
      if (bool* const k = compressing_.get(key_)) *k = true;
      if (Row* const r = find(seen, false)) r->batches = 0;
      return;
    }
    if (static_cast<double>(b.payload.size()) <= option(1) || (option(0) == 0 && !compressing_.find(key_))) return;
    Row* const r = find(seen, true);
    if (!r || r->done) return;
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
    std::uint64_t batches = 0;
    double ratio = 0;
    Stamp at;
    bool done = false;
  };

  Row* find(const RecordsSeen& seen, bool make) {
    row_key_ = key_;
    (row_key_ += '\n') += topic(seen.topic);
    return make ? rows_.get(row_key_) : rows_.find(row_key_);
  }

  double ratio_of(Bytes payload) {
    const Bytes part = payload.first(std::min(payload.size(), most_tried));
    packed_.clear();
    if (compress(Codec::zstd, part, scratch_, packed_) || packed_.size() == 0) return 0;
    return static_cast<double>(part.size()) / static_cast<double>(packed_.size());
  }

  Bounded<std::string, bool> compressing_;
  Bounded<std::string, Row> rows_;
  Scratch scratch_;
  Writer packed_;
  std::string key_, row_key_;
};

}  // namespace

KPARSE_RULE(kp_compr_off, ComprOff, .id = "KP-COMPR-OFF", .severity = Severity::warning, .scope = RuleScope::client,
            .condition = "A client that sent compressed batches earlier in the capture (or any, with expect-compression) "
                         "sends many uncompressed ones in a row to a topic, each large and such that zstd shrinks it much. "
                         "Single uncompressed batches among compressed ones are normal (kafka-python, franz-go).",
            .why = "Compression was dropped silently, for example by librdkafka where a broker advertises Produce from 3.",
            .fix = "Update the client (librdkafka#4956); check compression.type.",
            .example = "10.0.0.1:4711 (\"billing\") sends uncompressed batches to orders that would shrink 8.3 times.",
            .sources = "librdkafka#4956; KAFKA-18659; kafka#18727", .options = options);

}  // namespace kparse::lint
