// SPDX-License-Identifier: MIT
#include "merge.h"

#include <algorithm>

#include "marks.h"
#include "text.h"

namespace kschema {
namespace {

Field* find(std::vector<Field>& fields, const std::string& name) {
  const auto f = std::find_if(fields.begin(), fields.end(), [&](const Field& x) { return x.name == name; });
  return f == fields.end() ? nullptr : &*f;
}

/// What `r` says outside of `described`: older versions, and newer ones.
Range outside(const Range& r, const Range& described, bool older) {
  if (described.empty()) return older ? r : Range{};
  return older ? clip(r, {0, described.lo - 1}) : clip(r, {described.hi + 1, 32767});
}

class Merger {
 public:
  Merger(const Range& described, std::string& problem) : described_(described), problem_(problem) {}

  /// `fresh` describes the versions in described_, `old` what the file has; the result goes into `fresh`.
  void fields(std::vector<Field>& fresh, std::vector<Field>& old) {
    for (Field& f : fresh)
      if (Field* o = find(old, f.name)) field(f, *o);
    // What only older (or newer) versions have keeps its place after the field that it stood behind.
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (find(fresh, old[i].name)) continue;
      Field kept = old[i];
      if (!narrow(kept)) continue;
      std::size_t at = 0;
      for (std::size_t before = i; before-- > 0;)
        if (const Field* f = find(fresh, old[before].name)) {
          at = static_cast<std::size_t>(f - fresh.data()) + 1;
          break;
        }
      fresh.insert(fresh.begin() + static_cast<std::ptrdiff_t>(at), std::move(kept));
    }
  }

 private:
  Range united(const Range& fresh, const Range& old, const std::string& what) {
    Range r = fresh;
    for (const bool older : {true, false}) {
      const auto joined = join(r, outside(old, described_, older));
      if (!joined)
        problem_ = what + ": the versions would have a hole";
      else
        r = *joined;
    }
    return r;
  }

  void field(Field& f, Field& o) {
    if (f.type != o.type || f.array != o.array) {
      if (!outside(o.versions, described_, true).empty() || !outside(o.versions, described_, false).empty())
        problem_ = f.name + ": its type changed from " + o.type + " to " + f.type;
      f.place = o.place;
      return;
    }
    f.place = o.place;
    f.versions = united(f.versions, o.versions, f.name);
    f.nullable = united(f.nullable, o.nullable, f.name);
    if (f.tag < 0 || f.tag == o.tag) {
      f.tagged = united(f.tagged, o.tagged, f.name);
      f.tag = f.tagged.empty() ? -1 : std::max(f.tag, o.tag);
    } else if (o.tag >= 0) {
      problem_ = f.name + ": its tag changed";
    }
    fields(f.fields, o.fields);
  }

  /// Only what lies outside the described versions; false: nothing.
  bool narrow(Field& f) {
    const Range older = outside(f.versions, described_, true), newer = outside(f.versions, described_, false);
    if (!older.empty() && !newer.empty()) problem_ = f.name + ": the versions would have a hole";
    f.versions = older.empty() ? newer : older;
    if (f.versions.empty()) return false;
    f.nullable = clip(f.nullable, f.versions);
    f.tagged = clip(f.tagged, f.versions);
    if (f.tagged.empty()) f.tag = -1;
    std::vector<Field> below;
    for (Field& c : f.fields)
      if (narrow(c)) below.push_back(std::move(c));
    f.fields = std::move(below);
    return true;
  }

  Range described_;
  std::string& problem_;
};

std::string merge_message(const Imported& in, Message& old) {
  Message m = in.message;
  std::string problem;
  const Range described = m.versions;
  if (in.none) {
    old.removed = old.versions;
    return "";
  }
  Merger(described, problem).fields(m.fields, old.fields);
  const auto versions = join(described, old.versions);
  if (!versions) return "its versions and those of the file leave a hole";
  m.versions = *versions;
  if (!in.whole) {
    if (described.lo > m.versions.lo) m.removed = {m.versions.lo, described.lo - 1};
    if (described.hi < m.versions.hi)
      m.removed = old.removed;  // an older Kafka than the file: says nothing about removals
    m.was = old.was;
    if (m.flexible.empty() ? old.flexible.has(described.hi)
                           : old.flexible.has(m.flexible.lo - 1) && m.flexible.lo > described.lo)
      return "turns flexible at another version";
    const auto flexible = join(m.flexible, old.flexible);
    if (!flexible) return "flexible versions would have a hole";
    m.flexible = *flexible;
    if (described.hi < m.versions.hi) m.unstable = old.unstable;
    if (m.listeners.empty()) m.listeners = old.listeners;
  }
  if (m.area.empty()) m.area = old.area;
  if (m.api_key < 0) m.api_key = old.api_key;
  if (old.kind == "early-data") m.kind = old.kind;
  m.place = old.place;
  m.alternatives = old.alternatives;
  if (!problem.empty()) return problem;
  for (int v = m.versions.lo; v <= m.versions.hi; ++v) {
    const bool fresh = described.has(v);
    if (layout(m.fields, v) != layout(fresh ? in.message.fields : old.fields, v))
      return "version " + std::to_string(v) + " would get another layout: fields must keep their order";
  }
  propose_marks(m, m.fields, &old.fields);
  old = std::move(m);
  return "";
}

}  // namespace

std::string file_of(const Message& m) {
  if (m.is_api()) {
    const std::string name = m.name.substr(0, m.name.rfind(m.kind == "request" ? "Request" : "Response"));
    return (m.api_key < 10 ? "0" : "") + std::to_string(m.api_key) + "_" + snake_case(name) + ".k";
  }
  if (m.kind == "header") return "headers.k";
  if (m.area == "group-coordinator") return "group_records.k";
  if (m.area == "share-coordinator") return "share_records.k";
  if (m.area == "transaction-coordinator") return "transaction_records.k";
  if (m.area == "metadata") return "metadata_records.k";
  if (m.kind == "metadata") return "remote_log_records.k";
  if (m.area == "streams") return "streams.k";
  if (m.name.rfind("ConsumerProtocol", 0) == 0) return "consumer_protocol.k";
  if (m.name == "DefaultPrincipalData") return "principal.k";
  if (m.area != "clients" || m.name == "AbortedTxn") return "broker_files.k";
  return "control_records.k";
}

void merge(const Import& import, Schema& schema, Diagnostics& diagnostics) {
  for (const Imported& in : import.messages) {
    const auto old = std::find_if(schema.messages.begin(), schema.messages.end(),
                                  [&](const Message& m) { return m.name == in.message.name; });
    if (old != schema.messages.end()) {
      if (const auto problem = merge_message(in, *old); !problem.empty())
        diagnostics.say(old->place, in.message.name + ": " + problem);
    } else if (!in.none) {
      Message m = in.message;
      if (m.area.empty()) m.area = "clients";
      m.place.file = file_of(m);
      propose_marks(m, m.fields, nullptr);
      schema.messages.push_back(std::move(m));
    }
  }
  for (const ImportedAlternative& in : import.alternatives) {
    const auto m = std::find_if(schema.messages.begin(), schema.messages.end(),
                                [&](const Message& x) { return x.name == in.message; });
    if (m == schema.messages.end()) {
      diagnostics.lines.push_back("an alternative layout of the unknown message '" + in.message + "'");
      continue;
    }
    Alternative a = in.layout;
    const auto known = std::find_if(m->alternatives.begin(), m->alternatives.end(), [&](const Alternative& x) {
      return x.version == a.version && x.from == a.from && x.to == a.to;
    });
    propose_marks(*m, a.fields, known == m->alternatives.end() ? &m->fields : &known->fields);
    if (known == m->alternatives.end())
      m->alternatives.push_back(std::move(a));
    else if (layout(known->fields, a.version) != layout(a.fields, a.version))
      known->fields = std::move(a.fields);
  }
}

}  // namespace kschema
