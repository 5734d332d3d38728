// SPDX-License-Identifier: MIT
#include "output/progress.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "output/diagnostics.h"
#include "output/human.h"

namespace kparse::cli {
namespace {

constexpr auto patience = std::chrono::seconds(1);
constexpr auto interval = std::chrono::milliseconds(100);

void show(std::string_view text) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Progress::Progress(When when, bool quiet, std::uint64_t total, Diagnostics& diagnostics)
    : diagnostics_(diagnostics),
      total_(total),
      start_(std::chrono::steady_clock::now()),
      next_(start_ + (when == When::always ? std::chrono::steady_clock::duration{} : patience)),
      on_(when == When::always || (when == When::automatic && !quiet && ::isatty(STDERR_FILENO) == 1)) {
  if (on_) diagnostics_.before_message([this] { clear(); });
}

Progress::~Progress() { finish(); }

void Progress::update(std::uint64_t done, std::uint64_t packets) {
  if (!on_) return;
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  if (now < next_) return;
  next_ = now + interval;
  const double seconds = std::max(1e-3, std::chrono::duration<double>(now - start_).count());
  const auto rate = human_bytes(static_cast<std::uint64_t>(static_cast<double>(done) / seconds));
  if (total_ == 0) {
    show(fmt::format("\r\x1b[K{}, {} packets, {}/s", human_bytes(done), human_count(packets), rate));
  } else {
    constexpr std::size_t width = 30;
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
    const auto filled = static_cast<std::size_t>(share * width);
    show(fmt::format("\r\x1b[K[{}{}] {:3.0f} %  {} of {}, {} packets, {}/s", std::string(filled, '#'),
                     std::string(width - filled, '.'), share * 100, human_bytes(done), human_bytes(total_),
                     human_count(packets), rate));
  }
  shown_ = true;
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (shown_) show("\r\x1b[K");
  shown_ = false;
}

void Progress::finish() {
  if (!on_) return;
  diagnostics_.before_message({});
  clear();
  on_ = false;
}

}  // namespace kparse::cli
