// SPDX-License-Identifier: MIT
// Walking a body with one of the detail sinks.
#pragma once

#include "session/detail_reader.h"

namespace kparse {

template <class S>
Error DetailReader::walk_body(const Message& m, int version, Bytes body, S& sink) noexcept {
  const Program& program = p_.programs.get(layout_for(m, version, body));
  if constexpr (requires { sink.read(program, body); }) {
    return sink.read(program, body);
  } else {
    return walk(program, body, sink);
  }
}

Error DetailReader::walk_request(const KeptRequest& r, auto& sink) {
  const Api* api = find_api(r.api_key);
  if (!api || !api->request) return {.code = Code::unknownApi};
  return walk_body(*api->request, r.version, r.body, sink);
}

}  // namespace kparse
