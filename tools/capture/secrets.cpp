// SPDX-License-Identifier: MIT
#include "capture/secrets.h"

#include <filesystem>

#include "capture/source.h"

namespace kparse::capture {

std::vector<Secret> read_secrets(const std::string& name, const std::atomic<bool>* stop) {
  std::error_code ignored;
  if (name == "-" || !std::filesystem::is_regular_file(name, ignored)) return {};
  Source source(name, 0, stop);
  if (!source.open() || !source.info().format.starts_with("pcapng")) return {};
  for (Packet p; source.next(p);) {
  }
  return source.secrets();
}

}  // namespace kparse::capture
