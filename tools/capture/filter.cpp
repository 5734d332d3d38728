// SPDX-License-Identifier: MIT
#include "capture/filter.h"

#include "capture/libpcap.h"

namespace kparse::capture {

struct Filter::Program {
  std::uint16_t link_type = 0;
  bool valid = false;
  std::string error;
  const Libpcap* pcap = libpcap(error);
  bpf_program code{};

  Program(std::uint16_t type, const std::string& expression) : link_type(type) {
    // LINKTYPE_RAW is the only number of ours that isn't the same in memory (DLT_RAW).
    pcap_t* p = pcap != nullptr ? pcap->open_dead(type == 101 ? DLT_RAW : type, 262144) : nullptr;
    if (p == nullptr) return;
    valid = pcap->compile(p, &code, expression.c_str(), 1, PCAP_NETMASK_UNKNOWN) == 0;
    if (!valid) error = pcap->geterr(p);
    pcap->close(p);
  }
  ~Program() {
    if (valid) pcap->freecode(&code);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
};

Filter::Filter() = default;
Filter::~Filter() = default;
Filter::Filter(Filter&&) noexcept = default;
Filter& Filter::operator=(Filter&&) noexcept = default;

std::string Filter::set(std::string expression) {
  programs_.clear();
  expression_ = std::move(expression);
  if (expression_.empty()) return {};
  std::string why;
  // "inbound" and the like mean nothing to Ethernet, but to cooked captures.
  for (const std::uint16_t type : std::initializer_list<std::uint16_t>{1, 113}) {
    programs_.push_back(std::make_unique<Program>(type, expression_));
    if (programs_.back()->valid) return {};
    if (why.empty()) why = programs_.back()->error;
  }
  return why;
}

bool Filter::passes(const Packet& p) {
  if (expression_.empty()) return true;
  Program* found = nullptr;
  for (const auto& q : programs_) {
    if (q->link_type == p.link_type) found = q.get();
  }
  if (found == nullptr) {
    programs_.push_back(std::make_unique<Program>(p.link_type, expression_));
    found = programs_.back().get();
  }
  if (!found->valid) return false;
  pcap_pkthdr h{};
  h.caplen = static_cast<bpf_u_int32>(p.data.size());
  h.len = p.wire_length;
  return found->pcap->offline_filter(&found->code, &h, p.data.data()) != 0;
}

}  // namespace kparse::capture
