// SPDX-License-Identifier: MIT
// What kschema says about a wrong .k file: where, and what.
#include <gtest/gtest.h>

#include "gen/check.h"
#include "gen/parse.h"
#include "gen/print.h"
#include "gen/text.h"

namespace kschema {
namespace {

/// All complaints about one file, joined by newlines.
std::string complaints(const std::string& text) {
  Schema schema;
  Diagnostics d;
  parse("t.k", text, schema, d);
  if (d.ok()) check(schema, d);
  std::string out;
  for (const auto& line : d.lines) out += (out.empty() ? "" : "\n") + line;
  return out;
}

std::string in_data(const std::string& rows) { return complaints("data D  0-3  flexible 2+\n" + rows); }

TEST(Compile, GoodFile) {
  EXPECT_EQ(in_data("  a  int32\n"
                    "  b  string    1+   null 2+  default x\n"
                    "  c  []        2+   null  tag 0  default null\n"
                    "    d  []uuid  3+  # said\n"
                    "  e  int8      0-2  @error\n"),
            "");
}

TEST(Compile, Syntax) {
  EXPECT_EQ(in_data("  a  int33\n"), "t.k:2: unknown type 'int33'");
  EXPECT_EQ(in_data("  a  int32\n  b  []Thing\n"), "t.k:3: unknown type '[]Thing'");
  EXPECT_EQ(in_data("  a\n"), "t.k:2: the type of 'a' is missing");
  EXPECT_EQ(in_data("  a  int32  0+  nulll\n"), "t.k:2: unknown word 'nulll'");
  EXPECT_EQ(in_data("  a  int32  3-1\n"), "t.k:2: unknown word '3-1'");
  EXPECT_EQ(in_data("   a  int32\n"), "t.k:2: indented by an odd number of blanks");
  EXPECT_EQ(in_data("  a  int32\n    b  int32\n"), "t.k:3: indented deeper than the line above allows");
  EXPECT_EQ(in_data("  a  int32  default\n"), "t.k:2: 'default' needs a value");
  EXPECT_EQ(complaints("data D 0+\n"), "t.k:1: '0+' is no closed range of versions");
  EXPECT_EQ(complaints("data D\n"), "t.k:1: a name and versions are missing");
  EXPECT_EQ(complaints("request\n"), "t.k:1: 'request' without an 'api' line above");
  EXPECT_EQ(complaints("api x Y 0\n"), "t.k:1: 'x' is no API key or record type");
  EXPECT_EQ(complaints("thing D 0\n"), "t.k:1: unknown word 'thing'");
  EXPECT_EQ(complaints("  a  int32\n"), "t.k:1: indented, but nothing is open above");
  EXPECT_EQ(complaints("alternative 0 plain in 1 .. 2\n"), "t.k:1: an alternative needs a message above it");
}

TEST(Compile, GoesOnAfterAnError) {
  EXPECT_EQ(in_data("  a  int33\n  b  int34\n"), "t.k:2: unknown type 'int33'\nt.k:3: unknown type 'int34'");
}

TEST(Compile, Versions) {
  EXPECT_EQ(in_data("  a  int32  2-5\n"), "t.k:2: versions 2-5 outside those of what it stands in, 0-3");
  EXPECT_EQ(in_data("  a  []  1-2\n    b  int8  1-3\n"), "t.k:3: versions 1-3 outside those of what it stands in, 1-2");
  EXPECT_EQ(in_data("  a  string  1-2  null 0-2\n"), "t.k:2: nullable versions outside the field's versions");
  EXPECT_EQ(in_data("  a  int32  null\n"), "t.k:2: a field of type int32 can't be null");
  EXPECT_EQ(complaints("data D 0-3 flexible 1-2\n"), "t.k:1: flexible versions must go on to the last version, 3");
  EXPECT_EQ(complaints("data D 0-3 removed 0-4\n"), "t.k:1: removed versions outside the versions of the message");
}

TEST(Compile, Tags) {
  EXPECT_EQ(in_data("  a  int32  2+  tag 0\n  b  int32  2+  tag 0\n"), "t.k:3: tag 0 is taken by 'a'");
  EXPECT_EQ(in_data("  a  int32  2+  tag 0\n  b  int32  2+  tag 2\n"),
            "t.k:3: tags must count from 0 without a hole: tag 1 is missing");
  EXPECT_EQ(in_data("  a  int32  1+  tag 0\n"), "t.k:2: a tag needs a flexible version");
  EXPECT_EQ(in_data("  a  int32  tag 0 2\n"), "t.k:2: a tag stays to the field's last version");
  EXPECT_EQ(in_data("  a  records  2+  tag 0\n"), "t.k:2: records can't be tagged");
  EXPECT_EQ(in_data("  a  int32  tag x\n"), "t.k:2: 'tag' needs a number");
}

TEST(Compile, Fields) {
  EXPECT_EQ(in_data("  a  int8\n  a  int8\n"), "t.k:3: a second field 'a'");
  EXPECT_EQ(in_data("  Big  int8\n"), "t.k:2: 'Big' is no camelCase name");
  EXPECT_EQ(in_data("  a  struct\n"), "t.k:2: a struct without fields");
  EXPECT_EQ(in_data("  a  int8  @nothing\n"), "t.k:2: unknown mark '@nothing'");
  EXPECT_EQ(in_data("  a  int8  noflex\n"), "t.k:2: 'noflex' is for strings and bytes");
  EXPECT_EQ(in_data("  a  int8  entity brokerId\n"), "t.k:2: a brokerId is of type int32");
  EXPECT_EQ(in_data("  a  int8  entity city\n"), "t.k:2: unknown entity 'city'");
}

TEST(Compile, Defaults) {
  EXPECT_EQ(in_data("  a  int8  default 128\n"), "t.k:2: default '128' is no int8");
  EXPECT_EQ(in_data("  a  int8  default -128\n"), "");
  EXPECT_EQ(in_data("  a  int16  default one\n"), "t.k:2: default 'one' is no int16");
  EXPECT_EQ(in_data("  a  bool  default maybe\n"), "t.k:2: default 'maybe' is no bool");
  EXPECT_EQ(in_data("  a  string  null 1+  default null\n"),
            "t.k:2: the default is null, but the field is not nullable in all its versions");
  EXPECT_EQ(in_data("  a  uuid  default 7\n"), "t.k:2: this type's default can only be null");
}

TEST(Compile, Pairs) {
  const std::string a = "api 1 A  0\nrequest\n  x  int8\n", response = "response\n  x  int8\n";
  EXPECT_EQ(complaints(a + response), "");
  EXPECT_EQ(complaints(a), "t.k:1: an API needs a request and a response: the response is missing");
  EXPECT_EQ(complaints(a + response + "api 1 B  0\nrequest\n" + response),
            "t.k:6: API key 1 is taken by ARequest\nt.k:8: API key 1 is taken by AResponse");
  EXPECT_EQ(complaints("area g\nkey 1 AKey  0\n  x  int8\nkey 1 BKey  0\n"), "t.k:4: type 1 is taken by AKey");
  EXPECT_EQ(complaints("key 1 AKey  0  flexible 0+\n"),
            "t.k:1: the key of an internal topic's record is never flexible");
  EXPECT_EQ(complaints("data A  0\ndata A  0\n"), "t.k:2: a second message 'A'");
}

TEST(Compile, Alternatives) {
  const std::string d = "data D  0-1  flexible 0+\n  a  int8\n";
  EXPECT_EQ(complaints(d + "alternative 1 plain in 2.8.0 .. 2.8.2\n  a  int8\n"), "");
  EXPECT_EQ(complaints(d + "alternative 1 flexible in 2.8.0 .. 2.8.2\n  a  int8\n"),
            "t.k:3: the alternative is the same as the layout above");
  EXPECT_EQ(complaints(d + "alternative 2 plain in 2.8.0 .. 2.8.2\n  a  int8\n"),
            "t.k:3: the message has no version 2");
  EXPECT_EQ(complaints(d + "alternative 1 in 2.8.0 .. 2.8.2\n"),
            "t.k:3: alternative VERSION plain|flexible in FIRST .. LAST");
}

TEST(Compile, Lists) {
  EXPECT_EQ(complaints("errors\n  1  A  final  1.0\n  1  B  final  1.0\n"), "t.k:3: a second error 1");
  EXPECT_EQ(complaints("errors\n  1  A  maybe  1.0\n"), "t.k:2: CODE NAME retriable|final FIRST-RELEASE [was NAME...]");
  EXPECT_EQ(complaints("data D 0\n  a  string\nenum E\n  in D.a\n  1  x\n"), "t.k:3: 'D.a' is no integer field");
  EXPECT_EQ(complaints("data D 0\n  a  int8\nenum E\n  in D.a\n  1  x\n  1  y\n"), "t.k:3: E has 1 twice");
  const std::string api = "api 1 A  0-3\nrequest\n  x  int8\nresponse\n  x  int8\n";
  const std::string releases = "releases current 2.0\n  1.0 2.0\nsupported\n";
  EXPECT_EQ(complaints(api + releases + "  1 A  1.0:0  2.0:0-2+u3\n"), "");
  EXPECT_EQ(complaints(api + releases + "  1 A  1.0:0  2.0:0-4\n"), "t.k:9: versions outside those of ARequest");
  EXPECT_EQ(complaints(api + releases + "  1 A  3.0:0\n"), "t.k:9: '3.0:0' names no release");
  EXPECT_EQ(complaints(api + releases + "  1 A  2.0:0  1.0:1\n"), "t.k:9: '1.0:1': releases out of order");
  EXPECT_EQ(complaints(api + releases), "t.k:1: no release is said to support API key 1");
}

TEST(Compile, CommittedFilesAreClean) {
  Diagnostics d;
  const Schema schema = parse_folder(std::string(KPARSE_SOURCE_DIR) + "/libkparse/schema", d);
  if (d.ok()) check(schema, d);
  EXPECT_TRUE(d.ok()) << d.lines.front();
  EXPECT_EQ(schema.messages.size(), 291u);
}

TEST(Text, SnakeCase) {
  EXPECT_EQ(snake_case("throttleTimeMs"), "throttle_time_ms");
  EXPECT_EQ(snake_case("v3AndBelowTopics"), "v3_and_below_topics");
  EXPECT_EQ(snake_case("isKRaftController"), "is_kraft_controller");
  EXPECT_EQ(snake_case("KRaftVersionRecord"), "kraft_version_record");
  EXPECT_EQ(snake_case("isr"), "isr");
}

}  // namespace
}  // namespace kschema
