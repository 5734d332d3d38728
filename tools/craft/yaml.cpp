// SPDX-License-Identifier: MIT
#include "craft/yaml.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <unordered_set>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "craft/base64.h"

namespace kparse::craft {
namespace {

constexpr int max_depth = 64;
constexpr std::size_t max_items = 4u << 20;  // aliases of aliases grow without end

bool number(const std::string& t, Item& to) {
  std::string_view digits = t;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  const bool hex = digits.starts_with("0x");
  if (hex) digits.remove_prefix(2);
  if (digits.empty() || digits[0] == '-' || digits[0] == '+') return false;
  std::uint64_t v = 0;
  const char* const last = digits.data() + digits.size();
  if (const auto [end, e] = std::from_chars(digits.data(), last, v, hex ? 16 : 10); e == std::errc{} && end == last) {
    const std::uint64_t most = std::uint64_t{1} << 63;
    if (v < most || (negative && v == most)) {
      to.kind = Item::Kind::integer;
      to.integer = static_cast<std::int64_t>(negative ? 0 - v : v);
      return true;
    }
  }
  if (hex || (digits[0] != '.' && (digits[0] < '0' || digits[0] > '9'))) return false;
  double d = 0;
  if (const auto [end, e] = std::from_chars(digits.data(), last, d); e != std::errc{} || end != last) return false;
  to.kind = Item::Kind::real;
  to.real = negative ? -d : d;
  return true;
}

void scalar(const YAML::Node& node, Item& to) {
  to.kind = Item::Kind::text;
  to.text = node.Scalar();
  const std::string& tag = node.Tag();
  if (tag == "!hex") {
    to.kind = Item::Kind::bytes;
    to.text = parse_hex(to.text, to.line);
  } else if (tag == "tag:yaml.org,2002:binary") {
    to.kind = Item::Kind::bytes;
    to.text = decode_base64(to.text, to.line);  // YAML::DecodeBase64 reads beyond its table
  } else if (tag == "?") {
    const std::string& t = to.text;
    if (t == "null" || t == "~" || t.empty()) {
      to.kind = Item::Kind::null;
    } else if (t == "true" || t == "false") {
      to.kind = Item::Kind::boolean;
      to.boolean = t == "true";
    } else {
      (void)number(t, to);
    }
  } else if (tag != "!" && tag != "tag:yaml.org,2002:str") {
    throw ScriptError(to.line, fmt::format("the tag {} is not known: !hex and !!binary are", tag));
  }
}

void convert(const YAML::Node& node, Item& to, int depth, std::size_t& count) {
  to.line = node.Mark().line + 1;
  if (depth > max_depth) throw ScriptError(to.line, fmt::format("more than {} levels", max_depth));
  if (++count > max_items) throw ScriptError(to.line, fmt::format("more than {} values", max_items));
  switch (node.Type()) {
    case YAML::NodeType::Undefined:
    case YAML::NodeType::Null:
      return;
    case YAML::NodeType::Scalar:
      return scalar(node, to);
    case YAML::NodeType::Sequence:
      to.kind = Item::Kind::list;
      for (const YAML::Node& n : node) convert(n, to.items.emplace_back(), depth + 1, count);
      return;
    case YAML::NodeType::Map:
      break;
  }
  to.kind = Item::Kind::map;
  std::unordered_set<std::string> seen;
  for (const auto& member : node) {
    const int line = member.first.Mark().line + 1;
    if (!member.first.IsScalar()) throw ScriptError(line, "a name is needed before ':'");
    const std::string& name = member.first.Scalar();
    if (!seen.insert(name).second) throw ScriptError(line, fmt::format("'{}' stands there twice", name));
    Item value;
    convert(member.second, value, depth + 1, count);
    if (value.line <= 0) value.line = line;
    to.add(name, std::move(value));
  }
}

/// JSON writes what is beyond U+FFFF as two escapes, which YAML doesn't know.
std::string join_surrogates(const std::string& json) {
  std::string out;
  const auto unit = [&json](std::size_t at, unsigned& v) {
    if (at + 6 > json.size() || json[at] != '\\' || json[at + 1] != 'u') return false;
    const auto [end, e] = std::from_chars(json.data() + at + 2, json.data() + at + 6, v, 16);
    return e == std::errc{} && end == json.data() + at + 6;
  };
  for (std::size_t i = 0; i < json.size(); ++i) {
    unsigned high = 0, low = 0;
    if (json[i] == '\\' && unit(i, high) && (high & 0xfc00) == 0xd800 && unit(i + 6, low) && (low & 0xfc00) == 0xdc00) {
      out += fmt::format("\\U{:08x}", 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff));
      i += 11;
    } else {
      out += json[i];
      if (json[i] == '\\' && i + 1 < json.size()) out += json[++i];
    }
  }
  return out;
}

/// Sees where documents begin. YAML::LoadAll would read them all, and never ends where a line in the middle begins with %.
class Documents final : public YAML::EventHandler {
 public:
  explicit Documents(const std::string& text) {
    std::istringstream in(text);
    YAML::Parser parser(in);
    while (count_ < 2 && parser.HandleNextDocument(*this)) ++count_;
  }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int line() const { return line_; }  ///< of the last one, from 1

  void OnDocumentStart(const YAML::Mark& mark) override { line_ = mark.line + 1; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  int count_ = 0, line_ = 0;
};

}  // namespace

std::string parse_hex(const std::string& text, int line) {
  std::string out;
  int high = -1;
  for (const char c : text) {
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') continue;
    const int v = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (v < 0) throw ScriptError(line, "hex digits are needed, two for each byte");
    if (high < 0) {
      high = v;
    } else {
      out += static_cast<char>(high << 4 | v);
      high = -1;
    }
  }
  if (high >= 0) throw ScriptError(line, "hex digits are needed, two for each byte");
  return out;
}

Item parse_script(const std::string& text) {
  try {
    const bool json = text.find_first_not_of(" \t\r\n") != std::string::npos &&
                      text[text.find_first_not_of(" \t\r\n")] == '{';
    const std::string yaml = json ? join_surrogates(text) : text;
    const Documents documents(yaml);
    if (documents.count() == 0) throw ScriptError(0, "the script is empty");
    if (documents.count() > 1) throw ScriptError(documents.line(), "one document is enough");
    Item root;
    std::size_t count = 0;
    convert(YAML::Load(yaml), root, 0, count);
    if (!root.is(Item::Kind::map)) throw ScriptError(root.line, "a script is a map of names and values");
    return root;
  } catch (const YAML::Exception& e) {
    throw ScriptError(e.mark.is_null() ? 0 : e.mark.line + 1, e.msg);
  }
}

}  // namespace kparse::craft
