// SPDX-License-Identifier: MIT
// Decodes the frames that a client sent: list_requests FILE
// FILE holds what went over the TCP connection from client to broker: size and request, size and request, ...
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include "kparse/decode.h"

namespace {

/// Prints every string of a message with the name of its field.
struct Strings : kparse::Sink {
  void string(kparse::NodeId node, std::string_view value, kparse::Bytes) noexcept {
    std::array<char, 200> path;
    const std::string_view name = kparse::path_of(node, path);
    std::printf("    %.*s = %.*s\n", static_cast<int>(name.size()), name.data(), static_cast<int>(value.size()),
                value.data());
  }
};

void print_request(kparse::Bytes frame, kparse::ProgramSet& programs) {
  const kparse::RequestHeader header = kparse::decode_request_header(frame);
  if (header.error) return void(std::printf("  not a request\n"));
  if (!header.known)
    return void(std::printf("  API %d version %d: newer than the tables\n", header.api_key, header.version));
  std::printf("  %.*s v%d #%d\n", static_cast<int>(header.api->name.size()), header.api->name.data(), header.version,
              header.correlation_id);
  Strings strings;
  const kparse::Program& program = programs.get(*header.api->request, header.version);
  const kparse::Error error = kparse::walk(program, frame.subspan(header.size), strings);
  if (error) std::printf("    broken: %s\n", kparse::name_of(error.code).data());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: list_requests FILE\n"), 2;
  std::ifstream file(argv[1], std::ios::binary);
  if (!file) return std::fprintf(stderr, "list_requests: %s: cannot be read\n", argv[1]), 3;
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  kparse::Bytes rest{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};

  kparse::Interest interest = kparse::Interest::nothing();  // what isn't wanted is skipped, not decoded
  interest.add(kparse::Mark::topic);
  interest.add(kparse::Mark::group);
  interest.add(kparse::Mark::software_name);
  kparse::ProgramSet programs(interest);
  while (rest.size() >= 4) {
    const auto size = kparse::load_be<std::uint32_t>(rest.data());
    if (size > rest.size() - 4) break;
    print_request(rest.subspan(4, size), programs);
    rest = rest.subspan(4 + size);
  }
  if (!rest.empty()) std::printf("  %zu bytes left over\n", rest.size());
  return 0;
}
