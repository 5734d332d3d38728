// SPDX-License-Identifier: MIT
#include "import.h"

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "text.h"

namespace kschema {
namespace {

using Json = rapidjson::Value;

std::string text_of(const Json& v) {
  if (v.IsString()) return {v.GetString(), v.GetStringLength()};
  if (v.IsBool()) return v.GetBool() ? "true" : "false";
  if (v.IsInt64()) return std::to_string(v.GetInt64());
  if (v.IsDouble()) return std::to_string(v.GetDouble());
  return v.IsNull() ? "null" : "";
}

std::string text_of(const Json& object, const char* name) {
  const auto m = object.FindMember(name);
  return m == object.MemberEnd() ? "" : text_of(m->value);
}

bool flag(const Json& object, const char* name) { return text_of(object, name) == "true"; }

class Reader {
 public:
  Reader(const std::string& file, Import& out, Diagnostics& d) : file_(file), out_(out), d_(d) {}

  void run(const std::string& text) {
    // One file of Kafka 2.8 has a brace too many at its end: the first value counts.
    constexpr unsigned flags =
        rapidjson::kParseCommentsFlag | rapidjson::kParseTrailingCommasFlag | rapidjson::kParseStopWhenDoneFlag;
    rapidjson::Document doc;
    doc.Parse<flags>(text.c_str(), text.size());
    if (doc.HasParseError()) {
      const auto line =
          1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(doc.GetErrorOffset()), '\n');
      return d_.say(file_, static_cast<int>(line), rapidjson::GetParseError_En(doc.GetParseError()));
    }
    if (doc.IsArray()) {
      for (const Json& a : doc.GetArray()) alternative(a);
    } else if (doc.IsObject() && doc.HasMember("messages") && doc["messages"].IsArray()) {
      for (const Json& m : doc["messages"].GetArray()) merged(m);
    } else if (doc.IsObject()) {
      kafka(doc);
    } else {
      say("neither a message nor a list of messages");
    }
  }

 private:
  void say(const std::string& what) { d_.lines.push_back(file_ + ": " + what); }

  void kafka(const Json& j) {
    Imported in;
    Message& m = in.message;
    m.name = text_of(j, "name");
    const std::string type = text_of(j, "type");
    static const std::map<std::string, std::string> kinds{
        {"request", "request"},   {"response", "response"},   {"header", "header"},          {"data", "data"},
        {"metadata", "metadata"}, {"coordinator-key", "key"}, {"coordinator-value", "value"}};
    const auto kind = kinds.find(type);
    if (m.name.empty() || kind == kinds.end()) return say("no message: name '" + m.name + "', type '" + type + "'");
    m.kind = kind->second;
    m.area = area_of_path();
    if (const auto key = number(text_of(j, "apiKey"))) m.api_key = static_cast<int>(*key);
    const std::string valid = text_of(j, "validVersions");
    const auto versions = range(valid, -1);
    if (!versions || (!versions->empty() && valid.back() == '+'))
      return say("validVersions '" + valid + "' is no closed range");
    in.none = versions->empty();
    m.versions = *versions;
    m.flexible = open_range(j, "flexibleVersions", m.versions);
    if (flag(j, "latestVersionUnstable")) m.unstable = {m.versions.hi, m.versions.hi};
    m.listeners = listeners(j);
    common_ = j.HasMember("commonStructs") ? &j["commonStructs"] : nullptr;
    if (!in.none && j.HasMember("fields")) fields(j["fields"], m.versions, m.fields);
    out_.messages.push_back(std::move(in));
  }

  /// .../group-coordinator/src/main/resources/common/message/X.json
  std::string area_of_path() const {
    const auto src = file_.find("/src/");
    if (src == file_.npos) return "";
    const auto slash = file_.rfind('/', src - 1);
    return file_.substr(slash == file_.npos ? 0 : slash + 1, src - (slash == file_.npos ? 0 : slash + 1));
  }

  void merged(const Json& j) {
    Imported in;
    in.whole = true;
    Message& m = in.message;
    m.name = text_of(j, "name");
    m.kind = text_of(j, "kind");
    if (m.kind.rfind("coordinator-", 0) == 0) m.kind = m.kind.substr(12);
    m.area = text_of(j, "area");
    if (const auto key = number(text_of(j, "apiKey"))) m.api_key = static_cast<int>(*key);
    const auto versions = range(text_of(j, "versions"), -1);
    if (!versions || versions->empty()) return say(m.name + ": versions missing");
    m.versions = *versions;
    m.flexible = range(text_of(j, "flexible"), m.versions.hi).value_or(Range{});
    const auto trunk = range(text_of(j, "versionsInTrunk"), -1).value_or(Range{});
    if (trunk.empty())
      m.removed = m.versions;
    else if (trunk.lo > m.versions.lo)
      m.removed = {m.versions.lo, trunk.lo - 1};
    if (flag(j, "latestVersionUnstable")) m.unstable = {m.versions.hi, m.versions.hi};
    m.listeners = listeners(j);
    if (const auto was = j.FindMember("formerNames");
        was != j.MemberEnd() && was->value.IsArray() && !was->value.Empty()) {
      m.was = text_of(was->value[0]);
      for (const char* tail : {"Request", "Response"})
        if (ends_with(m.was, tail) && m.is_api()) m.was.resize(m.was.size() - std::strlen(tail));
    }
    common_ = nullptr;
    if (j.HasMember("fields")) fields(j["fields"], m.versions, m.fields);
    out_.messages.push_back(std::move(in));
  }

  static std::string listeners(const Json& j) {
    std::string out;
    if (const auto l = j.FindMember("listeners"); l != j.MemberEnd() && l->value.IsArray())
      for (const Json& x : l->value.GetArray()) out += (out.empty() ? "" : ",") + text_of(x);
    return out;
  }

  void alternative(const Json& j) {
    ImportedAlternative a;
    a.message = text_of(j, "name");
    a.layout.version = static_cast<int>(number(text_of(j, "version")).value_or(-1));
    a.layout.flexible = flag(j, "flexible");
    a.layout.from = text_of(j, "from_release");
    a.layout.to = text_of(j, "to_release");
    if (!read_signature(text_of(j, "signature"), a.layout.version, a.layout.fields))
      return say(a.message + ": can't read the signature");
    out_.alternatives.push_back(std::move(a));
  }

  /// Kafka's ranges are open and may be wider than what they stand in.
  Range open_range(const Json& j, const char* name, const Range& inside) {
    const std::string text = text_of(j, name);
    if (text.empty()) return {};
    const auto r = range(text, 32767);
    if (!r) say(text_of(j, "name") + ": bad " + name + " '" + text + "'");
    return clip(r.value_or(Range{}), inside);
  }

  void fields(const Json& list, const Range& parent, std::vector<Field>& out) {
    if (!list.IsArray()) return;
    for (const Json& j : list.GetArray()) {
      Field f;
      f.name = lower_first(text_of(j, "name"));
      f.versions = open_range(j, j.HasMember("versions") ? "versions" : "taggedVersions", parent);
      if (f.versions.empty()) continue;  // of versions that Kafka no longer has, or "none"
      std::string type = text_of(j, "type");
      if (type.rfind("[]", 0) == 0) {
        f.array = true;
        type = type.substr(2);
      }
      f.nullable = open_range(j, j.HasMember("nullable") ? "nullable" : "nullableVersions", f.versions);
      if (j.HasMember("tag")) {
        f.tag = static_cast<int>(number(text_of(j, "tag")).value_or(-1));
        f.tagged = open_range(j, j.HasMember("tagged") ? "tagged" : "taggedVersions", f.versions);
        if (f.tagged.empty()) f.tag = -1;
      }
      f.entity = text_of(j, "entityType");
      f.key = flag(j, "mapKey");
      f.ignorable = flag(j, "ignorable");
      f.zero_copy = flag(j, "zeroCopy");
      f.noflex = text_of(j, j.HasMember("flexible") ? "flexible" : "flexibleVersions") == "none";
      f.type = type;
      const bool builtin = known_type(type) && type != "struct";
      if (!builtin) {
        f.type = "struct";
        if (j.HasMember("fields"))
          fields(j["fields"], f.versions, f.fields);
        else if (const Json* shared = common(type))
          fields((*shared)["fields"], f.versions, f.fields);
        else
          say(f.name + ": unknown type '" + type + "'");
      }
      if (j.HasMember("default")) {
        std::string problem;
        f.default_value = normal_default(f, text_of(j, "default"), problem);
        if (!problem.empty()) say(f.name + ": " + problem);
      }
      out.push_back(std::move(f));
    }
  }

  const Json* common(const std::string& type) const {
    if (common_ && common_->IsArray())
      for (const Json& c : common_->GetArray())
        if (text_of(c, "name") == type && c.HasMember("fields")) return &c;
    return nullptr;
  }

  std::string file_;
  Import& out_;
  Diagnostics& d_;
  const Json* common_ = nullptr;
};

}  // namespace

void read_json(const std::string& file, const std::string& text, Import& out, Diagnostics& diagnostics) {
  Reader(file, out, diagnostics).run(text);
}

}  // namespace kschema
