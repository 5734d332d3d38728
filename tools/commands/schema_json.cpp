// SPDX-License-Identifier: MIT
#include "commands/schema_json.h"

#include <algorithm>

#include "commands/schema_about.h"
#include "kparse/enums.h"
#include "kparse/json.h"
#include "kparse/releases.h"
#include "output/version.h"

namespace kparse::cli {
namespace {

void range(JsonWriter& w, std::string_view name, Versions v) {
  w.key(name);
  if (v.empty())
    w.null();
  else
    w.string(text_of(v));
}

void listeners(JsonWriter& w, const Api& api) {
  w.key("listeners");
  w.begin_array();
  std::string_view rest = api.listeners;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    w.string(rest.substr(0, comma));
    rest = comma == rest.npos ? std::string_view{} : rest.substr(comma + 1);
  }
  w.end_array();
}

void api_members(JsonWriter& w, const Api& api) {
  w.key("apiKey");
  w.integer(api.key);
  w.key("api");
  w.string(api.name);
  w.key("formerName");
  if (api.former_name.empty())
    w.null();
  else
    w.string(api.former_name);
  range(w, "current", api.current);
  range(w, "unstable", api.unstable);
  range(w, "ever", api.request->versions);
  w.key("versions");
  w.begin_object();
  for (std::size_t r = 0; r < releases().size(); ++r)
    if (const Support s = support(api, r); !s.stable.empty()) {
      w.key(releases()[r]);
      w.string(text_of(s.stable));
    }
  w.end_object();
  w.key("unstableVersions");
  w.begin_object();
  for (std::size_t r = 0; r < releases().size(); ++r)
    if (const Support s = support(api, r); !s.unstable.empty()) {
      w.key(releases()[r]);
      w.string(text_of(s.unstable));
    }
  w.end_object();
  w.key("flexibleFrom");
  if (api.request->flexible.empty())
    w.null();
  else
    w.integer(api.request->flexible.lo);
  listeners(w, api);
}

/// What Kafka's JSON would show for a field that says nothing.
void default_value(JsonWriter& w, const Field& f) {
  w.key("default");
  if (f.default_value == "null" || (f.type == Type::structure && !f.array)) return w.null();
  if (f.array) {
    w.begin_array();
    return w.end_array();
  }
  switch (f.type) {
    case Type::boolean:
      return w.boolean(f.default_value == "true");
    case Type::string:
      w.string(f.default_value);
      return;
    case Type::bytes:
      w.string("");
      return;
    case Type::records:
      return w.null();
    case Type::uuid:
      w.string("AAAAAAAAAAAAAAAAAAAAAA");
      return;
    default:
      return w.raw(f.default_value.empty() ? "0" : f.default_value);
  }
}

void fields(JsonWriter& w, NodeId parent, std::optional<int> version) {
  w.key("fields");
  w.begin_array();
  for (const NodeId n : children(parent, version)) {
    const Field& f = field(n);
    w.begin_object();
    w.key("name");
    w.string(f.name);
    w.key("type");
    w.string(type_of(f));
    range(w, "versions", f.versions);
    range(w, "nullable", f.nullable);
    w.key("tag");
    if (f.tag < 0)
      w.null();
    else
      w.integer(f.tag);
    range(w, "taggedVersions", f.tagged);
    default_value(w, f);
    w.key("about");
    w.string(about(f));
    w.key("secret");
    w.boolean(f.secret);
    if (f.map_key) w.key("mapKey"), w.boolean(true);
    if (f.ignorable) w.key("ignorable"), w.boolean(true);
    if (const Enumeration* e = enumeration_of(n)) {
      w.key("values");
      w.begin_object();
      for (const EnumValue& v : e->values) w.key(std::to_string(v.value)), w.string(v.name);
      w.end_object();
    }
    if (f.type == Type::structure) fields(w, n, version);
    w.end_object();
  }
  w.end_array();
}

std::string_view kind_name(Kind kind) noexcept {
  switch (kind) {
    case Kind::request:
      return "request";
    case Kind::response:
      return "response";
    case Kind::header:
      return "header";
    case Kind::data:
      return "data";
    case Kind::metadata:
      return "metadata";
    case Kind::coordinator_key:
      return "coordinator-key";
    case Kind::coordinator_value:
      return "coordinator-value";
    case Kind::early_data:
      return "early-data";
  }
  return "";
}

void message_members(JsonWriter& w, const Message& m, std::optional<int> version) {
  w.key("name");
  w.string(m.name);
  w.key("kind");
  w.string(kind_name(m.kind));
  w.key("area");
  w.string(m.area);
  const bool of_api = m.kind == Kind::request || m.kind == Kind::response;
  if (!of_api) {
    w.key("recordType");
    if (m.api_key < 0)
      w.null();
    else
      w.integer(m.api_key);
  }
  range(w, "versions", m.versions);
  range(w, "flexible", m.flexible);
  if (version) {
    w.key("version");
    w.integer(*version);
    if (const Api* api = of_api ? find_api(m.api_key) : nullptr) {
      w.key("headerVersion");
      w.integer(m.kind == Kind::request ? request_header_version(*api, *version)
                                        : response_header_version(*api, *version));
    }
  }
  fields(w, m.root, version);
  w.key("alternatives");
  w.begin_array();
  for (const AltLayout& a : alt_layouts()) {
    if (a.message != m.name || (version && a.version != *version)) continue;
    w.begin_object();
    w.key("version");
    w.integer(a.version);
    w.key("flexible");
    w.boolean(a.flexible);
    w.key("firstRelease");
    w.string(a.from_release);
    w.key("lastRelease");
    w.string(a.to_release);
    fields(w, a.root, a.version);
    w.end_object();
  }
  w.end_array();
}

void begin_document(JsonWriter& w) {
  w.begin_object();
  w.key("schemaVersion");
  w.integer(schema_version);
}

std::string end_document(JsonWriter& w) {
  w.end_object();
  w.newline();
  return std::string(w.view());
}

}  // namespace

std::string text_of(Versions v) {
  if (v.empty()) return "";
  return v.lo == v.hi ? std::to_string(v.lo) : std::to_string(v.lo) + "-" + std::to_string(v.hi);
}

std::string type_of(const Field& f) {
  static constexpr std::string_view names[] = {"bool",    "int8", "int16",  "int32", "int64",   "uint16", "uint32",
                                               "float64", "uuid", "string", "bytes", "records", "struct"};
  return std::string(f.array ? "[]" : "") + std::string(names[static_cast<std::size_t>(f.type)]);
}

std::vector<NodeId> children(NodeId parent, std::optional<int> version) {
  std::vector<NodeId> out;
  const auto tagged = [&](NodeId n) { return version ? field(n).tagged.has(*version) : field(n).tag >= 0; };
  for (unsigned n = parent + 1u; n <= parent + field(parent).below; n += 1u + field(static_cast<NodeId>(n)).below)
    if (!version || field(static_cast<NodeId>(n)).versions.has(*version)) out.push_back(static_cast<NodeId>(n));
  std::stable_sort(out.begin(), out.end(), [&](NodeId a, NodeId b) {
    return (tagged(a) ? field(a).tag : -1) < (tagged(b) ? field(b).tag : -1);
  });
  return out;
}

std::string api_table_json() {
  JsonWriter w;
  begin_document(w);
  w.key("release");
  w.string(releases()[current_release()]);
  w.key("releases");
  w.begin_array();
  for (const auto& name : releases()) w.string(name);
  w.end_array();
  w.key("apis");
  w.begin_array();
  for (const Api& api : apis()) {
    w.begin_object();
    api_members(w, api);
    w.end_object();
  }
  w.end_array();
  return end_document(w);
}

std::string message_json(const Message& m, std::optional<int> version) {
  JsonWriter w;
  begin_document(w);
  if (m.kind == Kind::request || m.kind == Kind::response) {
    const Api& api = *find_api(m.api_key);
    w.key("apiKey");
    w.integer(api.key);
    w.key("api");
    w.string(api.name);
  }
  message_members(w, m, version);
  return end_document(w);
}

std::string api_json(const Api& api, std::optional<int> version) {
  JsonWriter w;
  begin_document(w);
  api_members(w, api);
  w.key("request");
  w.begin_object();
  message_members(w, *api.request, version);
  w.end_object();
  w.key("response");
  w.begin_object();
  message_members(w, *api.response, version);
  w.end_object();
  return end_document(w);
}

}  // namespace kparse::cli
