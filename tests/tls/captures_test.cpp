// SPDX-License-Identifier: MIT
// Captures of real clients and brokers, with their key logs, against what an independent program found inside.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "streams.h"

namespace kparse::test {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string name, capture, key_log, truth;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<Case> cases() {
  std::vector<Case> all;
  const std::string folder = shared_folder() + "/captures/tls";
  rapidjson::Document manifest;
  manifest.Parse(read_text(folder + "/manifest.json").c_str());
  if (!manifest.IsArray()) return {Case{}};
  for (const auto& e : manifest.GetArray()) {
    const auto text = [&e](const char* key) {
      return e.HasMember(key) && e[key].IsString() ? e[key].GetString() : std::string();
    };
    if (text("plaintext").empty()) continue;
    const std::string log = text("keylog");
    all.push_back({text("name"), folder + "/" + text("file"), log.empty() ? "" : folder + "/" + log,
                   folder + "/" + text("plaintext")});
  }
  return all;
}

KeyLog log_of(const Case& c) {
  KeyLog log;
  if (!c.key_log.empty()) log.add_text(read_text(c.key_log));
  return log;
}

class TlsCaptures : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (GetParam().name.empty()) GTEST_SKIP() << "no captures/tls";
  }
};

rapidjson::Document truth_of(const Case& c) {
  rapidjson::Document d;
  d.Parse(read_text(c.truth).c_str());
  return d;
}

const Inner* find(const std::map<std::uint64_t, Inner>& all, const std::string& client) {
  for (const auto& [n, i] : all)
    if (i.client == client) return &i;
  return nullptr;
}

TEST_P(TlsCaptures, inner_bytes_are_those_of_the_truth) {
  KeyLog log = log_of(GetParam());
  const auto all = open_capture(GetParam().capture, log);
  const rapidjson::Document truth = truth_of(GetParam());
  std::size_t with_bytes = 0;
  for (const auto& t : truth.GetArray()) {
    const Inner* inner = find(all, t["client"].GetString());
    const char* hashes[2] = {t["clientSha256"].GetString(), t["serverSha256"].GetString()};
    for (const int side : {0, 1}) {
      const std::string bytes = inner != nullptr ? inner->bytes[side] : "";
      EXPECT_EQ(sha256(bytes), hashes[side])
          << t["client"].GetString() << " side " << side << ", " << bytes.size() << " bytes";
      if (!bytes.empty()) ++with_bytes;
    }
  }
  std::size_t opened = 0;
  for (const auto& [n, i] : all) {
    opened += !i.bytes[0].empty() + !i.bytes[1].empty();
    EXPECT_EQ(i.sealed_told, !i.info.opened()) << n;
    EXPECT_TRUE(i.holes[0].empty() && i.holes[1].empty()) << n;
    EXPECT_EQ(i.info.client.failed_records + i.info.server.failed_records, 0u) << n;
  }
  EXPECT_EQ(opened, with_bytes);
}

INSTANTIATE_TEST_SUITE_P(Shared, TlsCaptures, testing::ValuesIn(cases()), [](const auto& i) {
  std::string name = i.param.name.empty() ? "none" : i.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace kparse::test
