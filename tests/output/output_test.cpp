// SPDX-License-Identifier: MIT
#include "output/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "output/diagnostics.h"

namespace kparse::cli {
namespace {

namespace fs = std::filesystem;

class OutputFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "/kparse-output-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
  Diagnostics diagnostics_;
};

TEST_F(OutputFile, AppearsOnlyWhenCommitted) {
  const fs::path file = folder_ / "out";
  Output out(diagnostics_);
  ASSERT_TRUE(out.open(file));
  out.write("a line\n");
  out.print("{} {}\n", 1, "two");
  out.flush();
  EXPECT_FALSE(fs::exists(file));
  ASSERT_TRUE(out.commit());
  EXPECT_EQ(content(file), "a line\n1 two\n");
  EXPECT_EQ(entries(), 1u) << "a temporary file was left";
}

TEST_F(OutputFile, FormerContentStaysWhenDiscarded) {
  const fs::path file = folder_ / "out";
  std::ofstream(file) << "before";
  {
    Output out(diagnostics_);
    ASSERT_TRUE(out.open(file));
    out.write("after");
  }
  EXPECT_EQ(content(file), "before");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(OutputFile, KeepsModeAndFollowsLinks) {
  const fs::path file = folder_ / "real", link = folder_ / "link";
  std::ofstream(file) << "before";
  fs::permissions(file, fs::perms(0640));
  fs::create_symlink(file, link);
  Output out(diagnostics_);
  ASSERT_TRUE(out.open(link));
  out.write("after");
  ASSERT_TRUE(out.commit());
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content(file), "after");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0640));
}

TEST_F(OutputFile, NewFileHasTheUsualMode) {
  const mode_t before = ::umask(022);
  Output out(diagnostics_);
  ASSERT_TRUE(out.open(folder_ / "out"));
  ASSERT_TRUE(out.commit());
  ::umask(before);
  EXPECT_EQ(fs::status(folder_ / "out").permissions(), fs::perms(0644));
}

TEST_F(OutputFile, LargeWritesKeepTheirOrder) {
  std::string expected;
  Output out(diagnostics_);
  ASSERT_TRUE(out.open(folder_ / "out"));
  for (int i = 0; i < 40; ++i) {
    const std::string piece(static_cast<std::size_t>(i) * 20'000, static_cast<char>('a' + i % 26));
    out.write(piece);
    out.print("{}\n", i);
    expected += piece + std::to_string(i) + '\n';
  }
  ASSERT_TRUE(out.commit());
  EXPECT_EQ(content(folder_ / "out"), expected);
}

TEST_F(OutputFile, FullDiskIsAnError) {
  Output out(diagnostics_);
  ASSERT_TRUE(out.open("/dev/full"));
  out.write("text");
  testing::internal::CaptureStderr();
  EXPECT_FALSE(out.commit());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "kparse: /dev/full: cannot be written: No space left on device\n");
}

TEST_F(OutputFile, MissingFolderIsAnError) {
  Output out(diagnostics_);
  testing::internal::CaptureStderr();
  EXPECT_FALSE(out.open(folder_ / "no" / "out"));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("/no/out: cannot be created: No such file"), std::string::npos);
  EXPECT_FALSE(out.wanted());
  EXPECT_EQ(diagnostics_.errors(), 1u);
}

TEST_F(OutputFile, ClosedPipeEndsQuietly) {
  std::signal(SIGPIPE, SIG_IGN);
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  Output out(diagnostics_);
  ASSERT_TRUE(out.open(pipe));
  EXPECT_TRUE(out.wanted());
  ::close(reader);
  out.write("text");
  out.flush();
  EXPECT_FALSE(out.wanted());
  EXPECT_TRUE(out.commit());
  EXPECT_EQ(diagnostics_.errors(), 0u);
}

TEST(DiagnosticsTest, QuietAndVerbose) {
  Diagnostics diagnostics;
  testing::internal::CaptureStderr();
  diagnostics.error("a.pcap", "broken");
  diagnostics.warning("", "odd");
  diagnostics.detail("", "unheard");
  diagnostics.set_quiet(true);
  diagnostics.warning("", "unheard");
  diagnostics.error("evil\x1b[2J.pcap", "broken");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "kparse: a.pcap: broken\nkparse: odd\nkparse: evil\\x1b[2J.pcap: broken\n");
  EXPECT_EQ(diagnostics.errors(), 2u);
}

}  // namespace
}  // namespace kparse::cli
