// SPDX-License-Identifier: MIT
#include "process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace kparse::test {
namespace {

void make_pipe(int (&ends)[2]) {
  if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
}

void close_fd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

}  // namespace

Process::Process(const Start& start) {
  std::signal(SIGPIPE, SIG_IGN);
  int in[2], out[2], err[2];
  make_pipe(in);
  make_pipe(out);
  make_pipe(err);
  if (!start.out_file.empty()) {
    close_fd(out[1]);
    out[1] = ::open(start.out_file.c_str(), O_WRONLY | O_CLOEXEC);
  }
  std::vector<char*> arguments{const_cast<char*>(KPARSE_COMMAND)};
  for (const auto& argument : start.arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(in[0], 0);
    ::dup2(out[1], 1);
    ::dup2(err[1], 2);
    std::signal(SIGPIPE, SIG_DFL);
    if (start.in_child) start.in_child();
    ::execv(KPARSE_COMMAND, arguments.data());
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  ::close(err[1]);
  in_ = in[1];
  out_ = out[0];
  err_ = err[0];
  if (start.close_out) close_fd(out_);
}

Process::~Process() {
  close_fd(in_);
  close_fd(out_);
  close_fd(err_);
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

void Process::write(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(in_, text.data() + at, text.size() - at);
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

void Process::close_input() { close_fd(in_); }

void Process::wait_until_read() const {
  for (int left = 1; left > 0;) {
    if (::ioctl(in_, FIONREAD, &left) != 0) return;
    ::usleep(10'000);
  }
}

void Process::signal(int number) const { ::kill(pid_, number); }

Result Process::finish() {
  Result result;
  close_input();
  pollfd fds[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
  std::string* texts[2] = {&result.out, &result.err};
  char buffer[65536];
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    ::poll(fds, 2, -1);
    for (int i = 0; i < 2; ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      const ssize_t n = ::read(fds[i].fd, buffer, sizeof buffer);
      if (n <= 0) {
        fds[i].fd = -1;
      } else {
        texts[i]->append(buffer, static_cast<std::size_t>(n));
      }
    }
  }
  int status = 0;
  rusage usage{};
  ::wait4(pid_, &status, 0, &usage);
  pid_ = -1;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  result.peak_kib = usage.ru_maxrss;
  return result;
}

Result run(const std::vector<std::string>& arguments, const std::string& input) {
  Process::Start start;
  start.arguments = arguments;
  Process process(start);
  process.write(input);
  return process.finish();
}

}  // namespace kparse::test
