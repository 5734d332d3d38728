// SPDX-License-Identifier: MIT
// Random values of every message and version: encode, decode, and the same values and bytes come back.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <memory>
#include <random>
#include <string>

#include "encoding.h"
#include "generator.h"
#include "json_check.h"

namespace kparse::test {
namespace {

TEST(EncodeProperty, RandomValuesComeBack) {
  const JsonOptions options{.show_secrets = true, .unknown_tags = true, .decoded = false};
  std::size_t done = 0;
  for (const Message& m : messages()) {
    for (int v = m.versions.lo; v <= m.versions.hi; ++v) {
      for (unsigned seed = 0; seed < 4; ++seed, ++done) {
        rapidjson::Document d;
        const Json value = Generator(d, m, v, seed * 7919 + m.root).message();
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

/// On the heap to its last byte, so that a sanitizer sees a read past the end.
/// True: an error, or a note that says what isn't as it should be (cut bytes may be whole in an older layout).
bool complains(const Message& m, int version, Bytes in) {
  const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[in.size()]);
  std::copy(in.begin(), in.end(), exact.get());
  static JsonDump dump(JsonOptions{.unknown_tags = true});
  static JsonWriter text;
  text.clear();
  const Error e = dump.body(text, m, version, {exact.get(), in.size()});
  EXPECT_LE(e.offset, in.size()) << m.name << " " << version;
  EXPECT_TRUE(valid_json(text.view())) << m.name << " " << version << " " << to_hex(in);
  return e || dump.notes().size() > 0;
}

TEST(EncodeProperty, EveryPrefixIsAnErrorAndNoFlippedByteIsWorse) {
  std::size_t prefixes = 0, flips = 0, told = 0;
  for (const Message& m : messages()) {
    for (int v = m.versions.lo; v <= m.versions.hi; ++v) {
      rapidjson::Document d;
      const Encoded e = encode(m.name, v, Generator(d, m, v, 17).message());
      ASSERT_FALSE(e.error);
      Blob bytes = from_hex(e.hex);
      if (bytes.size() > 300) continue;
      for (std::size_t n = 0; n < bytes.size(); ++n, ++prefixes)
        ASSERT_TRUE(complains(m, v, Bytes(bytes).first(n))) << m.name << " " << v << " " << n << " of " << e.hex;
      for (std::size_t i = 0; i < bytes.size(); ++i, ++flips) {
        const auto flip = static_cast<std::uint8_t>(1u << i % 8);
        bytes[i] ^= flip;
        told += complains(m, v, bytes);
        bytes[i] ^= flip;
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(prefixes, 20'000u);
  EXPECT_GT(told, flips / 10);
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
        Json value = Generator(d, m, v, round).message();
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
