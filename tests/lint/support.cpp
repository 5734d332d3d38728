// SPDX-License-Identifier: MIT
#include "support.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "capture/pcapng_writer.h"
#include "craft/item.h"
#include "craft/script.h"
#include "craft/timeline.h"
#include "craft/yaml.h"
#include "output/diagnostics.h"
#include "pipeline/pipeline.h"

namespace kparse::test {
namespace {

namespace fs = std::filesystem;

std::string read_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file + " can't be read");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// What stands under a name at the top of a YAML file, as a document of its own. Text and not a tree: craft reads text.
std::string block(const std::string& yaml, const std::string& name) {
  std::istringstream lines(yaml);
  std::string line, out;
  bool inside = false;
  while (std::getline(lines, line)) {
    const bool top = !line.empty() && line[0] != ' ' && line[0] != '#';
    if (top) {
      inside = line.starts_with(name + ":");
      if (inside) out += line.substr(name.size() + 1) + '\n';
    } else if (inside) {
      out += (line.starts_with("  ") ? line.substr(2) : line) + '\n';
    }
  }
  return out;
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes) {
    std::string name = (fs::temp_directory_path() / "kparse-lint-XXXXXX").string();
    const int fd = mkstemp(name.data());
    if (fd < 0) throw std::runtime_error("no temporary file");
    close(fd);
    name_ = name;
    std::ofstream(name_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(name_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  std::string name_;
};

}  // namespace

std::string lint_folder(const std::string& name) { return std::string(KPARSE_SOURCE_DIR) + "/tests/lint/" + name; }

std::vector<std::string> fixtures_of(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(lint_folder(folder), none))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Fixture read_fixture(const std::string& file) {
  const std::string yaml = read_file(file);
  Fixture f;
  f.hit = block(yaml, "hit");
  f.miss = block(yaml, "miss");
  try {
    const craft::Item all = craft::parse_script(yaml);
    all.only({"hit", "miss", "also", "message", "count", "options", "compacted"}, "a fixture");
    if (const auto* also = all.find("also"))
      for (const craft::Item& id : also->items) f.also.push_back(craft::as_text(id));
    if (const auto* message = all.find("message")) f.message = craft::as_text(*message);
    if (const auto* count = all.find("count")) f.count = std::stoull(count->text);
    if (const auto* topics = all.find("compacted"))
      for (const craft::Item& topic : topics->items) f.options.compacted.push_back(craft::as_text(topic));
    if (const auto* options = all.find("options"))
      for (std::size_t i = 0; i < options->items.size(); ++i)
        f.options.set[options->names[i]] = std::stod(options->items[i].text);
  } catch (const craft::ScriptError& e) {
    throw std::runtime_error(file + ":" + std::to_string(e.line()) + ": " + e.reason());
  }
  if (const std::string wrong = wrong_with(f.options); !wrong.empty()) throw std::runtime_error(file + ": " + wrong);
  return f;
}

std::string crafted(const std::string& script) {
  std::string bytes;
  capture::PcapngWriter writer([&bytes](std::string_view block) { bytes += block; });
  try {
    (void)craft::write_packets(craft::read_script(script), "test", writer);
  } catch (const craft::ScriptError& e) {
    throw std::runtime_error("line " + std::to_string(e.line()) + " of the script: " + e.reason());
  }
  return bytes;
}

std::vector<Finding> lint_files(const std::vector<std::string>& captures, const LintOptions& options) {
  cli::CommonOptions common;
  std::vector<std::unique_ptr<TemporaryFile>> files;
  for (const std::string& bytes : captures) {
    files.push_back(std::make_unique<TemporaryFile>(bytes));
    common.captures.push_back(files.back()->name());
  }
  common.threads = 1;
  common.progress = cli::When::never;
  cli::Diagnostics diagnostics;
  Cluster cluster;
  Linter linter(options, cluster);
  const cli::Summary summary =
      cli::run_pipeline(common, common.captures, cluster, linter, cli::Names::while_reading, diagnostics);
  Stamp end;
  for (std::size_t i = 0; i < summary.inputs.size(); ++i)
    if (summary.inputs[i].last_time)
      end = {.time_ns = *summary.inputs[i].last_time, .packet = summary.inputs[i].packets, .file = static_cast<std::uint32_t>(i)};
  return linter.finish(end);
}

std::vector<Finding> lint(const std::string& script, const LintOptions& options) { return lint_files({crafted(script)}, options); }

std::string text_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings)
    text += std::string(name_of(f.rule->severity)) + " " + std::string(f.rule->id) + ": " + f.message + "\n";
  return text;
}

}  // namespace kparse::test
