// SPDX-License-Identifier: MIT
#include "lint/baseline.h"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include "kparse/json.h"
#include "output/version.h"
#include "output/whole_file.h"
#include "story/people.h"

namespace kparse::findings {
namespace {

constexpr char separator = '\n';

/// The parts of a fingerprint, by the names that they have in the file.
struct Parts {
  std::string rule, client, api, topic, group, message;

  [[nodiscard]] std::string key() const {
    std::string text;
    for (const std::string* part : {&rule, &client, &api, &topic, &group, &message}) (text += *part) += separator;
    return text;
  }
};

bool digit(char c) { return c >= '0' && c <= '9'; }
bool word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// A number, an address's part, or hex digits that are long enough to be an id.
bool varies(std::string_view token) {
  if (digit(token[0])) return true;
  return token.size() >= 8 && std::any_of(token.begin(), token.end(), digit) &&
         std::all_of(token.begin(), token.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// After "[fd66:5::2]" at `at`; `at` where there is none.
std::size_t end_of_ipv6(std::string_view text, std::size_t at) {
  if (text[at] != '[') return at;
  const std::size_t end = text.find(']', at);
  if (end == std::string_view::npos) return at;
  const std::string_view inside = text.substr(at + 1, end - at - 1);
  const bool address = inside.find(':') != std::string_view::npos && std::all_of(inside.begin(), inside.end(), [](unsigned char c) {
    return std::isxdigit(c) != 0 || c == ':' || c == '.';
  });
  return address ? end + 1 : at;
}

/// "3 of 17 bytes from 10.0.0.1:9092" is "# of # bytes from #".
std::string shape(std::string_view message) {
  std::string out;
  for (std::size_t at = 0; at < message.size();) {
    if (const std::size_t end = end_of_ipv6(message, at); end > at) {
      out += '#';
      at = end;
      continue;
    }
    if (!word(message[at])) {
      // What joins two numbers belongs to them: 10.0.0.1:9092, 1,234, 12:30:00.
      const bool joins = !out.empty() && out.back() == '#' && at + 1 < message.size() && digit(message[at + 1]) &&
                         (message[at] == '.' || message[at] == ':' || message[at] == ',');
      if (!joins) out += message[at];
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < message.size() && word(message[end])) ++end;
    const std::string_view token = message.substr(at, end - at);
    if (!varies(token))
      out += token;
    else if (out.empty() || out.back() != '#')
      out += '#';
    at = end;
  }
  return out;
}

std::string who(const Finding& f) {
  return f.client_id.empty() ? std::string(story::host_of(f.client)) : f.client_id;
}

Parts parts_of(const Finding& f) {
  return {std::string(f.rule->id), who(f), f.api, f.topic, f.group, shape(f.message)};
}

std::string text_of(const rapidjson::Value& object, const char* name) {
  const auto member = object.FindMember(name);
  if (member == object.MemberEnd() || !member->value.IsString()) return {};
  return {member->value.GetString(), member->value.GetStringLength()};
}

}  // namespace

std::string fingerprint(const Finding& f) { return parts_of(f).key(); }

std::string Baseline::read(const std::string& file) {
  std::string text;
  if (std::string why = cli::read_whole(file, text); !why.empty()) return why;
  rapidjson::Document document;
  document.Parse(text.data(), text.size());
  if (document.HasParseError())
    return fmt::format("no JSON: {} at byte {}", rapidjson::GetParseError_En(document.GetParseError()),
                       document.GetErrorOffset());
  const rapidjson::Value& root = document;
  const auto findings = root.IsObject() ? root.FindMember("findings") : rapidjson::Value::ConstMemberIterator{};
  if (!root.IsObject() || findings == root.MemberEnd() || !findings->value.IsArray())
    return "no baseline: it has no list 'findings'";
  for (const rapidjson::Value& f : findings->value.GetArray()) {
    if (!f.IsObject() || text_of(f, "rule").empty()) return "no baseline: a finding without a rule";
    known_.insert(Parts{text_of(f, "rule"), text_of(f, "client"), text_of(f, "api"), text_of(f, "topic"),
                        text_of(f, "group"), shape(text_of(f, "message"))}
                      .key());
  }
  return {};
}

std::string baseline_text(std::span<const Finding> findings) {
  std::map<std::string, const Finding*> sorted;
  for (const Finding& f : findings) sorted.emplace(fingerprint(f), &f);
  JsonWriter json;
  std::string text = fmt::format("{{\"schemaVersion\":{},\"kparse\":\"{}\",\"findings\":[", cli::schema_version, cli::version());
  bool first = true;
  for (const auto& [key, f] : sorted) {
    json.clear();
    json.begin_object();
    const auto member = [&](std::string_view name, std::string_view value) {
      if (value.empty()) return;
      json.key(name);
      json.string(value);
    };
    member("rule", f->rule->id);
    member("client", who(*f));
    member("api", f->api);
    member("topic", f->topic);
    member("group", f->group);
    member("message", f->message);
    json.end_object();
    text += first ? "\n" : ",\n";
    first = false;
    text += json.view();
  }
  return text + "\n]}\n";
}

}  // namespace kparse::findings
