// SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstring>

#include "capture/libpcap.h"
#include "capture/reader.h"

namespace kparse::capture {
namespace {

/// libpcap wants a FILE; this one is fed from the window, so that packed files and pipes work as well.
ssize_t read_window(void* cookie, char* to, std::size_t room) {
  auto& w = *static_cast<Window*>(cookie);
  if (w.need(1) == nullptr) return 0;
  const std::size_t n = std::min(room, w.rest().size());
  std::memcpy(to, w.rest().data(), n);
  w.consume(n);
  return static_cast<ssize_t>(n);
}

class LibpcapReader final : public Reader {
 public:
  LibpcapReader(Window& w, const Libpcap& functions, pcap_t* p)
      : w_(w), functions_(functions), pcap_(p), link_type_(static_cast<std::uint16_t>(functions.datalink(p))) {}
  ~LibpcapReader() override { functions_.close(pcap_); }
  LibpcapReader(const LibpcapReader&) = delete;
  LibpcapReader& operator=(const LibpcapReader&) = delete;

  bool next(Packet& p) override {
    if (damage_) return false;
    pcap_pkthdr* h = nullptr;
    const u_char* data = nullptr;
    const int r = functions_.next_ex(pcap_, &h, &data);
    if (r == PCAP_ERROR_BREAK) return ended(w_);
    if (r != 1) {
      if (w_.source().damage()) return ended(w_);
      return stop(functions_.geterr(pcap_), w_.offset());
    }
    p.data = {data, h->caplen};
    p.wire_length = std::max(h->len, h->caplen);
    p.link_type = link_type_;
    p.stamp.time_ns = std::int64_t{h->ts.tv_sec} * 1'000'000'000 + h->ts.tv_usec;
    return true;
  }

 private:
  Window& w_;
  const Libpcap& functions_;
  pcap_t* pcap_;
  std::uint16_t link_type_;
};

}  // namespace

OpenReader open_with_libpcap(Window& w) {
  std::string unavailable;
  const Libpcap* const pcap = libpcap(unavailable);
  if (pcap == nullptr) return {nullptr, {}, unavailable};
  FILE* file = fopencookie(&w, "rb", cookie_io_functions_t{read_window, nullptr, nullptr, nullptr});
  if (file == nullptr) return {nullptr, {}, std::strerror(errno)};
  char why[PCAP_ERRBUF_SIZE] = {};
  pcap_t* p = pcap->fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why);
  if (p == nullptr) {
    std::fclose(file);
    return {nullptr, {}, why};
  }
  return {std::make_unique<LibpcapReader>(w, *pcap, p), "pcap", {}};
}

OpenReader open_reader(Window& w) {
  if (w.need(4) == nullptr) {
    const std::size_t n = w.rest().size();
    if (w.source().damage()) return {nullptr, {}, text_of(*w.source().damage())};
    if (n == 0) return {nullptr, {}, "is empty"};
    return {nullptr, {}, "is no capture: it ends at byte " + std::to_string(n)};
  }
  OpenReader r = open_pcap(w);
  if (r.reader == nullptr && r.error.empty()) r = open_pcapng(w);
  if (r.reader == nullptr && r.error.empty()) {
    char magic[16];
    std::snprintf(magic, sizeof magic, "%08x", load_be<std::uint32_t>(w.need(4)));
    r = open_with_libpcap(w);
    if (r.reader == nullptr) r.error = std::string("is no capture: unknown magic number ") + magic + " at byte 0";
    std::string unavailable;
    if (r.reader == nullptr && libpcap(unavailable) == nullptr) r.error += ", and " + unavailable;
  }
  if (r.reader == nullptr && w.source().damage()) r.error = text_of(*w.source().damage());
  return r;
}

}  // namespace kparse::capture
