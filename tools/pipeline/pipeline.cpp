// SPDX-License-Identifier: MIT
#include "pipeline/pipeline.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "capture/capture.h"
#include "output/diagnostics.h"
#include "output/output.h"
#include "pipeline/dialog.h"
#include "pipeline/filter.h"
#include "pipeline/reading.h"
#include "pipeline/secret_store.h"

namespace kparse::cli {
namespace {

/// TCP streams to dialogs.
class Dialogs final : public capture::StreamHandler {
 public:
  Dialogs(const CommonOptions& options, TlsShared& tls, Cluster& cluster, Observer& observer)
      : options_(options), tls_(tls), cluster_(cluster), observer_(observer) {
    connection_options_.trust_port = options.port_only;
  }

  bool wants_segments() const noexcept override { return observer_.wants() & Wants::segments; }
  void on_segment(capture::Conn& c, const SegmentSeen& s) override {
    if (const Dialog* d = dialog(c)) observer_.on_segment(d->info(), s);
  }

  void on_open(capture::Conn& c, const Stamp&) override {
    if (!options_.ports.empty() && !options_.ports.has(c.sender(0).port) && !options_.ports.has(c.sender(1).port))
      return;
    std::uint32_t slot = slots_;
    if (free_slots_.empty()) {
      ++slots_;
    } else {
      slot = free_slots_.back();
      free_slots_.pop_back();
    }
    auto* d = new Dialog(c.number(), slot, c.sender(0).text(), c.sender(1).text(), connection_options_, tls_, cluster_, programs_,
                         observer_, interpreter_options_);
    c.user = reinterpret_cast<std::uintptr_t>(d);
    if (c.sender(0).port != c.sender(1).port)
      d->set_higher_port(c.sender(0).port > c.sender(1).port ? 0 : 1);
  }
  void on_syn(capture::Conn& c, int direction, const Stamp&) override {
    if (auto* d = dialog(c)) d->syn_from(direction);
  }
  void on_begin_missed(capture::Conn& c, int direction) override {
    if (auto* d = dialog(c)) d->begin_missed(direction);
  }
  void on_data(capture::Conn& c, int direction, std::uint64_t offset, Bytes data, const Stamp& carried,
               const Stamp& now) override {
    if (auto* d = dialog(c)) d->data(direction, offset, data, carried, now);
  }
  void on_gap(capture::Conn& c, int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, const Stamp& shown,
              const Stamp& now) override {
    if (auto* d = dialog(c)) d->gap(direction, offset, bytes, cut, shown, now);
  }
  void on_end(capture::Conn& c, int direction, const Stamp& at) override {
    if (auto* d = dialog(c)) d->end(direction, at);
  }
  void on_close(capture::Conn& c, capture::CloseReason, const Stamp& at) override {
    std::unique_ptr<Dialog> d(dialog(c));
    c.user = 0;
    if (!d) return;
    d->close(at);
    free_slots_.push_back(d->info().slot);
  }

 private:
  static Dialog* dialog(const capture::Conn& c) noexcept {
    return reinterpret_cast<Dialog*>(static_cast<std::uintptr_t>(c.user));
  }

  const CommonOptions& options_;
  TlsShared& tls_;
  Cluster& cluster_;
  Observer& observer_;
  InterpreterOptions interpreter_options_;
  ConnectionOptions connection_options_;
  InterpreterPrograms programs_;
  std::uint32_t slots_ = 0;                 ///< of connections that were open together
  std::vector<std::uint32_t> free_slots_;
};

Summary read_once(const CommonOptions& options, const std::vector<std::string>& captures, SecretStore& secrets,
                  Cluster& cluster, Observer& observer, Diagnostics& diagnostics, bool loud, const Output* out) {
  ReadingTls tls(secrets);
  Dialogs dialogs(options, tls, cluster, observer);
  return read_captures(options, captures, dialogs, tls, diagnostics, loud, out);
}

}  // namespace

Summary run_pipeline(const CommonOptions& options, const std::vector<std::string>& captures, Cluster& cluster,
                     Observer& observer, Names names, Diagnostics& diagnostics, const Output* out) {
  SecretStore secrets(options.key_logs, captures, diagnostics);
  for (const NamedTopicId& t : options.topic_ids) cluster.learn_topic(t.id.data(), t.name);
  const bool asked = options.names == NamesMode::all && names == Names::while_reading;
  if (asked || !options.filter.topics.empty()) {
    const bool again = std::all_of(captures.begin(), captures.end(), [](const std::string& name) {
      std::error_code ignored;
      return name != "-" && !std::filesystem::is_fifo(name, ignored);
    });
    Observer nobody;
    if (again) {
      Summary first = read_once(options, captures, secrets, cluster, nobody, diagnostics, false, nullptr);
      if (first.bad_filter) return first;
    } else {
      diagnostics.warning(
          "", "standard input can't be read twice: topics named by id have their names from when they are learnt");
    }
  }
  std::optional<Filter> filter;
  if (options.filter.any() || options.from_ns || options.to_ns) filter.emplace(options, cluster, observer);
  Summary s = read_once(options, captures, secrets, cluster, filter ? *filter : observer, diagnostics, true, out);
  s.unreadable = s.unreadable || secrets.unreadable();
  return s;
}

int status_of(const Summary& s) noexcept { return s.bad_filter ? 2 : s.unreadable ? 3 : 0; }

}  // namespace kparse::cli
