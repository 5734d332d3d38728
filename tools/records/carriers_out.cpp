// SPDX-License-Identifier: MIT
#include "records/carriers_out.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

namespace kparse::cli {
namespace {

/// Keeps fields as JSON, those of one name together.
class JsonFields final : public CarrierFields {
 public:
  explicit JsonFields(BytesAs bytes) : bytes_(bytes == BytesAs::nothing ? BytesAs::text : bytes) {}

  void text(std::string_view name, std::string_view v) noexcept override {
    value_.clear();
    (void)value_.string(v);
    add(name);
  }
  void integer(std::string_view name, std::int64_t v) noexcept override {
    value_.clear();
    value_.integer(v);
    add(name);
  }
  void bytes(std::string_view name, Bytes v) noexcept override {
    value_.clear();
    write_bytes(value_, v, bytes_);
    add(name);
  }

  void write(JsonWriter& w) const {
    w.begin_object();
    for (const auto& [name, values] : fields_) {
      w.escaped_key(name);
      if (values.size() == 1) {
        w.raw(values.front());
        continue;
      }
      w.begin_array();
      for (const std::string& v : values) w.raw(v);
      w.end_array();
    }
    w.end_object();
  }

 private:
  void add(std::string_view name) {
    for (auto& [known, values] : fields_) {
      if (known == name) {
        values.emplace_back(value_.view());
        return;
      }
    }
    fields_.emplace_back(name, std::vector<std::string>{std::string(value_.view())});
  }

  BytesAs bytes_;
  JsonWriter value_;
  std::vector<std::pair<std::string, std::vector<std::string>>> fields_;
};

/// The first few, for people.
class TextFields final : public CarrierFields {
 public:
  explicit TextFields(std::string& out) : out_(out) {}
  void text(std::string_view name, std::string_view v) noexcept override { add(name, v.substr(0, most)); }
  void integer(std::string_view name, std::int64_t v) noexcept override { add(name, std::to_string(v)); }
  void bytes(std::string_view name, Bytes v) noexcept override { add(name, fmt::format("{} bytes", v.size())); }

 private:
  static constexpr std::size_t most = 48, fields = 4;
  void add(std::string_view name, std::string_view v) {
    if (count_++ < fields) out_ += fmt::format(" {}={}", name, v);
  }
  std::string& out_;
  std::size_t count_ = 0;
};

}  // namespace

void write_carriers(JsonWriter& w, const Record& r, BytesAs bytes) {
  const CarriersSeen found = recognise(r);
  if (found.size == 0) {
    w.null();
    return;
  }
  w.begin_array();
  for (const CarrierSeen& f : found) {
    w.begin_object();
    w.key("kind");
    (void)w.string(name_of(f.carrier));
    w.key("where");
    (void)w.string(info_of(f.carrier).in_value && f.header.empty() ? "value" : "headers");
    w.key("confidence");
    (void)w.string(name_of(f.confidence));
    w.key("fields");
    JsonFields fields(bytes);
    describe(f, r, fields);
    fields.write(w);
    w.end_object();
  }
  w.end_array();
}

std::string carriers_text(const Record& r) {
  std::string out;
  for (const CarrierSeen& f : recognise(r)) {
    out += (out.empty() ? "" : ", ") + std::string(name_of(f.carrier));
    TextFields fields(out);
    describe(f, r, fields);
  }
  return out;
}

}  // namespace kparse::cli
