// SPDX-License-Identifier: MIT
// .kparse.toml, --set and --fail-on.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "lint/settings.h"

namespace kparse::findings {
namespace {

namespace fs = std::filesystem;

class ConfigFile : public testing::Test {
 protected:
  ConfigFile() {
    std::string name = (fs::temp_directory_path() / "kparse-config-XXXXXX").string();
    if (mkdtemp(name.data())) folder_ = name;
  }
  ~ConfigFile() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  ConfigError read(const std::string& text) {
    const fs::path file = folder_ / ".kparse.toml";
    std::ofstream(file) << text;
    config_ = {};
    return read_config(file.string(), config_);
  }
  static const RuleInfo& any_rule() { return *rule_catalogue().front(); }
  static const RuleInfo* with_option() {
    for (const RuleInfo* rule : rule_catalogue())
      if (!rule->options.empty()) return rule;
    return nullptr;
  }

  fs::path folder_;
  Config config_;
};

TEST_F(ConfigFile, AllItCanSay) {
  if (rule_catalogue().empty() || !with_option()) GTEST_SKIP() << "no rules";
  const std::string id(any_rule().id), option = std::string(with_option()->id) + "." + std::string(with_option()->options[0].name);
  const ConfigError error = read("select = [\"" + id + "\", \"KP-*\"]\nignore = \"" + id + "\"\ncompacted = [\"states\"]\n" +
                                 "baseline = \"known.json\"\nfail-on = \"warning\"\n[set]\n\"" + option +
                                 "\" = 250\n[audit]\ntarget = \"4.0\"\nfail-on = \"refused\"\n");
  ASSERT_EQ(error.message, "") << error.line;
  EXPECT_EQ(config_.lint.select, (std::vector<std::string>{id, "KP-*"}));
  EXPECT_EQ(config_.lint.ignore, std::vector<std::string>{id});
  EXPECT_EQ(config_.lint.compacted, std::vector<std::string>{"states"});
  EXPECT_EQ(config_.lint.set.at(option), 250);
  EXPECT_EQ(config_.baseline, (folder_ / "known.json").string());
  ASSERT_TRUE(config_.fail_on.given);
  EXPECT_EQ(config_.fail_on.at_least, Severity::warning);
  EXPECT_EQ(config_.audit_target, "4.0");
  EXPECT_EQ(config_.audit_fail_on, "refused");
}

// An option's name without quotes is a table in a table for TOML.
TEST_F(ConfigFile, OptionNamesNeedNoQuotes) {
  if (!with_option()) GTEST_SKIP() << "no rules";
  const std::string option = std::string(with_option()->id) + "." + std::string(with_option()->options[0].name);
  ASSERT_EQ(read("[set]\n" + option + " = 1.5\n").message, "");
  EXPECT_EQ(config_.lint.set.at(option), 1.5);
}

TEST_F(ConfigFile, MistakesHaveTheirLine) {
  struct Case {
    const char* text;
    int line;
    const char* says;
  };
  for (const Case& c : {Case{"select = [\n  \"KP-NOSUCH\",\n]\n", 2, "KP-NOSUCH"}, Case{"\nselekt = []\n", 2, "selekt"},
                        Case{"fail-on = \"critical\"\n", 1, "critical"}, Case{"[set]\n\n\"KP-NOSUCH.x\" = 1\n", 3, "KP-NOSUCH"},
                        Case{"select = [\"KP-*\"\nignore = []\n", 2, ""}, Case{"compacted = 3\n", 1, "compacted"},
                        Case{"[audit]\ntarget = 4\n", 2, "target"}, Case{"[audit]\nfail-on = \"maybe\"\n", 2, "maybe"}}) {
    const ConfigError error = read(c.text);
    EXPECT_NE(error.message, "") << c.text;
    EXPECT_EQ(error.line, c.line) << c.text << error.message;
    EXPECT_NE(error.message.find(c.says), std::string::npos) << error.message;
  }
}

TEST_F(ConfigFile, LettersBeyondAsciiBelongInQuotesAndComments) {
  EXPECT_EQ(read("# \u00e9\ncompacted = ['\u00e9', \"a\\\"\u00e9\", \"\"\"\n\u00e9\"\"\"] # \u00e9\n").message, "");
  const ConfigError wrong = read("compacted = []\n\u00e9 = 1\n");
  EXPECT_NE(wrong.message, "");
  EXPECT_EQ(wrong.line, 2);
  EXPECT_NE(read("select\ufe3f= 1\n").message, "");
}

TEST_F(ConfigFile, AQuoteBehindAWordBeginsNothing) {
  EXPECT_EQ(read("select = [\"KP-CRC\"]\ne=.[33'x3:\u034e 3\n").line, 2);
  EXPECT_EQ(read("compacted = [\"gr\u00f6\u00dfe\", 'caf\u00e9']\n").message, "");
}

TEST_F(ConfigFile, AQuoteBehindOtherBytesBeginsNothing) {
  for (const char* text : {"ele=3~\"\u00e9\"\n", "ele = 1\x18\"\ufedf\"\n", "ele = \"a\"'\u00e9'\n", "ele = ]'\u00e9'\n",
                           "\x01" "0 =0b0dy.'''\ufedf\t\t\t:Q\t0ey"})
    EXPECT_NE(read(text).message, "") << text;
  EXPECT_EQ(read("compacted = [\"\u00e9\",'\u00e8', \"\ufedf\"]\n").message, "");
}

TEST_F(ConfigFile, ABackslashBeforeOtherLettersIsAMistake) {
  for (const char* text : {"compacted = \"\\\u00e9\"\n", "compacted = \"\"\"\\ \u00e9\"\"\"\n"})
    EXPECT_NE(read(text).message, "") << text;
  EXPECT_EQ(read("compacted = [\"\\\"\u00e9\", \"\"\"a\\\n  b \u00e9\"\"\", \"\"\"\\\n \u00e9\"\"\"]\n").message, "");
}

TEST_F(ConfigFile, OddBytesInAHeaderAreAMistake) {
  EXPECT_NE(read("[\x01[lint]\nselect = n").message, "");
  EXPECT_NE(read("[\x01").message, "");
}

TEST_F(ConfigFile, AnEmptyOneIsFine) { EXPECT_EQ(read("").message, ""); }

TEST_F(ConfigFile, AMissingOneIsNot) { EXPECT_NE(read_config((folder_ / "none.toml").string(), config_).message, ""); }

TEST_F(ConfigFile, TheNearestCounts) {
  const fs::path inner = folder_ / "a" / "b";
  fs::create_directories(inner);
  (void)read("");
  EXPECT_EQ(fs::path(find_config(inner.string())), folder_ / ".kparse.toml");
  std::ofstream(folder_ / "a" / ".kparse.toml") << "";
  EXPECT_EQ(fs::path(find_config(inner.string())), folder_ / "a" / ".kparse.toml");
}

TEST(Settings, AddSetting) {
  LintOptions options;
  for (const char* wrong : {"", "KP-SLOW", "KP-SLOW=5", "KP-NOSUCH.x=5", "KP-SLOW.slow-ms=", "KP-SLOW.slow-ms=fast", "=5",
                            "KP-SLOW.slow-ms=nan", "KP-SLOW.slow-ms=inf", "KP-SLOW.slow-ms=-1"})
    EXPECT_NE(add_setting(options, wrong), "") << wrong;
  EXPECT_TRUE(options.set.empty());
  for (const RuleInfo* rule : rule_catalogue())
    for (const RuleOption& option : rule->options) {
      const std::string name = std::string(rule->id) + "." + std::string(option.name);
      EXPECT_EQ(add_setting(options, name + "=0.25"), "");
      EXPECT_EQ(options.set[name], 0.25);
    }
}

TEST(Settings, FailOn) {
  EXPECT_EQ(parse_fail_on("warning")->at_least, Severity::warning);
  EXPECT_EQ(parse_fail_on("never")->at_least, std::nullopt);
  EXPECT_FALSE(parse_fail_on("Warning"));
  EXPECT_FALSE(parse_fail_on(""));
}

}  // namespace
}  // namespace kparse::findings
