// SPDX-License-Identifier: MIT
// interop write FOLDER: bytes for Kafka's classes to read. interop read FOLDER: what these wrote.
#include <string_view>

#include "files.h"

namespace kparse::interop {
namespace {

int run(std::string_view what, const fs::path& folder) {
  if (what == "write") {
    fs::create_directories(folder / "records");
    fs::create_directories(folder / "xerial");
    write_records(folder / "records");
    write_xerial(folder / "xerial");
    write_messages(folder / "messages.ndjson");
    return 0;
  }
  Tally tally;
  read_records(folder / "records", tally);
  read_xerial(folder / "xerial", tally);
  for (const char* file : {"messages.ndjson", "messages-older.ndjson"}) read_messages(folder / file, tally);
  std::printf("theirs, read by kparse: %u checked, %u wrong\n", tally.checked, tally.wrong);
  return tally.wrong == 0 && tally.checked > 0 ? 0 : 1;
}

}  // namespace
}  // namespace kparse::interop

int main(int argc, char** argv) {
  const std::string_view what = argc == 3 ? argv[1] : "";
  if (what != "write" && what != "read") return std::fprintf(stderr, "usage: interop write|read FOLDER\n"), 2;
  return kparse::interop::run(what, argv[2]);
}
