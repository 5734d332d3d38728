// SPDX-License-Identifier: MIT
#include "output/csv.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "output/diagnostics.h"
#include "output/output.h"

namespace kparse::cli {
namespace {

std::string written(const std::function<void(Csv&)>& write) {
  Diagnostics diagnostics;
  Output out(diagnostics);
  testing::internal::CaptureStdout();
  if (out.open("")) {
    Csv csv(out);
    write(csv);
    EXPECT_TRUE(out.commit());
  }
  return testing::internal::GetCapturedStdout();
}

TEST(CsvTest, QuotesAsRfc4180Says) {
  EXPECT_EQ(written([](Csv& csv) {
              csv.text("plain").text("a,b").text("say \"hi\"").text("two\nlines").text("").end_row();
              csv.number(-5).number(2.5).empty().number(std::numeric_limits<double>::quiet_NaN()).end_row();
            }),
            "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\r\n-5,2.5,,\r\n");
}

TEST(CsvTest, TextIsNeverAFormula) {
  EXPECT_EQ(
      written([](Csv& csv) { csv.text("=1+1").text("+1").text("-1").text("@x").text("\tx").text("a=b").end_row(); }),
      "\"'=1+1\",\"'+1\",\"'-1\",\"'@x\",\"'\tx\",a=b\r\n");
}

}  // namespace
}  // namespace kparse::cli
