// SPDX-License-Identifier: MIT
#include "support.h"

#include <rapidjson/document.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "kparse/compress.h"

namespace kparse::test {

Blob from_hex(std::string_view hex) {
  Blob out;
  std::string digits;
  for (const char c : hex) {
    if (c == ' ') continue;
    digits += c;
    if (digits.size() < 2) continue;
    out.push_back(static_cast<std::uint8_t>(std::stoi(digits, nullptr, 16)));
    digits.clear();
  }
  return out;
}

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (path.extension() == ".gz") {
    Scratch scratch;
    const Decompressed out =
        decompress(Codec::gzip, {reinterpret_cast<const std::uint8_t*>(content.data()), content.size()}, scratch);
    content = std::string(text(out.data));
  }
  std::vector<std::string> lines;
  std::istringstream in(content);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

std::filesystem::path data_file(std::string_view name) {
  return std::filesystem::path(KPARSE_SOURCE_DIR) / "tests" / name;
}

std::filesystem::path shared_folder() {
  const char* folder = std::getenv("KPARSE_SHARED");
  return folder ? std::filesystem::path(folder) : std::filesystem::path(KPARSE_SOURCE_DIR) / ".." / "shared";
}

std::vector<std::filesystem::path> shared_messages() {
  std::vector<std::filesystem::path> out;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(shared_folder() / "golden", none))
    if (entry.path().filename().string().starts_with("messages-")) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Vector> vectors_of(const std::filesystem::path& path) {
  std::vector<Vector> out;
  for (const std::string& line : lines_of(path)) {
    rapidjson::Document d;
    d.Parse(line.c_str());
    const Message* m = find_message(d["message"].GetString());
    if (!m) continue;
    out.push_back({m, d["version"].GetInt(), from_hex(d["hex"].GetString()), d.HasMember("layout")});
  }
  return out;
}

void Log::line(const char* what, NodeId n, const std::string& value, const std::uint8_t* at) {
  lines.push_back(std::string(what) + " " + std::to_string(n) + " " + value + " @" + std::to_string(at - body_.data()));
  nodes.push_back(n);
  values_.push_back(value);
}

std::vector<std::string> Log::values(std::string_view field_name) const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (field(nodes[i]).name == field_name && !lines[i].starts_with("end")) out.push_back(values_[i]);
  return out;
}

Walked walk_all(std::string_view message, int version, Bytes body) {
  ProgramSet programs(Interest::everything());
  Walked w{{}, Log(body)};
  w.error = walk(programs.get(*find_message(message), version), body, w.log);
  return w;
}

}  // namespace kparse::test
