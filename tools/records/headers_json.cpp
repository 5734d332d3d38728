// SPDX-License-Identifier: MIT
#include "records/headers_json.h"

namespace kparse::cli {

void write_headers(JsonWriter& w, const Record& r, BytesAs as) {
  w.begin_array();
  HeaderReader headers(r);
  for (RecordHeader h; headers.next(h);) {
    w.begin_array();
    w.string(h.name);
    if (as != BytesAs::nothing) write_bytes(w, h.value, as);
    w.end_array();
  }
  w.end_array();
}

}  // namespace kparse::cli
