// SPDX-License-Identifier: MIT
#include "output/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "output/human.h"

namespace kparse::cli {

std::string read_whole(const std::string& path, std::string& to, std::uint64_t most) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return std::strerror(errno);
  to.clear();
  char block[65536];
  for (std::size_t n; (n = std::fread(block, 1, sizeof block, file.get())) > 0;) {
    if (to.size() + n > most) return fmt::format("it has more than {}", human_bytes(most));
    to.append(block, n);
  }
  return std::ferror(file.get()) ? std::strerror(errno) : "";
}

}  // namespace kparse::cli
