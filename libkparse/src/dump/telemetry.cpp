// SPDX-License-Identifier: MIT
// Pushed client metrics (KIP-714): OpenTelemetry's MetricsData, compressed by a bare codec stream.
// Source: opentelemetry-proto metrics/v1/metrics.proto, field numbers as there.
#include "dump/plain_reader.h"
#include "dump/protobuf.h"

namespace kparse {
namespace {

constexpr int max_value_depth = 8;  ///< of lists in attribute values

/// Calls `each` for the fields of a message; false if they are no protobuf.
template <class F>
bool fields_of(Bytes b, F each) noexcept {
  ProtoReader in(b);
  for (ProtoField f; in.next(f);) each(f);
  return !in.failed();
}

class MetricsWriter {
 public:
  explicit MetricsWriter(JsonWriter& out) noexcept : out_(out) {}

  [[nodiscard]] bool broken() const noexcept { return broken_; }

  void metrics_data(Bytes b) noexcept {
    list("resourceMetrics", b, 1, [this](Bytes r) { resource_metrics(r); });
  }

 private:
  /// An array of the sub-messages number `id`, each an object.
  template <class F>
  void list(std::string_view name, Bytes b, std::uint32_t id, F write) noexcept {
    out_.key(name);
    out_.begin_array();
    each(b, [&](const ProtoField& f) {
      if (f.id != id || f.wire != 2) return;
      out_.begin_object();
      write(f.data);
      out_.end_object();
    });
    out_.end_array();
  }

  template <class F>
  void each(Bytes b, F f) noexcept {
    if (!fields_of(b, f)) broken_ = true;
  }

  void resource_metrics(Bytes b) noexcept {
    each(b, [this](const ProtoField& f) {
      if (f.id == 1 && f.wire == 2) attributes("resource", f.data, 1);
    });
    list("scopeMetrics", b, 2, [this](Bytes s) { scope_metrics(s); });
  }

  void scope_metrics(Bytes b) noexcept {
    each(b, [this](const ProtoField& f) {
      if (f.id != 1 || f.wire != 2) return;
      each(f.data, [this](const ProtoField& g) {
        if (g.id == 1) member(out_, "scope", g.as_text());
        if (g.id == 2) member(out_, "scopeVersion", g.as_text());
      });
    });
    list("metrics", b, 2, [this](Bytes m) { metric(m); });
  }

  void metric(Bytes b) noexcept {
    each(b, [this](const ProtoField& f) {
      switch (f.id) {
        case 1:
          return member(out_, "name", f.as_text());
        case 2:
          return member(out_, "description", f.as_text());
        case 3:
          return member(out_, "unit", f.as_text());
        case 5:
          return data("gauge", f.data, 7);
        case 7:
          return data("sum", f.data, 7);
        case 9:
          return data("histogram", f.data, 9);
        case 10:
          return data("exponentialHistogram", f.data, 1);
        case 11:
          return data("summary", f.data, 7);
        default:
          break;
      }
    });
  }

  /// `attributes_id`: number of the attributes in this kind's points.
  void data(std::string_view kind, Bytes b, std::uint32_t attributes_id) noexcept {
    member(out_, "type", kind);
    const bool numbers = attributes_id == 7 && kind != "summary";
    each(b, [&](const ProtoField& f) {
      if (f.id == 2 && f.wire == 0)
        member(out_, "temporality",
               f.number == 1   ? std::string_view("delta")
               : f.number == 2 ? "cumulative"
                               : "unspecified");
      if (f.id == 3 && f.wire == 0) {
        out_.key("monotonic");
        out_.boolean(f.number != 0);
      }
    });
    list("points", b, 1, [&](Bytes p) { numbers ? number_point(p) : distribution_point(p, attributes_id); });
  }

  void times(const ProtoField& f) noexcept {
    if (f.wire != 1) return;
    if (f.id == 2) member(out_, "startTimeNs", f.as_int());
    if (f.id == 3) member(out_, "timeNs", f.as_int());
  }

  void number_point(Bytes b) noexcept {
    attributes("attributes", b, 7);
    each(b, [this](const ProtoField& f) {
      times(f);
      if (f.id == 4 && f.wire == 1) real("value", f);
      if (f.id == 6 && f.wire == 1) member(out_, "value", f.as_int());
    });
  }

  void distribution_point(Bytes b, std::uint32_t attributes_id) noexcept {
    attributes("attributes", b, attributes_id);
    each(b, [&](const ProtoField& f) {
      times(f);
      if (f.wire != 1) return;
      if (f.id == 4) member(out_, "count", f.as_int());
      if (f.id == 5) real("sum", f);
      if (attributes_id == 9 && f.id == 11) real("min", f);
      if (attributes_id == 9 && f.id == 12) real("max", f);
    });
  }

  void real(std::string_view name, const ProtoField& f) noexcept {
    out_.key(name);
    out_.float64(f.as_double());
  }

  void attributes(std::string_view name, Bytes b, std::uint32_t id) noexcept {
    out_.key(name);
    out_.begin_object();
    each(b, [&](const ProtoField& f) {
      if (f.id == id && f.wire == 2) key_value(f.data, 0);
    });
    out_.end_object();
  }

  void key_value(Bytes b, int depth) noexcept {
    std::string_view key;
    Bytes value;
    each(b, [&](const ProtoField& f) {
      if (f.id == 1) key = f.as_text();
      if (f.id == 2) value = f.data;
    });
    out_.escaped_key(key);
    any_value(value, depth);
  }

  void any_value(Bytes b, int depth) noexcept {
    ProtoField last;
    each(b, [&](const ProtoField& f) { last = f; });
    switch (depth < max_value_depth ? last.id : 0) {
      case 1:
        (void)out_.string(last.as_text());
        return;
      case 2:
        return out_.boolean(last.number != 0);
      case 3:
        return out_.integer(last.as_int());
      case 4:
        return out_.float64(last.as_double());
      case 5:
        out_.begin_array();
        each(last.data, [&](const ProtoField& f) {
          if (f.id == 1) any_value(f.data, depth + 1);
        });
        return out_.end_array();
      case 6:
        out_.begin_object();
        each(last.data, [&](const ProtoField& f) {
          if (f.id == 1) key_value(f.data, depth + 1);
        });
        return out_.end_object();
      case 7:
        return out_.base64(last.data);
      default:
        return out_.null();
    }
  }

  JsonWriter& out_;
  bool broken_ = false;
};

}  // namespace

PayloadResult telemetry_payload(const PayloadOut& to, int compression_type, Bytes b) noexcept {
  if (compression_type < 0 || compression_type > static_cast<int>(Codec::zstd))
    return {.error = {.code = Code::unknownCodec,
                      .limit = Limit::payload,
                      .have = static_cast<std::uint64_t>(compression_type)}};
  const auto codec = static_cast<Codec>(compression_type);
  const RecordOptions& limits = to.shared.options.record_limits;
  const Decompressed open =
      decompress(codec, b, to.shared.payload_scratch, {.max_out = limits.max_batch, .max_ratio = limits.max_ratio});
  JsonWriter& out = to.json;
  out.begin_object();
  member(out, "codec", name_of(codec));
  MetricsWriter writer(out);
  writer.metrics_data(open.data);
  PayloadResult result{.any = true, .error = open.error};
  if (!result.error && writer.broken()) result.error = {.code = Code::corrupt, .limit = Limit::payload};
  if (result.error) {
    out.key("error");
    write_error(out, result.error);
  }
  out.end_object();
  return result;
}

}  // namespace kparse
