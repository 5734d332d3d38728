// SPDX-License-Identifier: MIT
#include <cstdio>

#include "command.h"

int main(int argc, char** argv) {
  std::string messages;
  const int status = kschema::run({argv + 1, argv + argc}, messages);
  std::fputs(messages.c_str(), stderr);
  return status;
}
