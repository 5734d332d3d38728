// SPDX-License-Identifier: MIT
#include "commands/own_input.h"

#include <sys/stat.h>

namespace kparse::cli {

bool is_own_input(const std::string& to, const std::vector<std::string>& inputs, Diagnostics& diagnostics) {
  struct stat written {};
  if (to.empty() || to == "-" || ::stat(to.c_str(), &written) != 0 || !S_ISREG(written.st_mode)) return false;
  for (const std::string& input : inputs) {
    struct stat read {};
    if (input == "-" || ::stat(input.c_str(), &read) != 0) continue;
    if (read.st_dev != written.st_dev || read.st_ino != written.st_ino) continue;
    diagnostics.error(to, "is read here: the result needs another name");
    return true;
  }
  return false;
}

}  // namespace kparse::cli
