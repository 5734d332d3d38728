// SPDX-License-Identifier: MIT
#include "craft/message.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include <fmt/format.h>

#include "craft/base64.h"
#include "craft/yaml.h"

namespace kparse::craft {
namespace {

constexpr std::size_t max_bytes = 1u << 30;

Item default_of(const Field& f, int version, int line) {
  const std::string_view text = f.default_value;
  Item i{.line = line};
  if (text == "null" && f.nullable.has(version)) return i;
  if (f.array) return Item::of_list(line);
  switch (f.type) {
    case Type::structure:
      i.kind = Item::Kind::map;
      break;
    case Type::boolean:
      i.kind = Item::Kind::boolean;
      i.boolean = text == "true";
      break;
    case Type::float64:
      i.kind = Item::Kind::real;
      if (!text.empty()) std::from_chars(text.data(), text.data() + text.size(), i.real);
      break;
    case Type::uuid:
      return Item::of_bytes(std::array<std::uint8_t, 16>{}, line);
    case Type::string:
      return Item::of_text(text == "null" ? "" : std::string(text), line);
    case Type::bytes:
      return Item::of_bytes({}, line);
    case Type::records:
      if (!f.nullable.has(version)) return Item::of_bytes({}, line);
      break;
    default:
      i.kind = Item::Kind::integer;
      if (!text.empty()) std::from_chars(text.data(), text.data() + text.size(), i.integer);
  }
  return i;
}

/// What dump adds to Kafka's JSON.
bool added_by_dump(std::string_view name) { return name.ends_with(".decoded"); }

}  // namespace

void MessageBuilder::message(const Message& m, int version, const Item& given, Writer& out) {
  if (!m.versions.has(version))
    throw ScriptError(given.line, fmt::format("{} has no version {}: {} to {}", m.name, version, m.versions.lo, m.versions.hi));
  Item body = given;
  if (body.is(Item::Kind::null)) body.kind = Item::Kind::map;
  complete(body, m.root, version, m.name);
  const EncodeError e = encoder_.message(m, version, ItemSource::value(body), out);
  if (!e) return;
  char path[512], reason[512];
  const std::string_view field = path_of(e.place, path);
  throw ScriptError(line_of(body, field),
                    fmt::format("{} version {}: {}{}{}", m.name, version, field, field.empty() ? "" : ": ", message_of(e, reason)));
}

void MessageBuilder::complete(Item& map, NodeId node, int version, std::string_view of) {
  if (!map.is(Item::Kind::map)) throw ScriptError(map.line, fmt::format("{} is a map of names and values", of));
  std::vector<NodeId> fields;
  const NodeId end = static_cast<NodeId>(node + 1 + field(node).below);
  for (NodeId n = static_cast<NodeId>(node + 1); n < end; n = static_cast<NodeId>(n + 1 + field(n).below)) fields.push_back(n);

  std::unordered_set<std::string_view> there;
  for (std::size_t i = map.names.size(); i-- > 0;) {
    if (added_by_dump(map.names[i])) {
      map.remove(i);
      continue;
    }
    if (map.names[i] == "$tags") continue;
    const auto f = std::find_if(fields.begin(), fields.end(), [&](NodeId n) { return field(n).name == map.names[i]; });
    if (f == fields.end()) {
      std::string known;
      for (const NodeId n : fields)
        if (field(n).versions.has(version)) known += fmt::format("{}{}", known.empty() ? "" : ", ", field(n).name);
      throw ScriptError(map.items[i].line, fmt::format("{} has no field '{}': {}", of, map.names[i], known));
    }
    prepare(map.items[i], field(*f), *f, version);
    there.insert(field(*f).name);
  }
  for (const NodeId n : fields) {
    const Field& f = field(n);
    if (there.contains(f.name) || !f.versions.has(version) || f.tagged.has(version)) continue;
    Item value = default_of(f, version, map.line);
    prepare(value, f, n, version);
    map.add(std::string(f.name), std::move(value));
  }
}

void MessageBuilder::prepare(Item& value, const Field& f, NodeId node, int version) {
  if (value.is(Item::Kind::null)) return;
  if (!f.array) return element(value, f, node, version);
  if (!value.is(Item::Kind::list)) throw ScriptError(value.line, fmt::format("{} is a list", f.name));
  for (Item& i : value.items) element(i, f, node, version);
}

void MessageBuilder::element(Item& value, const Field& f, NodeId node, int version) {
  if (f.type == Type::structure) {
    if (!value.is(Item::Kind::null)) complete(value, node, version, f.name);
    return;
  }
  if (f.type == Type::records && !value.is(Item::Kind::null)) {
    const int line = value.line;
    const std::string set = value.is(Item::Kind::text) ? decode_base64(value.text, line) : records(value);
    value = Item::of_bytes({reinterpret_cast<const std::uint8_t*>(set.data()), set.size()}, line);
  } else if (f.type == Type::bytes && value.is(Item::Kind::map)) {
    const int line = value.line;
    const std::string b = bytes(value);
    value = Item::of_bytes({reinterpret_cast<const std::uint8_t*>(b.data()), b.size()}, line);
  } else if (!value.scalar()) {
    throw ScriptError(value.line, fmt::format("{} is one value", f.name));
  }
}

std::string MessageBuilder::nested(const Item& i) {
  i.only({"message", "version", "body"}, "a message inside bytes");
  const Item *name = i.find("message"), *version = i.find("version"), *body = i.find("body");
  if (version == nullptr) throw ScriptError(i.line, "'version' is missing");
  const Message* m = find_message(as_text(*name));
  if (m == nullptr) throw ScriptError(name->line, fmt::format("there is no message '{}'", name->text));
  if (++depth_ > 8) throw ScriptError(i.line, "messages inside messages inside messages: too deep");
  Writer out;
  const std::int64_t v = as_integer(*version, 0, 32767);
  out.be(static_cast<std::int16_t>(v));
  message(*m, static_cast<int>(v), body != nullptr ? *body : Item{.line = i.line}, out);
  --depth_;
  return std::string(kparse::text(out.view()));
}

std::string MessageBuilder::bytes(const Item& i) {
  if (i.is(Item::Kind::list) || i.is(Item::Kind::null)) throw ScriptError(i.line, "bytes are needed: a text, or {hex: ...}");
  if (!i.is(Item::Kind::map)) return i.text;
  if (i.find("message") != nullptr) return nested(i);
  i.only({"text", "hex", "base64", "records", "times"}, "a value of bytes");
  std::string once;
  int forms = 0;
  for (std::size_t n = 0; n < i.names.size(); ++n) {
    const Item& v = i.items[n];
    if (i.names[n] == "times") continue;
    ++forms;
    if (i.names[n] == "records") {
      once = records(v);
    } else if (!v.scalar() || v.is(Item::Kind::null)) {
      throw ScriptError(v.line, "a text is needed");
    } else {
      once = i.names[n] == "hex" ? parse_hex(v.text, v.line) : i.names[n] == "base64" ? decode_base64(v.text, v.line) : v.text;
    }
  }
  if (forms != 1) throw ScriptError(i.line, "one of text, hex, base64, records and message is needed");
  const Item* times = i.find("times");
  if (times == nullptr) return once;
  const std::int64_t n = as_integer(*times, 0, 1 << 30);
  if (!once.empty() && static_cast<std::size_t>(n) > max_bytes / once.size()) throw ScriptError(times->line, "that is more than 1 GiB");
  std::string all;
  all.reserve(once.size() * static_cast<std::size_t>(n));
  for (std::int64_t k = 0; k < n; ++k) all += once;
  return all;
}

}  // namespace kparse::craft
