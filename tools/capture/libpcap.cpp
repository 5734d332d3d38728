// SPDX-License-Identifier: MIT
#include "capture/libpcap.h"

#include <dlfcn.h>

namespace kparse::capture {
namespace {

struct Loaded {
  Libpcap functions{};
  std::string why;

  Loaded() {
    void* const library = dlopen(KPARSE_LIBPCAP, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      why = std::string("libpcap can't be loaded: ") + dlerror();
      return;
    }
    find(library, "pcap_close", functions.close);
    find(library, "pcap_compile", functions.compile);
    find(library, "pcap_datalink", functions.datalink);
    find(library, "pcap_fopen_offline_with_tstamp_precision", functions.fopen_offline_with_tstamp_precision);
    find(library, "pcap_freecode", functions.freecode);
    find(library, "pcap_geterr", functions.geterr);
    find(library, "pcap_next_ex", functions.next_ex);
    find(library, "pcap_offline_filter", functions.offline_filter);
    find(library, "pcap_open_dead", functions.open_dead);
  }

 private:
  template <class Function>
  void find(void* library, const char* name, Function& to) {
    to = reinterpret_cast<Function>(dlsym(library, name));
    if (to == nullptr) why = std::string("libpcap has no ") + name;
  }
};

}  // namespace

const Libpcap* libpcap(std::string& why) {
  static const Loaded loaded;
  why = loaded.why;
  return loaded.why.empty() ? &loaded.functions : nullptr;
}

}  // namespace kparse::capture
