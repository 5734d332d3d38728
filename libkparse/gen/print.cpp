// SPDX-License-Identifier: MIT
#include "print.h"

#include <algorithm>

#include "text.h"

namespace kschema {
namespace {

struct Widths {
  std::size_t name = 0, type = 0, versions = 0;
};

std::string type_of(const Field& f) {
  if (f.array) return f.type == "struct" ? "[]" : "[]" + f.type;
  return f.type;
}

std::string versions_of(const Field& f, const Range& parent, int last) {
  return f.versions == parent ? "" : to_text(f.versions, last);
}

void measure(const std::vector<Field>& fields, std::size_t indent, const Range& parent, int last, Widths& w) {
  for (const Field& f : fields) {
    w.name = std::max(w.name, indent + f.name.size());
    w.type = std::max(w.type, type_of(f).size());
    w.versions = std::max(w.versions, versions_of(f, parent, last).size());
    measure(f.fields, indent + 2, f.versions, last, w);
  }
}

void pad(std::string& out, std::size_t to) {
  if (out.size() < to) out.append(to - out.size(), ' ');
}

std::string attributes(const Field& f, int last) {
  std::string out;
  const auto add = [&](const std::string& word) { out += (out.empty() ? "" : "  ") + word; };
  if (!f.nullable.empty()) add(f.nullable == f.versions ? "null" : "null " + to_text(f.nullable, last));
  if (f.tag >= 0) add("tag " + std::to_string(f.tag) + (f.tagged == f.versions ? "" : " " + to_text(f.tagged, last)));
  if (f.default_value) add("default " + *f.default_value);
  if (!f.entity.empty()) add("entity " + f.entity);
  if (f.key) add("key");
  if (f.ignorable) add("ignorable");
  if (f.zero_copy) add("zerocopy");
  if (f.noflex) add("noflex");
  if (f.secret) add("secret");
  if (!f.mark.empty()) add("@" + f.mark);
  return out;
}

void comments(const Place& at, std::size_t indent, std::string& out) {
  for (const auto& line : at.above) out += std::string(indent, ' ') + line + "\n";
}

void print_fields(const std::vector<Field>& fields, std::size_t indent, const Range& parent, int last, const Widths& w,
                  std::string& out) {
  for (const Field& f : fields) {
    comments(f.place, indent, out);
    std::string line(indent, ' ');
    line += f.name;
    pad(line, w.name + 2);
    line += type_of(f);
    pad(line, w.name + w.type + 4);
    line += versions_of(f, parent, last);
    if (w.versions) pad(line, w.name + w.type + w.versions + 6);
    line += attributes(f, last);
    line.erase(line.find_last_not_of(' ') + 1);
    if (!f.place.beside.empty()) line += "  " + f.place.beside;
    out += line + "\n";
    print_fields(f.fields, indent + 2, f.versions, last, w, out);
  }
}

void print_fields(const std::vector<Field>& fields, const Range& versions, std::string& out) {
  Widths w;
  measure(fields, 2, versions, versions.hi, w);
  print_fields(fields, 2, versions, versions.hi, w, out);
}

std::string head(const Message& m) {
  std::string out = to_text(m.versions, -1);
  if (!m.flexible.empty()) out += "  flexible " + to_text(m.flexible, m.versions.hi);
  if (!m.removed.empty()) out += "  removed " + to_text(m.removed, -1);
  if (!m.unstable.empty()) out += "  unstable " + to_text(m.unstable, -1);
  if (!m.was.empty()) out += "  was " + m.was;
  if (!m.listeners.empty()) out += "  listeners " + m.listeners;
  if (!m.place.beside.empty()) out += "  " + m.place.beside;
  return out;
}

}  // namespace

std::string print(const std::vector<const Message*>& messages) {
  std::string out = "# SPDX-License-Identifier: MIT\n";
  std::string area = "clients";
  for (const Message* m : messages) {
    out += "\n";
    if (m->area != area) out += "area " + m->area + "\n\n";
    area = m->area;
    comments(m->place, 0, out);
    if (m->kind == "request")
      out += "api " + std::to_string(m->api_key) + " " + m->name.substr(0, m->name.size() - 7) + "  " + head(*m) +
             "\n\nrequest\n";
    else if (m->kind == "response")
      out += "response" + (m->place.beside.empty() ? "" : "  " + m->place.beside) + "\n";
    else
      out +=
          m->kind + " " + (m->api_key < 0 ? "" : std::to_string(m->api_key) + " ") + m->name + "  " + head(*m) + "\n";
    print_fields(m->fields, m->versions, out);
    for (const Alternative& a : m->alternatives) {
      out += "\n";
      comments(a.place, 0, out);
      out += "alternative " + std::to_string(a.version) + (a.flexible ? " flexible" : " plain") + " in " + a.from +
             " .. " + a.to + (a.place.beside.empty() ? "" : "  " + a.place.beside) + "\n";
      print_fields(a.fields, {a.version, a.version}, out);
    }
  }
  return out;
}

}  // namespace kschema
