// SPDX-License-Identifier: MIT
#include "emit.h"

#include <algorithm>
#include <map>
#include <set>

#include "text.h"

namespace kschema {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string range_of(const Range& r) {
  return r.empty() ? "{}" : "{" + std::to_string(r.lo) + "," + std::to_string(r.hi) + "}";
}

std::string type_of(const std::string& type) {
  return "Type::" + (type == "bool" ? "boolean" : type == "struct" ? "structure" : type);
}

std::string kind_of(const std::string& kind) {
  if (kind == "key") return "Kind::coordinator_key";
  if (kind == "value") return "Kind::coordinator_value";
  if (kind == "early-data") return "Kind::early_data";
  return "Kind::" + kind;
}

std::string identifier(const std::string& name) {
  static const std::set<std::string> taken{
      "self",   "default",  "operator", "namespace", "public", "private", "register", "switch",   "this",
      "delete", "new",      "class",    "struct",    "union",  "export",  "int",      "bool",     "auto",
      "for",    "if",       "else",     "while",     "return", "static",  "const",    "template", "true",
      "false",  "requires", "concept",  "and",       "or",     "not",     "xor"};
  std::string out = snake_case(name);
  return taken.count(out) ? out + "_" : out;
}

class Emitter {
 public:
  explicit Emitter(const Schema& s) : s_(s) {}

  Emitted run() {
    fields();
    apis();
    names();
    record_types();
    lists();
    releases();
    span("Field", "fields", "field_rows");
    span("Message", "messages", "message_rows");
    Emitted out;
    out.tables =
        "// SPDX-License-Identifier: MIT\n// Written by kschema from libkparse/schema/*.k.\n"
        "#include \"schema/tables.h\"\n\nnamespace kparse::tables {\nnamespace {\n\n"
        "constexpr Field field_rows[] = {\n" +
        rows_ + "};\n\nconstexpr Message message_rows[] = {\n" + messages_ + "};\n\n" + tail_ + "}  // namespace\n\n" +
        spans_ + "\n}  // namespace kparse::tables\n";
    out.nodes =
        "// SPDX-License-Identifier: MIT\n// Names of the schema's rows. Written by kschema from "
        "libkparse/schema/*.k.\n"
        "#pragma once\n\n#include \"kparse/error.h\"\n\nnamespace kparse::node {\n" +
        nodes_ + "}  // namespace kparse::node\n";
    return out;
  }

 private:
  void span(const std::string& type, const std::string& name, const std::string& rows) {
    spans_ += "constinit const std::span<const " + type + "> " + name + "{" + rows + "};\n";
  }
  void list(const std::string& type, const std::string& name, const std::string& rows) {
    if (rows.empty()) {  // an array can't be empty
      spans_ += "constinit const std::span<const " + type + "> " + name + "{};\n";
      return;
    }
    tail_ += "constexpr " + type + " " + name + "_rows[] = {\n" + rows + "};\n\n";
    span(type, name, name + "_rows");
  }

  static std::size_t count(const std::vector<Field>& list) {
    std::size_t n = list.size();
    for (const Field& f : list) n += count(f.fields);
    return n;
  }

  int root(const std::string& name, const Range& versions, const std::vector<Field>& list) {
    const int at = next_++;
    rows_ += "{" + quoted(name) + ",Type::structure,false,false,false,false,false,Mark::none,-1," + range_of(versions) +
             ",{},{},no_node," + std::to_string(count(list)) + ",\"\"},\n";
    return at;
  }

  void rows(const std::vector<Field>& list, int parent, const std::string& path) {
    for (const Field& f : list) {
      const int at = next_++;
      const auto flag = [](bool b) { return b ? "true," : "false,"; };
      rows_ += "{" + quoted(f.name) + "," + type_of(f.type) + "," + flag(f.array) + flag(f.secret) + flag(f.noflex) +
               flag(f.key) + flag(f.ignorable) + "Mark::" + (f.mark.empty() ? "none" : snake_case(f.mark)) + "," +
               std::to_string(f.tag) + "," + range_of(f.versions) + "," + range_of(f.nullable) + "," +
               range_of(f.tagged) + "," + std::to_string(parent) + "," + std::to_string(count(f.fields)) + "," +
               quoted(f.default_value.value_or("")) + "},\n";
      if (!path.empty()) node_of_[path + "." + f.name] = at;
      const std::string id = identifier(f.name);
      if (f.type == "struct") {
        if (!path.empty())
          nodes_ += "namespace " + id + " {\ninline constexpr NodeId self = " + std::to_string(at) + ";\n";
        rows(f.fields, at, path.empty() ? path : path + "." + f.name);
        if (!path.empty()) nodes_ += "}\n";
      } else if (!path.empty()) {
        nodes_ += "inline constexpr NodeId " + id + " = " + std::to_string(at) + ";\n";
      }
    }
  }

  void fields() {
    for (const Message& m : s_.messages) {
      const int at = root(m.name, m.versions, m.fields);
      nodes_ += "namespace " + identifier(m.name) + " {\ninline constexpr NodeId self = " + std::to_string(at) + ";\n";
      rows(m.fields, at, m.name);
      nodes_ += "}\n";
      messages_ += "{" + quoted(m.name) + "," + kind_of(m.kind) + "," + quoted(m.area) + "," +
                   std::to_string(m.api_key) + "," + range_of(m.versions) + "," + range_of(m.flexible) + "," +
                   std::to_string(at) + "},\n";
    }
    std::string alternatives;
    for (const Message& m : s_.messages)
      for (const Alternative& a : m.alternatives) {
        const int at = root(m.name, {a.version, a.version}, a.fields);
        rows(a.fields, at, "");
        alternatives += "{" + quoted(m.name) + "," + std::to_string(a.version) + "," + (a.flexible ? "true" : "false") +
                        "," + quoted(a.from) + "," + quoted(a.to) + "," + std::to_string(at) + "},\n";
      }
    list("AltLayout", "alt_layouts", alternatives);
  }

  std::size_t index_of(const Message* m) const { return static_cast<std::size_t>(m - s_.messages.data()); }

  void apis() {
    for (const Message& m : s_.messages)
      if (m.is_api()) (m.kind == "request" ? apis_[m.api_key].first : apis_[m.api_key].second) = &m;
    std::string out, by_key;
    int n = 0, next = 0;
    for (const auto& [key, pair] : apis_) {
      const Message& m = *pair.first;
      const Change c = support(key, s_.releases.current);
      const std::string name = m.name.substr(0, m.name.size() - 7);
      out += "{" + std::to_string(key) + "," + quoted(name) + ",&message_rows[" + std::to_string(index_of(pair.first)) +
             "],&message_rows[" + std::to_string(index_of(pair.second)) + "]," + range_of(c.stable) + "," +
             range_of(c.unstable) + "," + quoted(m.was) + "," + quoted(m.listeners) + "},\n";
      for (; next < key; ++next) by_key += "-1,";
      by_key += std::to_string(n) + ",";
      api_names_[name] = n;
      if (!m.was.empty()) api_names_.emplace(m.was, n);
      ++next, ++n;
    }
    list("Api", "apis", out);
    list("std::int16_t", "api_by_key", by_key);
  }

  void names() {
    std::map<std::string, std::size_t> sorted;
    for (const Message& m : s_.messages) sorted[m.name] = index_of(&m);
    std::string out;
    for (const auto& [name, at] : sorted) out += "{" + quoted(name) + "," + std::to_string(at) + "},\n";
    list("NameRow", "message_names", out);
    out.clear();
    for (const auto& [name, at] : api_names_) out += "{" + quoted(name) + "," + std::to_string(at) + "},\n";
    list("NameRow", "api_names", out);
  }

  /// Preview releases' key and value (early-data) are found like any other.
  void record_types() {
    std::map<std::string, std::string> sorted;
    for (const Message& m : s_.messages) {
      if (m.is_api() || m.api_key < 0) continue;
      const std::string kind =
          m.kind != "early-data" ? kind_of(m.kind) : kind_of(ends_with(m.name, "Key") ? "key" : "value");
      std::string key = std::to_string(m.api_key);
      key.insert(0, 6 - key.size(), '0');
      // Sorted as the enum Kind is: metadata, coordinator_key, coordinator_value.
      const char rank = m.kind == "metadata" ? '0' : ends_with(kind, "key") ? '1' : '2';
      sorted[rank + m.area + "\x01" + key] = "{" + kind + "," + quoted(m.area) + "," + std::to_string(m.api_key) + "," +
                                             std::to_string(index_of(&m)) + "},\n";
    }
    std::string out;
    for (const auto& [key, row] : sorted) out += row;
    list("TypeRow", "record_types", out);
  }

  void lists() {
    auto errors = s_.errors;
    std::sort(errors.begin(), errors.end(), [](const auto& a, const auto& b) { return a.code < b.code; });
    std::string out;
    for (const auto& e : errors) {
      std::string was;
      for (const auto& w : e.was) was += (was.empty() ? "" : " ") + w;
      out += "{" + std::to_string(e.code) + "," + quoted(e.name) + "," + (e.retriable ? "true" : "false") + "," +
             quoted(e.first) + "," + quoted(was) + "},\n";
    }
    list("ErrorName", "errors", out);
    std::string values, enums;
    std::map<int, int> uses;
    std::size_t first = 0;
    for (std::size_t i = 0; i < s_.enums.size(); ++i) {
      const Enum& e = s_.enums[i];
      for (const auto& v : e.values) values += "{" + std::to_string(v.value) + "," + quoted(v.name) + "},\n";
      enums += "{" + quoted(e.name) + ",{enum_values_rows+" + std::to_string(first) + "," +
               std::to_string(e.values.size()) + "}},\n";
      first += e.values.size();
      for (const auto& use : e.uses)
        if (const auto at = node_of_.find(use); at != node_of_.end()) uses[at->second] = static_cast<int>(i);
    }
    list("EnumValue", "enum_values", values);
    list("Enumeration", "enumerations", enums);
    out.clear();
    for (const auto& [node, e] : uses) out += "{" + std::to_string(node) + "," + std::to_string(e) + "},\n";
    list("EnumUse", "enum_uses", out);
  }

  Change support(int key, const std::string& release) const {
    const auto& names = s_.releases.names;
    const int at = static_cast<int>(std::find(names.begin(), names.end(), release) - names.begin());
    Change found;
    for (const Support& s : s_.releases.apis)
      if (s.api_key == key)
        for (const Change& c : s.changes)
          if (c.release <= at) found = c;
    return found;
  }

  void releases() {
    std::string out;
    for (const auto& name : s_.releases.names) out += quoted(name) + ",\n";
    list("std::string_view", "releases", out);
    out.clear();
    for (const auto& [key, pair] : apis_)
      for (const auto& name : s_.releases.names) {
        const Change c = support(key, name);
        out += "{" + range_of(c.stable) + "," + range_of(c.unstable) + "},\n";
      }
    list("Support", "support", out);
    const auto& names = s_.releases.names;
    spans_ += "constinit const std::size_t current_release = " +
              std::to_string(std::find(names.begin(), names.end(), s_.releases.current) - names.begin()) + ";\n";
  }

  const Schema& s_;
  int next_ = 0;
  std::string rows_, messages_, tail_, spans_, nodes_;
  std::map<std::string, int> node_of_;
  std::map<std::string, int> api_names_;
  std::map<int, std::pair<const Message*, const Message*>> apis_;
};

}  // namespace

Emitted emit(const Schema& schema) { return Emitter(schema).run(); }

}  // namespace kschema
