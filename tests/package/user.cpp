// SPDX-License-Identifier: MIT
// Uses each layer once, so that a header or an object that wasn't installed is missed.
#include <cstdio>
#include <string_view>

#include <kparse/cluster.h>
#include <kparse/connection.h>
#include <kparse/decode.h>
#include <kparse/encode.h>
#include <kparse/interpreter.h>
#include <kparse/node.h>
#include <kparse/record_walk.h>
#include <kparse/record_writer.h>

namespace {

struct Names : kparse::ConnectionHandler {
  void on_request(const kparse::Request& request) override { api = request.api != nullptr ? request.api->name : "?"; }
  std::string_view api;
};

}  // namespace

int main() {
  // ApiVersions version 0, correlation id 1, client id null.
  static constexpr std::uint8_t frame[] = {0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, 0xff, 0xff};
  Names names;
  kparse::Connection connection({.trust_port = true}, names);
  connection.syn_from(0);
  connection.data(0, 0, frame, {}, {});
  connection.finish({});

  kparse::Scratch scratch;
  kparse::RecordSink sink;
  kparse::Writer bytes;
  kparse::write_request_header(*kparse::find_api("ApiVersions"), 0, 1, {}, bytes);
  kparse::RecordWriter batch;
  batch.begin({});
  if (batch.finish(scratch, bytes)) return 1;
  kparse::read_records(bytes.view().subspan(10), {}, scratch, sink);
  const kparse::Field& field = kparse::field(kparse::node::fetch_response::responses::partitions::error_code);
  std::printf("%s %s\n", names.api.data(), field.name.data());
  return names.api == "ApiVersions" && field.name == "errorCode" ? 0 : 1;
}
