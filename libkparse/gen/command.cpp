// SPDX-License-Identifier: MIT
#include "command.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "check.h"
#include "emit.h"
#include "parse.h"
#include "print.h"
#ifdef KSCHEMA_IMPORT
#include "merge.h"
#endif

namespace kschema {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path, bool& ok) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  ok = in.good() || in.eof();
  return text.str();
}

/// Leaves a file alone that already says so, so that nothing is built again without need.
bool write(const fs::path& path, const std::string& text, std::string& messages) {
  bool ok = false;
  if (fs::exists(path) && read(path, ok) == text) return true;
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) messages += "kschema: can't write " + path.string() + "\n";
  return static_cast<bool>(out);
}

int report(const Diagnostics& d, std::string& messages) {
  for (const auto& line : d.lines) messages += line + "\n";
  return d.ok() ? 0 : 1;
}

int compile(const fs::path& dir, const fs::path* out, std::string& messages) {
  Diagnostics d;
  const Schema schema = parse_folder(dir, d);
  if (d.ok()) check(schema, d);
  if (!d.ok() || !out) return report(d, messages);
  const Emitted e = emit(schema);
  return write(*out / "schema_tables.cpp", e.tables, messages) &&
                 write(*out / "include/kparse/node.h", e.nodes, messages)
             ? 0
             : 2;
}

#ifdef KSCHEMA_IMPORT
/// In a file: a request before its response, a record's key before its value, by type.
bool before(const Message* a, const Message* b) {
  const auto rank = [](const Message* m) {
    return std::pair(m->kind == "early-data" ? 99999 : m->api_key, m->kind == "response" || m->kind == "value");
  };
  return rank(a) < rank(b);
}

int import(const std::vector<std::string>& inputs, const fs::path& dir, std::string& messages) {
  Diagnostics d;
  Import in;
  std::vector<fs::path> files;
  for (const auto& input : inputs) {
    if (!fs::is_directory(input)) {
      files.emplace_back(input);
      continue;
    }
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(input))
      if (entry.path().extension() == ".json") found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  for (const auto& file : files) {
    bool ok = false;
    const std::string text = read(file, ok);
    if (!ok || text.empty()) {
      messages += "kschema: can't read " + file.string() + "\n";
      return 2;
    }
    read_json(file.string(), text, in, d);
  }
  fs::create_directories(dir);
  Schema schema = parse_folder(dir, d);
  if (!d.ok()) return report(d, messages);
  merge(in, schema, d);
  std::map<std::string, std::vector<const Message*>> by_file;
  for (const Message& m : schema.messages) by_file[m.place.file].push_back(&m);
  for (auto& [file, list] : by_file) {
    std::stable_sort(list.begin(), list.end(), before);
    if (!write(dir / file, print(list), messages)) return 2;
  }
  return report(d, messages);
}
#endif

}  // namespace

int run(const std::vector<std::string>& args, std::string& messages) {
  if (args.size() == 3 && args[0] == "compile") {
    const fs::path out = args[2];
    return compile(args[1], &out, messages);
  }
  if (args.size() == 2 && args[0] == "check") return compile(args[1], nullptr, messages);
#ifdef KSCHEMA_IMPORT
  if (args.size() >= 4 && args[0] == "import" && args[args.size() - 2] == "--to")
    return import({args.begin() + 1, args.end() - 2}, args.back(), messages);
#endif
  messages += "kschema compile DIR OUT\nkschema check DIR\nkschema import IN... --to DIR\n";
  return 2;
}

}  // namespace kschema
