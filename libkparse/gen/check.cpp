// SPDX-License-Identifier: MIT
#include "check.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "text.h"

namespace kschema {
namespace {

class Checker {
 public:
  explicit Checker(Diagnostics& d) : d_(d) {}

  void message(const Message& m) {
    const std::string last = std::to_string(m.versions.hi);
    if (!m.flexible.empty() && m.flexible.hi != m.versions.hi)
      d_.say(m.place, "flexible versions must go on to the last version, " + last);
    if (!m.flexible.within(m.versions)) d_.say(m.place, "flexible versions outside the versions of the message");
    if (!m.removed.within(m.versions)) d_.say(m.place, "removed versions outside the versions of the message");
    if (!m.unstable.within(m.versions)) d_.say(m.place, "unstable versions outside the versions of the message");
    if (m.kind == "key" && !m.flexible.empty())
      d_.say(m.place, "the key of an internal topic's record is never flexible");
    if (m.kind == "metadata" && !(m.flexible == m.versions))
      d_.say(m.place, "a metadata record is flexible in all versions (older layouts are alternatives)");
    if (!m.is_api() && (!m.listeners.empty() || !m.unstable.empty()))
      d_.say(m.place, "listeners and unstable are for APIs");
    if (!names_.insert(m.name).second) d_.say(m.place, "a second message '" + m.name + "'");
    flexible_ = m.flexible;
    fields(m.fields, m.versions);
    for (const Alternative& a : m.alternatives) {
      if (!m.versions.has(a.version)) d_.say(a.place, "the message has no version " + std::to_string(a.version));
      flexible_ = a.flexible ? Range{a.version, a.version} : Range{};
      fields(a.fields, {a.version, a.version});
      if (a.flexible == m.flexible.has(a.version) && layout(a.fields, a.version) == layout(m.fields, a.version))
        d_.say(a.place, "the alternative is the same as the layout above");
    }
  }

 private:
  void fields(const std::vector<Field>& list, const Range& parent) {
    std::set<std::string> names;
    std::map<int, const Field*> tags;
    for (const Field& f : list) {
      field(f, parent);
      if (!names.insert(snake_case(f.name)).second) d_.say(f.place, "a second field '" + f.name + "'");
      if (f.tag >= 0 && !tags.emplace(f.tag, &f).second)
        d_.say(f.place, "tag " + std::to_string(f.tag) + " is taken by '" + tags[f.tag]->name + "'");
    }
    int next = 0;
    for (const auto& [tag, f] : tags)
      if (tag != next++) {
        d_.say(f->place, "tags must count from 0 without a hole: tag " + std::to_string(next - 1) + " is missing");
        break;
      }
  }

  void field(const Field& f, const Range& parent) {
    const bool name_ok = !f.name.empty() && std::islower(static_cast<unsigned char>(f.name[0])) &&
                         std::all_of(f.name.begin(), f.name.end(), [](unsigned char c) { return std::isalnum(c); });
    if (!name_ok) d_.say(f.place, "'" + f.name + "' is no camelCase name");
    if (!f.versions.within(parent))
      d_.say(f.place,
             "versions " + to_text(f.versions, -1) + " outside those of what it stands in, " + to_text(parent, -1));
    if (f.versions.empty()) d_.say(f.place, "a field without versions");
    nullable(f);
    tagged(f);
    if (f.noflex && (f.array || (f.type != "string" && f.type != "bytes")))
      d_.say(f.place, "'noflex' is for strings and bytes");
    if (f.zero_copy && f.type != "bytes") d_.say(f.place, "'zerocopy' is for bytes");
    if (f.type == "records" && f.array) d_.say(f.place, "there is no array of records");
    if (f.type == "struct" && f.fields.empty()) d_.say(f.place, "a struct without fields");
    if (f.key && (f.type == "struct" || f.array)) d_.say(f.place, "'key' is for plain values");
    if (!f.mark.empty() && std::find(mark_names().begin() + 1, mark_names().end(), f.mark) == mark_names().end())
      d_.say(f.place, "unknown mark '@" + f.mark + "'");
    entity(f);
    fields(f.fields, f.versions);
  }

  void nullable(const Field& f) {
    if (f.nullable.empty()) return;
    const bool can = f.array || f.type == "string" || f.type == "bytes" || f.type == "records" || f.type == "struct";
    if (!can) d_.say(f.place, "a field of type " + f.type + " can't be null");
    if (!f.nullable.within(f.versions)) d_.say(f.place, "nullable versions outside the field's versions");
  }

  void tagged(const Field& f) {
    if (f.tag < 0) return;
    if (f.tagged.empty() || !f.tagged.within(f.versions))
      d_.say(f.place, "tagged versions outside the field's versions");
    else if (f.tagged.hi != f.versions.hi)
      d_.say(f.place, "a tag stays to the field's last version");
    if (!f.tagged.within(flexible_)) d_.say(f.place, "a tag needs a flexible version");
    if (f.type == "records") d_.say(f.place, "records can't be tagged");
  }

  void entity(const Field& f) {
    if (f.entity.empty()) return;
    static const std::map<std::string, std::string> types{{"transactionalId", "string"},
                                                          {"groupId", "string"},
                                                          {"topicName", "string"},
                                                          {"producerId", "int64"},
                                                          {"brokerId", "int32"}};
    const auto known = types.find(f.entity);
    if (known == types.end())
      d_.say(f.place, "unknown entity '" + f.entity + "'");
    else if (known->second != f.type)
      d_.say(f.place, "a " + f.entity + " is of type " + known->second);
  }

  Diagnostics& d_;
  Range flexible_;
  std::set<std::string> names_;
};

void check_pairs(const Schema& schema, Diagnostics& d) {
  std::map<std::string, const Message*> keys;
  std::map<int, std::pair<const Message*, const Message*>> apis;
  for (const Message& m : schema.messages) {
    if (m.is_api()) {
      auto& pair = apis[m.api_key];
      auto& side = m.kind == "request" ? pair.first : pair.second;
      if (side) d.say(m.place, "API key " + std::to_string(m.api_key) + " is taken by " + side->name);
      side = &m;
    } else if (m.api_key >= 0) {
      const auto& other = keys.emplace(
          m.area + " " + m.kind + " " + std::to_string(m.api_key) + (ends_with(m.name, "Key") ? "k" : ""), &m);
      if (!other.second)
        d.say(m.place, "type " + std::to_string(m.api_key) + " is taken by " + other.first->second->name);
    }
  }
  for (const auto& [key, pair] : apis)
    if (!pair.first || !pair.second)
      d.say((pair.first ? pair.first : pair.second)->place, std::string("an API needs a request and a response: the ") +
                                                                (pair.first ? "response" : "request") + " is missing");
}

void check_releases(const Schema& schema, Diagnostics& d) {
  const auto& r = schema.releases;
  if (r.names.empty()) return;
  std::map<int, const Support*> rows;
  for (const Support& s : r.apis)
    if (!rows.emplace(s.api_key, &s).second) d.say(s.place, "a second row for API key " + std::to_string(s.api_key));
  for (const Message& m : schema.messages) {
    if (m.kind != "request") continue;
    const auto row = rows.find(m.api_key);
    if (row == rows.end()) {
      d.say(m.place, "no release is said to support API key " + std::to_string(m.api_key));
      continue;
    }
    const Support& s = *row->second;
    if (s.api + "Request" != m.name)
      d.say(s.place, "API key " + std::to_string(m.api_key) + " is " + m.name + ", not " + s.api);
    for (const Change& c : s.changes)
      if (!c.stable.within(m.versions) || !c.unstable.within(m.versions))
        d.say(s.place, "versions outside those of " + m.name);
    rows.erase(row);
  }
  for (const auto& [key, row] : rows) d.say(row->place, "API key " + std::to_string(key) + " has no file");
  if (std::find(r.names.begin(), r.names.end(), r.current) == r.names.end())
    d.lines.push_back("releases.k: the current release '" + r.current + "' is not in the list");
}

void check_lists(const Schema& schema, Diagnostics& d) {
  std::set<int> codes;
  std::set<std::string> names;
  for (const ErrorCode& e : schema.errors) {
    if (!codes.insert(e.code).second) d.say(e.place, "a second error " + std::to_string(e.code));
    if (!names.insert(e.name).second) d.say(e.place, "a second error '" + e.name + "'");
  }
  for (const Enum& e : schema.enums) {
    std::set<int> values;
    for (const EnumValue& v : e.values)
      if (!values.insert(v.value).second) d.say(e.place, e.name + " has " + std::to_string(v.value) + " twice");
    for (const std::string& use : e.uses) {
      const auto steps = split(use, '.');
      const std::vector<Field>* at = nullptr;
      for (const Message& m : schema.messages)
        if (m.name == steps[0]) at = &m.fields;
      bool found = at && steps.size() > 1;
      for (std::size_t i = 1; found && i < steps.size(); ++i) {
        const auto f = std::find_if(at->begin(), at->end(), [&](const Field& x) { return x.name == steps[i]; });
        if (f == at->end())
          found = false;
        else if (i + 1 == steps.size())
          found = integer_type(f->type);
        else
          at = &f->fields;
      }
      if (!found) d.say(e.place, "'" + use + "' is no integer field");
    }
  }
}

}  // namespace

const std::vector<std::string>& mark_names() {
  static const std::vector<std::string> names{
      "none",        "error",         "topic",           "topicId",    "partition",
      "group",       "member",        "generation",      "clientId",   "correlationId",
      "apiKey",      "apiVersion",    "throttle",        "acks",       "transactionalId",
      "producerId",  "producerEpoch", "offset",          "brokerId",   "host",
      "port",        "softwareName",  "softwareVersion", "sessionId",  "sessionEpoch",
      "maxWait",     "minBytes",      "mechanism",       "authBytes",  "metadata",
      "assignment",  "protocolType",  "protocolName",    "configName", "configSensitive",
      "configValue", "clusterId"};
  return names;
}

void check(const Schema& schema, Diagnostics& diagnostics) {
  Checker checker(diagnostics);
  for (const Message& m : schema.messages) checker.message(m);
  check_pairs(schema, diagnostics);
  check_releases(schema, diagnostics);
  check_lists(schema, diagnostics);
}

}  // namespace kschema
