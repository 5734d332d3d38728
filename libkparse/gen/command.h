// SPDX-License-Identifier: MIT
// The kschema command, callable from tests.
#pragma once

#include <string>
#include <vector>

namespace kschema {

/// kschema compile DIR OUT        .k files to C++: OUT/schema_tables.cpp and OUT/include/kparse/node.h
/// kschema check DIR              only says what is wrong
/// kschema import IN... --to DIR  JSON descriptions (files, folders) into .k files, made or updated
/// Gives the exit status: 0 done, 1 the input is wrong, 2 wrong usage or a file that can't be read or written. What is
/// wrong is added to `messages`, a line each.
int run(const std::vector<std::string>& args, std::string& messages);

}  // namespace kschema
