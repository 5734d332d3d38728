// SPDX-License-Identifier: MIT
#include "pipeline/reading.h"

#include <filesystem>

#include "output/diagnostics.h"
#include "output/interrupt.h"
#include "output/output.h"
#include "output/progress.h"

namespace kparse::cli {
namespace {

void tell(const capture::FileInfo& f, Diagnostics& diagnostics) {
  if (!f.error.empty()) {
    diagnostics.error(f.name, f.error);
  } else if (f.damage) {
    diagnostics.warning(f.name, capture::text_of(*f.damage) + "; what came before it is analysed");
  }
}

}  // namespace

std::uint64_t size_of(const std::vector<std::string>& captures) {
  std::uint64_t total = 0;
  for (const std::string& name : captures) {
    std::error_code unknown;
    const std::uint64_t size = name == "-" ? 0 : std::filesystem::file_size(name, unknown);
    if (name == "-" || unknown) return 0;
    total += size;
  }
  return total;
}

bool ReadingTls::look_for_more() { return timeline_ != nullptr && store_.look_for_more(timeline_->secrets()); }

Summary read_captures(const CommonOptions& options, const std::vector<std::string>& captures,
                      capture::StreamHandler& streams, ReadingTls& tls, Diagnostics& diagnostics, bool loud,
                      const Output* out) {
  Summary s;
  capture::Capture reader(captures, streams, {.stop = &stop_flag()});
  if (std::string why = reader.filter(options.packet_filter); !why.empty()) {
    diagnostics.error("", "--filter: " + why);
    s.bad_filter = true;
    return s;
  }
  tls.timeline_ = &reader.timeline();
  reader.open();

  constexpr std::uint64_t packet_header = 16;  // of pcap; near enough for a bar
  Progress progress(loud ? options.progress : When::never, options.quiet, size_of(captures), diagnostics);
  std::uint64_t bytes = 0;
  for (std::uint64_t n = 1; const capture::Packet* p = reader.step(); ++n) {
    bytes += p->data.size() + packet_header;
    if (n % 1024) continue;
    progress.update(bytes, n);
    if (out && !out->wanted()) break;  // a signal needs no break: it ends the reading itself
  }
  reader.finish();
  progress.finish();
  tls.timeline_ = nullptr;

  s.stopped = stop_requested();
  s.inputs = reader.timeline().files();
  s.tcp = reader.tcp_stats();
  s.not_tcp = reader.stats().other;
  s.undecodable = reader.stats().undecodable;
  for (const capture::FileInfo& f : s.inputs) {
    s.packets += f.packets;
    s.unreadable = s.unreadable || !f.error.empty();
    if (loud) tell(f, diagnostics);
  }
  return s;
}

}  // namespace kparse::cli
