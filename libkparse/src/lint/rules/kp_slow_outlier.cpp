// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "lint/latency.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"outlier-factor", 5, "times", "above the API's p99"},
                                  {"outlier-min", 200, "", "requests of that API, at least"}};
constexpr std::string_view instead[] = {"KP-SLOW"};
constexpr std::span<const std::string_view> frame_only{};
constexpr double least_ms = 100;

/// Times in microseconds; 16 steps an octave: at most 6 % too high.
class Histogram {
 public:
  void add(double ms) noexcept {
    ++steps_[std::min(step_of(static_cast<std::uint64_t>(ms * 1e3)), steps_.size() - 1)];
    ++count_;
  }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] double p99_ms() const noexcept {
    const std::uint64_t place = (count_ * 99 + 99) / 100;
    std::uint64_t seen = 0;
    for (std::size_t n = 0; n < steps_.size(); ++n)
      if ((seen += steps_[n]) >= place) return static_cast<double>(end_of(n)) / 1e3;
    return 0;
  }

 private:
  static std::size_t step_of(std::uint64_t us) noexcept {
    if (us < 16) return static_cast<std::size_t>(us);
    const int shift = static_cast<int>(std::bit_width(us)) - 5;
    return static_cast<std::size_t>(shift) * 16 + static_cast<std::size_t>(us >> shift);
  }
  static std::uint64_t end_of(std::size_t n) noexcept {
    if (n < 16) return n + 1;
    const std::size_t shift = n / 16 - 1;
    return (std::uint64_t{n % 16 + 16} + 1) << shift;
  }
  std::array<std::uint32_t, 16 * 34> steps_{};
  std::uint64_t count_ = 0;
};

class Outlier final : public LatencyRule {
 public:
  using LatencyRule::LatencyRule;

  void answered(const Conn& c, const Response& r, const Latency& l) override {
    Kind* const k = kinds_.get(r.api_key, room_);
    if (!k) return;
    k->api = r.api;
    const double ms = l.net();
    k->times.add(ms);
    if (ms <= least_ms || desk_.said_here("KP-SLOW")) return;
    // The slowest may be many: more than these wouldn't be outliers.
    const auto slower = [](const Once& a, const Once& b) { return a.ms > b.ms; };
    if (k->slowest.size() >= kept) {
      if (ms <= k->slowest.front().ms) return;
      std::pop_heap(k->slowest.begin(), k->slowest.end(), slower);
      k->slowest.pop_back();
    }
    k->slowest.push_back({ms, r.request_version, witness_of(c, r.frame.first)});
    std::push_heap(k->slowest.begin(), k->slowest.end(), slower);
  }

  void on_finish(const Stamp&) override {
    for (auto& [key, k] : kinds_) {
      if (static_cast<double>(k.times.count()) < option(1)) continue;
      const double p99 = k.times.p99_ms();
      std::ranges::sort(k.slowest, [](const Once& a, const Once& b) { return a.ms > b.ms; });
      for (const Once& o : k.slowest) {
        if (o.ms <= p99 * option(0)) break;
        const std::string what = api_text(k.api, key);
        hit({.api = what, .cause = what, .witness = &o.witness, .instead = &frame_only}, [&](Text& t) {
          t << what << " v" << o.version << " took " << Decimal{o.ms, 0} << " ms; 99 of 100 take at most "
            << Decimal{p99} << " ms.";
        });
      }
    }
  }

 private:
  static constexpr std::size_t kept = 64;
  struct Once {
    double ms;
    std::int16_t version;
    Witness witness;
  };
  struct Kind {
    const Api* api = nullptr;
    Histogram times;
    std::vector<Once> slowest;   ///< a heap, the least of them in front
  };
  Room room_{*this, "APIs", 256};
  Bounded<std::int16_t, Kind> kinds_;
};

}  // namespace

KPARSE_RULE(kp_slow_outlier, Outlier, .id = "KP-SLOW-OUTLIER", .severity = Severity::notice, .scope = RuleScope::frame,
            .condition = "A request's latency without its waits, as for KP-SLOW, is above outlier-factor times the p99 of its "
                         "API and above 100 ms, with at least outlier-min requests of that API.",
            .why = "A tail that averages hide.", .fix = "Look at the broker's disk and garbage collection at that time.",
            .example = "Metadata v4 took 300 ms; 99 of 100 take at most 1 ms.",
            .sources = "Allegro's post on tail latencies", .healthy = true, .options = options, .instead = instead);

}  // namespace kparse::lint
