// SPDX-License-Identifier: MIT
// Random values of every message and version: encode, decode, and the same values and bytes come back.
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <random>
#include <string>

#include "commands/json_source.h"
#include "encode/fields.h"
#include "encode/scalar.h"
#include "encoding.h"
#include "json_check.h"

namespace kparse::test {
namespace {

class Generator {
 public:
  Generator(rapidjson::Document& d, int version, bool flexible, unsigned seed)
      : memory_(d.GetAllocator()), version_(version), flexible_(flexible), random_(seed) {}

  Json structure(NodeId n) {
    Json v(rapidjson::kObjectType);
    const FieldList list(n);
    for (std::size_t i = 0; i < list.count; ++i) {
      const NodeId at = list.node[i];
      const Field& f = field(at);
      if (!f.versions.has(version_)) continue;
      Json member = value(at);
      // A tagged field at its default isn't written.
      if (f.tagged.has(version_) &&
          (roll(3) == 0 || !differs_from_default(source_, at, cli::JsonSource::value(member))))
        continue;
      v.AddMember(rapidjson::StringRef(f.name.data(), f.name.size()), member, memory_);
    }
    if (flexible_ && roll(4) == 0) v.AddMember("$tags", tags(), memory_);
    return v;
  }

 private:
  std::uint64_t roll(std::uint64_t n) { return random_() % n; }

  Json tags() {
    Json list(rapidjson::kArrayType);
    for (std::int64_t tag = 50; roll(3) > 0; tag += 1 + static_cast<std::int64_t>(roll(100'000))) {
      Json entry(rapidjson::kObjectType);
      entry.AddMember("tag", Json(tag), memory_);
      entry.AddMember("data", base64(), memory_);
      list.PushBack(entry, memory_);
    }
    return list.Empty() ? Json(rapidjson::kArrayType) : std::move(list);
  }

  Json value(NodeId n) {
    const Field& f = field(n);
    if (f.type == Type::records) return f.nullable.has(version_) ? Json() : Json("");  // decoding shows it otherwise
    if (f.nullable.has(version_) && roll(4) == 0) return Json();
    if (!f.array) return single(n);
    Json list(rapidjson::kArrayType);
    for (std::uint64_t i = roll(4); i > 0; --i) list.PushBack(single(n), memory_);
    return list;
  }

  Json single(NodeId n) {
    const Field& f = field(n);
    switch (f.type) {
      case Type::structure:
        return structure(n);
      case Type::boolean:
        return Json(roll(2) == 0);
      case Type::float64:
        return Json(static_cast<double>(random_()) / 7.0);
      case Type::uuid: {
        std::string id;
        for (int i = 0; i < 21; ++i) id += "ABCxyz019-_"[roll(11)];
        return Json((id + "g").c_str(), memory_);
      }
      case Type::string: {
        std::string text;
        for (std::uint64_t i = roll(8) == 0 ? 200 : roll(6); i > 0; --i) text += roll(9) == 0 ? "\u00e9" : "k";
        return Json(text.c_str(), memory_);
      }
      case Type::bytes:
        return base64();
      default: {
        const IntegerRange range = range_of(f.type);
        const auto span = static_cast<std::uint64_t>(range.hi) - static_cast<std::uint64_t>(range.lo);
        const std::uint64_t above = span == ~std::uint64_t{0} ? random_() : roll(span + 1);
        return Json(static_cast<std::int64_t>(static_cast<std::uint64_t>(range.lo) + above));
      }
    }
  }

  Json base64() {
    std::string bytes(roll(8) == 0 ? 300 : roll(8), '\0');
    for (char& c : bytes) c = static_cast<char>(random_());
    JsonWriter w;
    w.base64({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    return Json(std::string(w.view().substr(1, w.size() - 2)).c_str(), memory_);
  }

  rapidjson::Document::AllocatorType& memory_;
  int version_;
  bool flexible_;
  std::mt19937_64 random_;
  cli::JsonSource source_;
};

/// "$tags" of no entry isn't printed.
std::string without_empty_tags(const rapidjson::Value& v) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  v.Accept(writer);
  std::string text = buffer.GetString();
  for (const std::string empty : {",\"$tags\":[]", "\"$tags\":[]"})
    for (std::size_t at; (at = text.find(empty)) != std::string::npos;) text.erase(at, empty.size());
  return text;
}

/// Records of no bytes as Kafka's converter has them: "".
void without_records_objects(rapidjson::Value& v) {
  if (v.IsArray())
    for (auto& element : v.GetArray()) without_records_objects(element);
  if (!v.IsObject()) return;
  if (v.HasMember("sizeInBytes")) {
    v.SetString("");
    return;
  }
  for (auto& member : v.GetObject()) without_records_objects(member.value);
}

TEST(EncodeProperty, RandomValuesComeBack) {
  const JsonOptions options{.show_secrets = true, .unknown_tags = true, .decoded = false};
  std::size_t done = 0;
  for (const Message& m : messages()) {
    for (int v = m.versions.lo; v <= m.versions.hi; ++v) {
      for (unsigned seed = 0; seed < 4; ++seed, ++done) {
        rapidjson::Document d;
        const Json value = Generator(d, v, m.flexible.has(v), seed * 7919 + m.root).structure(m.root);
        const Encoded e = encode(m.name, v, value);
        ASSERT_FALSE(e.error) << m.name << " " << v << ": " << e.path << ": " << e.message;
        const Blob bytes = from_hex(e.hex);
        // The newest layout was written, so it is to be read, even where an older one fits as well.
        JsonDump dump(options);
        JsonWriter text;
        const Error error = dump.body(text, m, v, bytes);
        ASSERT_FALSE(error) << m.name << " " << v << " " << e.hex;
        ASSERT_EQ(dump.notes().size(), 0u)
            << m.name << " " << v << " " << name_of(dump.notes()[0].rule) << " " << e.hex;
        auto back = parsed(text.view());
        ASSERT_EQ(difference(back, parsed(without_empty_tags(value)), {}), "") << m.name << " " << v << " " << e.hex;
        without_records_objects(back);
        ASSERT_EQ(encode(m.name, v, back).hex, e.hex) << m.name << " " << v;
      }
    }
  }
  EXPECT_GE(done, 3512u);
}

/// The n-th value of all, in pre-order.
rapidjson::Value* nth(rapidjson::Value& v, std::size_t& n) {
  if (n-- == 0) return &v;
  if (v.IsArray())
    for (auto& element : v.GetArray())
      if (auto* found = nth(element, n)) return found;
  if (v.IsObject())
    for (auto& member : v.GetObject())
      if (auto* found = nth(member.value, n)) return found;
  return nullptr;
}

TEST(EncodeProperty, AnyValueInAnyPlaceIsWrittenOrRefused) {
  constexpr const char* others[] = {"null", "[]",   "{}", "\"x\"", "1e300", "true", "-9223372036854775808",
                                    "[{}]", "[[1]]"};
  std::mt19937 random(3);
  std::size_t refusals = 0, written = 0;
  for (const Message& m : messages()) {
    for (int v = m.versions.lo; v <= m.versions.hi; ++v) {
      for (unsigned round = 0; round < 6; ++round) {
        rapidjson::Document d, other;
        Json value = Generator(d, v, m.flexible.has(v), round).structure(m.root);
        std::size_t places = ~std::size_t{0};
        (void)nth(value, places);
        std::size_t place = random() % (~std::size_t{0} - places);
        other.Parse(others[random() % std::size(others)]);
        *nth(value, place) = Json(other, d.GetAllocator());
        const Encoded e = encode(m.name, v, value);
        ++(e.error ? refusals : written);
        if (e.error) {
          ASSERT_EQ(e.hex, "");
          ASSERT_NE(e.message, "");
          continue;
        }
        const Blob bytes = from_hex(e.hex);
        JsonDump dump(JsonOptions{.decoded = false});
        JsonWriter text;
        ASSERT_FALSE(dump.body(text, m, v, bytes)) << m.name << " " << v << " " << e.hex;
        ASSERT_EQ(dump.notes().size(), 0u) << m.name << " " << v << " " << e.hex;
      }
    }
  }
  EXPECT_GT(refusals, 1000u);
  EXPECT_GT(written, 200u);
}

}  // namespace
}  // namespace kparse::test
