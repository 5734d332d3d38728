// SPDX-License-Identifier: MIT
#include "parse.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "parse_lists.h"
#include "text.h"

namespace kschema {
namespace {

class Parser {
 public:
  Parser(std::string file, Schema& schema, Diagnostics& diagnostics)
      : file_(std::move(file)), schema_(schema), diagnostics_(diagnostics) {}

  void run(std::string_view text) {
    int number = 0;
    for (const std::string& raw : split(text, '\n')) {
      ++number;
      Line line = cut(raw, number);
      if (line.words.empty()) {
        if (!line.place.beside.empty() && line.place.beside.find("SPDX-") == std::string::npos)
          above_.push_back(line.place.beside);
        continue;
      }
      line.place.above.swap(above_);
      above_.clear();
      if (line.indent == 0)
        top(line);
      else
        below(line);
    }
  }

 private:
  static Line cut(const std::string& raw, int number) {
    Line line;
    line.place.line = number;
    std::string_view text = raw;
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1), ++line.indent;
    const auto hash = text.find('#');
    if (hash != text.npos && (hash == 0 || text[hash - 1] == ' ')) {
      line.place.beside = text.substr(hash);
      text = text.substr(0, hash);
    }
    line.words = words(text);
    return line;
  }

  void say(const Line& line, const std::string& what) { diagnostics_.say(file_, line.place.line, what); }

  void top(Line& line) {
    line.place.file = file_;
    const std::string& word = line.words[0];
    into_ = Into::nothing;
    levels_.clear();
    if (word == "area") {
      if (line.words.size() != 2) return say(line, "area NAME");
      area_ = line.words[1];
    } else if (word == "api") {
      api_ = Message{};
      api_.kind = "api";
      head(line, api_, 3);
      in_api_ = true;
    } else if (word == "request" || word == "response") {
      if (!in_api_) return say(line, "'" + word + "' without an 'api' line above");
      Message m = api_;
      m.kind = word;
      m.name = api_.name + (word == "request" ? "Request" : "Response");
      if (word == "request")
        m.place.above.insert(m.place.above.end(), line.place.above.begin(), line.place.above.end());
      else
        m.place = line.place;
      open(std::move(m));
    } else if (word == "header" || word == "data") {
      Message m;
      m.kind = word;
      head(line, m, 2);
      open(std::move(m));
    } else if (word == "key" || word == "value" || word == "metadata" || word == "early-data") {
      Message m;
      m.kind = word;
      const bool no_type = word == "early-data" && line.words.size() > 1 && !number(line.words[1]);
      head(line, m, no_type ? 2 : 3);
      open(std::move(m));
    } else if (word == "alternative") {
      alternative(line);
    } else if (list_ = start_list(line, schema_, diagnostics_); list_ != List::none) {
      into_ = Into::list;
    } else {
      say(line, "unknown word '" + word + "'");
    }
  }

  /// `api KEY NAME RANGE [flexible RANGE] ...` or, with 2 leading words, without the key.
  void head(const Line& line, Message& m, std::size_t leading) {
    m.place = line.place;
    m.area = area_;
    if (line.words.size() <= leading) return say(line, "a name and versions are missing");
    if (leading == 3) {
      const auto key = number(line.words[1]);
      if (!key || *key < 0 || *key > 32767) say(line, "'" + line.words[1] + "' is no API key or record type");
      m.api_key = static_cast<int>(key.value_or(0));
    }
    m.name = line.words[leading - 1];
    const auto versions = range(line.words[leading], 0);
    if (!versions || versions->empty() || line.words[leading].back() == '+')
      return say(line, "'" + line.words[leading] + "' is no closed range of versions");
    m.versions = *versions;
    for (std::size_t i = leading + 1; i < line.words.size(); i += 2) {
      const std::string& word = line.words[i];
      if (i + 1 == line.words.size()) return say(line, "'" + word + "' needs a value");
      const std::string& value = line.words[i + 1];
      if (word == "was")
        m.was = value;
      else if (word == "listeners")
        m.listeners = value;
      else if (word == "flexible" || word == "removed" || word == "unstable") {
        const auto r = range(value, m.versions.hi);
        if (!r)
          say(line, "'" + value + "' is no range of versions");
        else
          (word == "flexible" ? m.flexible : word == "removed" ? m.removed : m.unstable) = *r;
      } else {
        return say(line, "unknown word '" + word + "'");
      }
    }
  }

  void open(Message m) {
    if (m.kind != "request" && m.kind != "response") in_api_ = false;
    versions_ = m.versions;
    schema_.messages.push_back(std::move(m));
    levels_ = {{0, &schema_.messages.back().fields, versions_}};
    into_ = Into::fields;
  }

  /// `alternative VERSION plain|flexible in FIRST .. LAST`: belongs to the message above it.
  void alternative(Line& line) {
    const auto& w = line.words;
    if (schema_.messages.empty() || schema_.messages.back().place.file != file_)
      return say(line, "an alternative needs a message above it");
    const auto v = w.size() == 7 ? number(w[1]) : std::nullopt;
    if (!v || (w[2] != "plain" && w[2] != "flexible") || w[3] != "in" || w[5] != "..")
      return say(line, "alternative VERSION plain|flexible in FIRST .. LAST");
    Alternative a;
    a.place = line.place;
    a.version = static_cast<int>(*v);
    a.flexible = w[2] == "flexible";
    a.from = w[4];
    a.to = w[6];
    versions_ = {a.version, a.version};
    auto& list = schema_.messages.back().alternatives;
    list.push_back(std::move(a));
    levels_ = {{0, &list.back().fields, versions_}};
    into_ = Into::fields;
  }

  void below(Line& line) {
    line.place.file = file_;
    if (into_ == Into::list) return list_row(list_, line, schema_, diagnostics_);
    if (into_ != Into::fields) return say(line, "indented, but nothing is open above");
    if (line.indent % 2) return say(line, "indented by an odd number of blanks");
    const std::size_t depth = static_cast<std::size_t>(line.indent) / 2;
    if (depth > levels_.size()) return say(line, "indented deeper than the line above allows");
    levels_.resize(depth);
    Field f = read_field(line);
    auto& fields = *levels_.back().fields;
    fields.push_back(std::move(f));
    if (fields.back().type == "struct") levels_.push_back({line.indent, &fields.back().fields, fields.back().versions});
  }

  Field read_field(const Line& line) {
    const auto& w = line.words;
    Field f;
    f.place = line.place;
    f.name = w[0];
    if (w.size() < 2) {
      say(line, "the type of '" + f.name + "' is missing");
      f.type = "int8";
      return f;
    }
    f.type = w[1];
    if (f.type.rfind("[]", 0) == 0) {
      f.array = true;
      f.type = f.type.substr(2);
      if (f.type.empty()) f.type = "struct";
    }
    if (!known_type(f.type) || (f.array && w[1] == "[]struct")) {
      say(line, "unknown type '" + w[1] + "'");
      f.type = "int8";
    }
    std::size_t at = 2;
    f.versions = take_range(w, at).value_or(levels_.back().versions);
    std::string default_text;
    bool has_default = false;
    while (at < w.size()) {
      const std::string& word = w[at++];
      if (word == "null")
        f.nullable = take_range(w, at).value_or(f.versions);
      else if (word == "tag") {
        const auto tag = at < w.size() ? number(w[at]) : std::nullopt;
        if (!tag || *tag < 0 || *tag > 10000) {
          say(line, "'tag' needs a number");
          break;
        }
        f.tag = static_cast<int>(*tag);
        ++at;
        f.tagged = take_range(w, at).value_or(f.versions);
      } else if (word == "default" || word == "entity") {
        if (at == w.size()) {
          say(line, "'" + word + "' needs a value");
          break;
        }
        if (word == "entity")
          f.entity = w[at++];
        else
          default_text = w[at++], has_default = true;
      } else if (word == "key")
        f.key = true;
      else if (word == "ignorable")
        f.ignorable = true;
      else if (word == "zerocopy")
        f.zero_copy = true;
      else if (word == "noflex")
        f.noflex = true;
      else if (word == "secret")
        f.secret = true;
      else if (word.size() > 1 && word[0] == '@')
        f.mark = word.substr(1);
      else
        say(line, "unknown word '" + word + "'");
    }
    if (has_default) {
      std::string problem;
      f.default_value = normal_default(f, default_text, problem);
      if (!problem.empty()) say(line, problem);
    }
    return f;
  }

  std::optional<Range> take_range(const std::vector<std::string>& w, std::size_t& at) {
    if (at >= w.size() || w[at] == "none") return {};
    const auto r = range(w[at], versions_.hi);
    if (r) ++at;
    return r;
  }

  struct Level {
    int indent;
    std::vector<Field>* fields;
    Range versions;
  };
  enum class Into { nothing, fields, list };

  std::string file_;
  Schema& schema_;
  Diagnostics& diagnostics_;
  std::vector<std::string> above_;
  std::vector<Level> levels_;
  Message api_;
  std::string area_ = "clients";
  Range versions_;
  Into into_ = Into::nothing;
  List list_ = List::none;
  bool in_api_ = false;
};

}  // namespace

void parse(const std::string& file, std::string_view text, Schema& schema, Diagnostics& diagnostics) {
  Parser(file, schema, diagnostics).run(text);
}

Schema parse_folder(const std::filesystem::path& folder, Diagnostics& diagnostics) {
  std::vector<std::filesystem::path> paths;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if (entry.path().extension() == ".k") paths.push_back(entry.path());
  if (failed) diagnostics.lines.push_back(folder.string() + ": " + failed.message());
  std::sort(paths.begin(), paths.end());
  Schema schema;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    parse(path.filename().string(), text.str(), schema, diagnostics);
  }
  return schema;
}

}  // namespace kschema
