// SPDX-License-Identifier: MIT
// Runs the kparse command and sees what its caller sees.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace kparse::test {

struct Result {
  int status = -1;          ///< exit status; -signal when one ended it
  std::string out, err;
  long peak_kib = 0;        ///< largest resident size
};

/// A process on its way, with a pipe for each of its standard streams.
class Process {
 public:
  struct Start {
    std::vector<std::string> arguments;
    std::string out_file;              ///< standard output goes there instead of to a pipe
    bool close_out = false;            ///< nobody reads standard output
    std::function<void()> in_child;    ///< just before exec: limits, signals
  };
  explicit Process(const Start&);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void write(const std::string& text);
  void close_input();
  /// Waits until all that was written has been read.
  void wait_until_read() const;
  void signal(int number) const;
  /// Reads to the end of both outputs and waits.
  Result finish();

 private:
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
};

Result run(const std::vector<std::string>& arguments, const std::string& input = "");

}  // namespace kparse::test
