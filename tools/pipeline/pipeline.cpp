// SPDX-License-Identifier: MIT
#include "pipeline/pipeline.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "capture/capture.h"
#include "output/diagnostics.h"
#include "output/interrupt.h"
#include "output/output.h"
#include "output/progress.h"
#include "pipeline/dialog.h"
#include "pipeline/filter.h"

namespace kparse::cli {
namespace {

/// TCP streams to dialogs.
class Dialogs final : public capture::StreamHandler {
 public:
  Dialogs(const CommonOptions& options, Cluster& cluster, Observer& observer)
      : options_(options), cluster_(cluster), observer_(observer) {
    connection_options_.trust_port = options.port_only;
  }

  void on_open(capture::Conn& c, const Stamp&) override {
    if (!options_.ports.empty() && !options_.ports.has(c.sender(0).port) && !options_.ports.has(c.sender(1).port))
      return;
    auto* d = new Dialog(c.number(), c.sender(0).text(), c.sender(1).text(), connection_options_, cluster_, programs_,
                         observer_, interpreter_options_);
    c.user = reinterpret_cast<std::uintptr_t>(d);
    if (c.sender(0).port != c.sender(1).port)
      d->connection().set_higher_port(c.sender(0).port > c.sender(1).port ? 0 : 1);
  }
  void on_syn(capture::Conn& c, int direction, const Stamp&) override {
    if (auto* d = dialog(c)) d->connection().syn_from(direction);
  }
  void on_data(capture::Conn& c, int direction, std::uint64_t offset, Bytes data, const Stamp& carried,
               const Stamp& now) override {
    if (auto* d = dialog(c)) d->connection().data(direction, offset, data, carried, now);
  }
  void on_gap(capture::Conn& c, int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, const Stamp& shown,
              const Stamp& now) override {
    if (auto* d = dialog(c)) d->connection().gap(direction, offset, bytes, cut, shown, now);
  }
  void on_end(capture::Conn& c, int direction, const Stamp& at) override {
    if (auto* d = dialog(c)) d->connection().end(direction, at);
  }
  void on_close(capture::Conn& c, capture::CloseReason, const Stamp& at) override {
    std::unique_ptr<Dialog> d(dialog(c));
    c.user = 0;
    if (!d) return;
    d->connection().finish(at);
    d->close(at);
  }

 private:
  static Dialog* dialog(const capture::Conn& c) noexcept {
    return reinterpret_cast<Dialog*>(static_cast<std::uintptr_t>(c.user));
  }

  const CommonOptions& options_;
  Cluster& cluster_;
  Observer& observer_;
  InterpreterOptions interpreter_options_;
  ConnectionOptions connection_options_;
  InterpreterPrograms programs_;
};

std::uint64_t size_of(const std::vector<std::string>& captures) {
  std::uint64_t total = 0;
  for (const std::string& name : captures) {
    std::error_code ignored;
    const std::uint64_t size = name == "-" ? 0 : std::filesystem::file_size(name, ignored);
    if (ignored) return 0;
    total += size;
  }
  return total;
}

void tell(const capture::FileInfo& f, Diagnostics& diagnostics) {
  if (!f.error.empty()) {
    diagnostics.error(f.name, f.error);
  } else if (f.damage) {
    diagnostics.warning(f.name, capture::text_of(*f.damage) + "; what came before it is analysed");
  }
}

Summary read_once(const CommonOptions& options, const std::vector<std::string>& captures, Cluster& cluster,
                  Observer& observer, Diagnostics& diagnostics, bool loud, const Output* out) {
  Summary s;
  Dialogs dialogs(options, cluster, observer);
  capture::Capture reader(captures, dialogs, {.stop = &stop_flag()});
  if (std::string why = reader.filter(options.packet_filter); !why.empty()) {
    diagnostics.error("", "--filter: " + why);
    s.bad_filter = true;
    return s;
  }
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

}  // namespace

Summary run_pipeline(const CommonOptions& options, const std::vector<std::string>& captures, Cluster& cluster,
                     Observer& observer, Names names, Diagnostics& diagnostics, const Output* out) {
  for (const NamedTopicId& t : options.topic_ids) cluster.learn_topic(t.id.data(), t.name);
  const bool asked = options.names == NamesMode::all && names == Names::while_reading;
  if (asked || !options.filter.topics.empty()) {
    const bool again = std::all_of(captures.begin(), captures.end(), [](const std::string& name) {
      std::error_code ignored;
      return name != "-" && !std::filesystem::is_fifo(name, ignored);
    });
    Observer nobody;
    if (again) {
      Summary first = read_once(options, captures, cluster, nobody, diagnostics, false, nullptr);
      if (first.bad_filter) return first;
    } else {
      diagnostics.warning(
          "", "standard input can't be read twice: topics named by id have their names from when they are learnt");
    }
  }
  if (!options.filter.any() && !options.from_ns && !options.to_ns)
    return read_once(options, captures, cluster, observer, diagnostics, true, out);
  Filter filter(options, cluster, observer);
  return read_once(options, captures, cluster, filter, diagnostics, true, out);
}

int status_of(const Summary& s) noexcept { return s.bad_filter ? 2 : s.unreadable ? 3 : 0; }

}  // namespace kparse::cli
