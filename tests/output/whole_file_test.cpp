// SPDX-License-Identifier: MIT
#include "output/whole_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace kparse::cli {
namespace {

TEST(WholeFile, AllOfItOrWhyNot) {
  const std::string path = testing::TempDir() + "whole_file";
  const std::string content(200'000, 'x');
  std::ofstream(path) << content;
  std::string text = "before";
  EXPECT_EQ(read_whole(path, text), "");
  EXPECT_EQ(text, content);
  EXPECT_EQ(read_whole(path, text, content.size()), "");
  EXPECT_EQ(read_whole(path, text, 102'400), "it has more than 100 KiB");
  std::ofstream(path, std::ios::trunc).close();
  EXPECT_EQ(read_whole(path, text), "");
  EXPECT_EQ(text, "");
  std::remove(path.c_str());
  EXPECT_EQ(read_whole(path, text), "No such file or directory");
  EXPECT_EQ(read_whole(testing::TempDir(), text), "Is a directory");
}

TEST(WholeFile, WhatDoesNotEndIsGivenUp) {
  std::string text;
  EXPECT_EQ(read_whole("/dev/zero", text, 1u << 20), "it has more than 1.00 MiB");
}

}  // namespace
}  // namespace kparse::cli
