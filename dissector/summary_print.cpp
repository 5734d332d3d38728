// SPDX-License-Identifier: GPL-2.0-or-later
// `-z kparse,sum[,FILTER]`: the listener and its text.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "summary.h"

namespace kparse::dissector {

namespace {

constexpr char command[] = "kparse,sum";
constexpr char rule[] =
    "====================================================================================================";

void line(const char* what, std::uint64_t n) { std::printf("%-44s %14" PRIu64 "\n", what, n); }
void line_if(const char* what, std::uint64_t n) {
  if (n > 0) line(what, n);
}

void reset(void* with) noexcept { static_cast<Summary*>(with)->clear(); }
void draw(void* with) noexcept { static_cast<Summary*>(with)->print(); }

tap_packet_status packet(void* with, packet_info* pinfo, epan_dissect_t*, const void* data, tap_flags_t) noexcept {
  static_cast<Summary*>(with)->frame(*static_cast<const FrameTap*>(data), pinfo);
  return TAP_PACKET_REDRAW;
}

bool listen(const char* argument) noexcept {
  const char* const rest = argument + std::strlen(command);
  const char* const filter = *rest == ',' && rest[1] ? rest + 1 : nullptr;
  auto* const summary = new Summary(filter ? filter : "");
  GString* const error =
      register_tap_listener("kparse", summary, filter, TL_REQUIRES_NOTHING, reset, packet, draw, nullptr);
  if (!error) return true;
  std::fprintf(stderr, "%s: %s\n", command, error->str);
  g_string_free(error, TRUE);
  delete summary;
  return false;
}

#if KPARSE_WIRESHARK_AT_LEAST(4, 6)
bool init(const char* argument, void*) noexcept { return listen(argument); }
#else
void init(const char* argument, void*) noexcept {
  if (!listen(argument)) std::exit(1);
}
#endif

}  // namespace

void Summary::print_totals(std::uint64_t unanswered) const {
  const Counts& c = counts_;
  line("TCP connections with Kafka", connections_.size());
  line("Requests", c.requests);
  line("  bytes", c.request_bytes);
  line_if("  that want no answer (acks=0)", c.no_answer_due);
  line("  without an answer", unanswered);
  line("Responses", c.responses);
  line("  bytes", c.response_bytes);
  line("  without their request", c.responses - c.matched);
  line_if("SASL tokens outside of requests", c.sasl_tokens);
  line("Frames not decoded to their end", c.undecoded);
  line_if("  because bytes of them are missing", c.incomplete);
  line_if("  requests of an unknown API or version", c.unknown);
  line("Bytes missing in the capture", c.lost_bytes);
  line_if("  cut off when it was taken", c.cut_bytes);
  line_if("  connections concerned", lossy_.size());
  line_if("Bytes passed over to find frames again", c.skipped_bytes);
  line("Record batches", c.batches);
  line_if("  that could not be read", c.batches_unread);
  line_if("  with a wrong CRC", c.crc_bad);
  line("Records produced", c.produced);
  line("Records fetched", c.fetched);
  line_if("  control records among them", c.control);
  constexpr int fetch_snapshot = 59;
  if (apis_.contains(fetch_snapshot)) std::printf("  without those of snapshots (FetchSnapshot)\n");
}

void Summary::print_apis(const std::map<int, std::uint64_t>& unanswered) const {
  std::printf("\n%-28s %9s %9s %9s %7s %12s %12s %11s %11s %11s\n", "API", "requests", "responses", "no answer",
              "errors", "bytes to", "bytes from", "min ms", "mean ms", "max ms");
  for (const auto& [key, r] : apis_) {
    const auto open = unanswered.find(key);
    std::printf("%-28s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %7" PRIu64 " %12" PRIu64 " %12" PRIu64, r.name.c_str(),
                r.requests, r.responses, open == unanswered.end() ? 0 : open->second, r.failed, r.request_bytes,
                r.response_bytes);
    if (r.timed > 0) {
      const double ms = 1e6;
      std::printf(" %11.3f %11.3f %11.3f", static_cast<double>(r.fastest_ns) / ms,
                  static_cast<double>(r.total_ns) / ms / static_cast<double>(r.timed),
                  static_cast<double>(r.slowest_ns) / ms);
    }
    std::printf("\n");
  }
  for (const auto& [key, r] : apis_)
    if (r.waited_in_vain > 0)
      std::printf("%s: %" PRIu64 " answers came empty after waiting for data; they are left out of the times\n",
                  r.name.c_str(), r.waited_in_vain);
}

void Summary::print_errors() const {
  bool first = true;
  for (const auto& [key, r] : apis_) {
    for (const auto& [code, n] : r.errors) {
      if (first) std::printf("\n%-28s %-48s %7s\n", "API", "error code", "fields");
      first = false;
      const std::string_view name = error_name(code);
      std::printf("%-28s %6d %-41.*s %7" PRIu64 "\n", r.name.c_str(), code, static_cast<int>(name.size()), name.data(),
                  n);
    }
  }
}

void Summary::print() const {
  const std::map<int, std::uint64_t> open = unanswered();
  std::uint64_t total = 0;
  for (const auto& [key, n] : open) total += n;
  std::printf("\n%s\nKafka (kparse)\n", rule);
  if (!filter_.empty()) std::printf("Filter: %s\n", filter_.c_str());
  if (connections_.empty()) {
    std::printf("No Kafka.\n");
  } else {
    print_totals(total);
    if (!apis_.empty()) print_apis(open);
    print_errors();
  }
  std::printf("%s\n", rule);
}

void register_summary() {
  static stat_tap_ui ui = {REGISTER_STAT_GROUP_GENERIC, "Kafka (kparse)", command, init, 0, nullptr};
  register_stat_tap_ui(&ui, nullptr);
}

}  // namespace kparse::dissector
