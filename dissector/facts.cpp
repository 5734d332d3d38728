// SPDX-License-Identifier: GPL-2.0-or-later
#include "facts.h"

#include <utility>

#include "kparse/node.h"

namespace kparse::dissector {

namespace {

struct FactSink : Sink {
  Facts facts;

  void string(NodeId n, std::string_view v, Bytes) noexcept {
    switch (field(n).mark) {
      case Mark::protocol_type: facts.protocol_type = v; break;
      case Mark::protocol_name: facts.protocol_name = v; break;
      case Mark::mechanism: facts.mechanism = v; break;
      default: break;
    }
  }
  void bytes(NodeId n, Bytes v, Bytes) noexcept {
    if (n == node::envelope_request::request_data) facts.inner_request = v;
  }
};

ProgramSet& programs() {
  static ProgramSet* programs = [] {
    Interest wanted = Interest::nothing();
    for (Mark m : {Mark::protocol_type, Mark::protocol_name, Mark::mechanism}) wanted.add(m);
    wanted.add(node::envelope_request::request_data);
    return new ProgramSet(std::move(wanted));
  }();
  return *programs;
}

}  // namespace

bool tells_facts(int api_key) noexcept {
  constexpr int join_group = 11, sync_group = 14, sasl_handshake = 17, envelope = 58;
  return api_key == join_group || api_key == sync_group || api_key == sasl_handshake || api_key == envelope;
}

Facts facts_of(const Message& message, int version, Bytes body) noexcept {
  FactSink sink;
  (void)walk(programs(), layout_for(message, version, body), body, sink);
  return sink.facts;
}

}  // namespace kparse::dissector
