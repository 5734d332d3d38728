// SPDX-License-Identifier: MIT
#include "pipeline/secret_store.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "capture/secrets.h"
#include "output/diagnostics.h"
#include "output/interrupt.h"

namespace kparse::cli {
namespace {
constexpr std::uint64_t most_told = 5;  // broken lines of one source
}

SecretStore::SecretStore(std::vector<std::string> key_logs, std::vector<std::string> captures, Diagnostics& diagnostics)
    : captures_(std::move(captures)), diagnostics_(diagnostics) {
  for (const std::string& name : key_logs)
    if (!read_file(name, true)) unreadable_ = true;
}

bool SecretStore::read_file(const std::string& name, bool asked_for) {
  std::error_code ignored;
  std::ifstream in;
  if (std::filesystem::is_directory(name, ignored)) {
    errno = EISDIR;
  } else if (!asked_for && std::filesystem::exists(name, ignored) && !std::filesystem::is_regular_file(name, ignored)) {
    errno = EINVAL;  // nobody knows what reading it would do
  } else {
    in.open(name, std::ios::binary);
  }
  if (!in.is_open()) {
    const std::string why = fmt::format("the key log can't be read: {}", std::strerror(errno));
    asked_for ? diagnostics_.error(name, why) : diagnostics_.warning(name, why + " (SSLKEYLOGFILE)");
    return false;
  }
  // A file of anything may be named: lines are read as far as a key log's can be.
  constexpr std::size_t longest = 16u << 10;
  std::uint64_t number = 1;
  std::string line;
  std::vector<char> block(256u << 10);
  const auto take = [&] {
    if (log_.add_line(line) == KeyLog::Line::broken) tell(name, number, log_.what_is_wrong());
    line.clear();
    ++number;
  };
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())), in.gcount() > 0) {
    std::string_view rest(block.data(), static_cast<std::size_t>(in.gcount()));
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      line.append(rest.substr(0, std::min(end, longest - std::min(longest, line.size()))));
      if (end < rest.size()) take();
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  if (!line.empty()) take();
  end_of(name);
  return true;
}

void SecretStore::tell(std::string_view source, std::uint64_t line, std::string_view what) {
  if (broken_++ < most_told)
    diagnostics_.warning(source, fmt::format("line {} of the key log is left out: {}", line, what));
}

void SecretStore::end_of(std::string_view source) {
  if (broken_ > most_told)
    diagnostics_.warning(source, fmt::format("{} more lines of the key log are left out", broken_ - most_told));
  broken_ = 0;
  const KeyLog::Counts& c = log_.counts();
  if (c.other > std::exchange(others_, c.other))
    diagnostics_.warning(source, "the key log has different secrets for the same connection: the first ones count");
  if (c.left_out > std::exchange(left_out_, c.left_out))
    diagnostics_.warning(source, "the key log has more connections than can be kept: the last ones are left out");
}

void SecretStore::add_block(std::string_view source, const capture::Secret& s) {
  if (s.type != capture::tls_key_log || !blocks_.insert(s.data).second) return;
  log_.add_text(s.data, [&](std::uint64_t line, std::string_view what) { tell(source, line, what); });
  end_of(source);
}

bool SecretStore::look_for_more(const std::vector<capture::Secret>& met) {
  bool more = met.size() > met_;
  for (; met_ < met.size(); ++met_) add_block("", met[met_]);
  if (looked_) return more;
  looked_ = true;
  if (const char* name = std::getenv("SSLKEYLOGFILE"); name != nullptr && *name != '\0') (void)read_file(name, false);
  for (const std::string& name : captures_)
    for (const capture::Secret& s : capture::read_secrets(name, &stop_flag())) add_block(name, s);
  return true;
}

}  // namespace kparse::cli
