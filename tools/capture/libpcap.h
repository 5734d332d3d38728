// SPDX-License-Identifier: MIT
// libpcap, loaded when it is needed for the first time: for a filter, or a capture in a format that isn't read here. It
// brings half a dozen libraries with it (D-Bus, libgcrypt, ...), which would take a third of the time of a start.
#pragma once

#include <string>

#include <pcap/pcap.h>

namespace kparse::capture {

struct Libpcap {
  decltype(&pcap_close) close;
  decltype(&pcap_compile) compile;
  decltype(&pcap_datalink) datalink;
  decltype(&pcap_fopen_offline_with_tstamp_precision) fopen_offline_with_tstamp_precision;
  decltype(&pcap_freecode) freecode;
  decltype(&pcap_geterr) geterr;
  decltype(&pcap_next_ex) next_ex;
  decltype(&pcap_offline_filter) offline_filter;
  decltype(&pcap_open_dead) open_dead;
};

/// nullptr: it can't be loaded, for the reason in `why`. Stays until the program ends.
[[nodiscard]] const Libpcap* libpcap(std::string& why);

}  // namespace kparse::capture
