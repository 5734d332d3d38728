// SPDX-License-Identifier: MIT
#include "report/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace kparse::report {
namespace {

std::int64_t nearest_rank(std::vector<std::int64_t> values, unsigned percent) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(percent / 100.0 * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

Histogram of(const std::vector<std::int64_t>& values) {
  Histogram h;
  for (const std::int64_t v : values) h.add(v);
  return h;
}

TEST(Histogram, IsExactForFewValues) {
  std::mt19937_64 random(1);
  std::vector<std::int64_t> values;
  for (int n = 1; n <= 64; ++n) {
    values.push_back(static_cast<std::int64_t>(random() >> 20));
    const Histogram h = of(values);
    for (const unsigned p : {1u, 50u, 90u, 99u, 100u}) EXPECT_EQ(h.percentile(p), nearest_rank(values, p)) << n << " values, p" << p;
  }
}

TEST(Histogram, IsAtMostOnePercentOffForMany) {
  std::mt19937_64 random(2);
  for (const double sigma : {0.1, 1.0, 3.0}) {
    std::lognormal_distribution<double> latency(14, sigma);  // around 1.2 ms in ns
    std::vector<std::int64_t> values;
    for (int i = 0; i < 20'000; ++i) values.push_back(static_cast<std::int64_t>(latency(random)));
    const Histogram h = of(values);
    for (const unsigned p : {1u, 25u, 50u, 90u, 99u}) {
      const auto truth = static_cast<double>(nearest_rank(values, p));
      EXPECT_NEAR(static_cast<double>(h.percentile(p)), truth, truth * 0.01) << "sigma " << sigma << ", p" << p;
    }
    EXPECT_EQ(h.max(), *std::max_element(values.begin(), values.end()));
    EXPECT_EQ(h.min(), *std::min_element(values.begin(), values.end()));
    double sum = 0;
    for (const std::int64_t v : values) sum += static_cast<double>(v);
    EXPECT_NEAR(h.mean(), sum / 20'000, 1e-6 * h.mean());
  }
}

TEST(Histogram, SmallValuesStayExactHoweverMany) {
  Histogram h;
  for (int i = 0; i < 1000; ++i) h.add(i % 100);
  EXPECT_EQ(h.percentile(50), 49);
  EXPECT_EQ(h.percentile(99), 98);
  EXPECT_EQ(h.percentile(100), 99);
}

TEST(Histogram, TakesExtremes) {
  Histogram h;
  for (int i = 0; i < 100; ++i) h.add(INT64_MAX);
  h.add(-5);
  h.add(0);
  EXPECT_EQ(h.min(), -5);
  EXPECT_EQ(h.max(), INT64_MAX);
  EXPECT_EQ(h.percentile(1), 0);                  // rank 2 of 102
  EXPECT_NEAR(h.mean(), 100.0 / 102 * 9.223372036854775807e18, 1e16);
  EXPECT_EQ(Histogram().percentile(50), 0);
}

// What threads see must add up to what one would have seen, whatever share each had.
TEST(Histogram, MergedIsTheSameAsOne) {
  std::mt19937_64 random(3);
  for (const int n : {10, 40, 64, 65, 100, 1000}) {
    Histogram whole, a, b;
    for (int i = 0; i < n; ++i) {
      const auto v = static_cast<std::int64_t>(random() >> 30);
      whole.add(v);
      (i % 3 == 0 ? a : b).add(v);
    }
    a.merge(b);
    EXPECT_EQ(a.count(), whole.count());
    EXPECT_EQ(a.mean(), whole.mean());
    for (unsigned p = 1; p <= 100; ++p) EXPECT_EQ(a.percentile(p), whole.percentile(p)) << n << " values, p" << p;
  }
}

}  // namespace
}  // namespace kparse::report
