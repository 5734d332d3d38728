// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <filesystem>

// toml++ asserts what odd files break, and lets clang assume it under NDEBUG: it is to do neither, its parser finds the error.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include "kparse/releases.h"
#include "lint/settings.h"
#include "output/whole_file.h"

namespace kparse::findings {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view file_name = ".kparse.toml";

class Reader {
 public:
  explicit Reader(Config& to) : to_(to) {}

  ConfigError read(const toml::table& root) {
    for (const auto& [key, value] : root) {
      entry(key.str(), value);
      if (!error_.message.empty()) break;
    }
    return error_;
  }

 private:
  void fail(const toml::node& at, std::string message) {
    if (error_.message.empty()) error_ = {std::move(message), static_cast<int>(at.source().begin.line)};
  }

  void entry(std::string_view key, const toml::node& value) {
    if (key == "select") {
      rules(key, value, to_.lint.select);
    } else if (key == "ignore") {
      rules(key, value, to_.lint.ignore);
    } else if (key == "compacted") {
      strings(key, value, [&](const std::string& text, const toml::node&) { to_.lint.compacted.push_back(text); });
    } else if (key == "set") {
      settings(value);
    } else if (key == "baseline") {
      if (const auto text = string(key, value)) to_.baseline = (fs::path(to_.file).parent_path() / *text).string();
    } else if (key == "fail-on") {
      if (const auto text = string(key, value)) {
        const auto parsed = parse_fail_on(*text);
        if (!parsed) return fail(value, fmt::format("fail-on: '{}' is none of error, warning, notice, info, never", *text));
        to_.fail_on = *parsed;
      }
    } else if (key == "audit") {
      audit(value);
    } else {
      fail(value, fmt::format("'{}' is none of select, ignore, set, compacted, baseline, fail-on, audit", key));
    }
  }

  std::optional<std::string> string(std::string_view key, const toml::node& value) {
    if (const auto* text = value.as_string()) return text->get();
    fail(value, fmt::format("{} is a text in quotes", key));
    return std::nullopt;
  }

  /// A text or a list of them.
  template <class F>
  void strings(std::string_view key, const toml::node& value, F each) {
    if (const auto* text = value.as_string()) return each(text->get(), value);
    const auto* list = value.as_array();
    if (!list) return fail(value, fmt::format("{} is a list of texts in quotes", key));
    for (const toml::node& item : *list) {
      const auto* text = item.as_string();
      if (!text) return fail(item, fmt::format("{} is a list of texts in quotes", key));
      each(text->get(), item);
    }
  }

  void rules(std::string_view key, const toml::node& value, std::vector<std::string>& to) {
    strings(key, value, [&](const std::string& text, const toml::node& at) {
      LintOptions alone;
      alone.select.push_back(text);
      if (std::string wrong = wrong_with(alone); !wrong.empty()) return fail(at, std::move(wrong));
      to.push_back(text);
    });
  }

  /// [set] with "KP-SLOW.slow-ms" = 500, or KP-SLOW.slow-ms = 500, which TOML reads as a table in a table.
  void settings(const toml::node& value) {
    const auto* table = value.as_table();
    if (!table) return fail(value, "set is a table of RULE.option = value");
    for (const auto& [key, node] : *table) {
      if (const auto* options = node.as_table()) {
        for (const auto& [option, number] : *options) setting(fmt::format("{}.{}", key.str(), option.str()), number);
      } else {
        setting(std::string(key.str()), node);
      }
    }
  }

  void setting(const std::string& name, const toml::node& node) {
    const std::optional<double> value = node.value<double>();
    if (!value || !std::isfinite(*value) || *value < 0) return fail(node, fmt::format("{} is a number, 0 or more", name));
    if (std::string wrong = add_setting(to_.lint, fmt::format("{}={}", name, *value)); !wrong.empty())
      fail(node, std::move(wrong));
  }

  void audit(const toml::node& value) {
    const auto* table = value.as_table();
    if (!table) return fail(value, "audit is a table: [audit]");
    for (const auto& [key, node] : *table) {
      if (key == "target") {
        const auto text = string("target", node);
        if (!text) return;
        if (!find_release(*text)) return fail(node, fmt::format("audit: there is no Kafka release '{}' here", *text));
        to_.audit_target = *text;
      } else if (key == "fail-on") {
        const auto text = string("fail-on", node);
        if (!text) return;
        if (*text != "refused" && *text != "unknown" && *text != "never")
          return fail(node, fmt::format("audit: fail-on: '{}' is none of refused, unknown, never", *text));
        to_.audit_fail_on = *text;
      } else {
        return fail(node, fmt::format("audit: '{}' is none of target, fail-on", key.str()));
      }
    }
  }

  Config& to_;
  ConfigError error_;
};

/// Behind anything else a quote is part of a word that the parser refuses later.
bool text_may_follow(char c) noexcept {
  constexpr std::string_view before = " \t\r\n=[{,.";
  return before.find(c) != before.npos;
}

/// Where something else than ASCII stands outside of quotes and comments, where TOML has no place for it; npos: nowhere.
/// toml++ runs into what it calls unreachable there.
std::size_t odd_byte(std::string_view text) {
  char quote = 0;
  bool long_one = false;
  for (std::size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0; at < text.size(); ++at) {
    const char c = text[at];
    const std::string_view three = text.substr(at, 3);
    const bool tripled = three.size() == 3 && three[1] == c && three[2] == c;
    if (quote == 0) {
      if (static_cast<unsigned char>(c) >= 0x80) return at;
      if (c == '#') {
        at = std::min(text.find('\n', at), text.size());
      } else if ((c == '"' || c == '\'') && (at == 0 || text_may_follow(text[at - 1]))) {
        quote = c;
        long_one = tripled;
        if (long_one) at += 2;
      }
    } else if (c == '\\' && quote == '"') {  // at a line's end it joins the next, without the blanks before it
      at = std::min(text.find_first_not_of(" \t\r\n", at + 1), text.size());
      if (at < text.size() && static_cast<unsigned char>(text[at]) >= 0x80) return at;
      if (at < text.size() && text[at - 1] != '\\') --at;  // blanks: what comes after them isn't escaped
    } else if (c == quote && (!long_one || tripled)) {
      if (long_one) at += 2;
      quote = 0;
    } else if (c == '\n' && !long_one) {
      quote = 0;  // a mistake that the parser tells of
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::string find_config(const std::string& folder) {
  std::error_code error;
  fs::path at = fs::absolute(folder, error);
  while (!error) {
    // A folder of that name isn't passed over: reading it says what is wrong.
    if (fs::path file = at / file_name; fs::is_regular_file(file, error) || fs::is_directory(file, error)) return file.string();
    const fs::path parent = at.parent_path();
    if (parent == at) break;
    at = parent;
    error.clear();
  }
  return {};
}

ConfigError read_config(const std::string& file, Config& config) {
  config.file = file;
  std::string text;
  if (const std::string why = cli::read_whole(file, text); !why.empty()) return {why, 0};
  const std::string_view all = text;
  if (const std::size_t at = odd_byte(all); at != all.npos)
    return {"only text in quotes and comments may have letters beyond ASCII",
            1 + static_cast<int>(std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at), '\n'))};
  try {
    return Reader(config).read(toml::parse(text, file));
  } catch (const toml::parse_error& error) {
    return {std::string(error.description()), static_cast<int>(error.source().begin.line)};
  }
}

}  // namespace kparse::findings
