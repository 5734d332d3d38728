// SPDX-License-Identifier: MIT
// What each stage costs, in bytes per second of the capture (or of plain data, for checksums and codecs). Each stage
// does what those before it do. KPARSE_BENCH_CAPTURE names another capture than the sample.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "capture/capture.h"
#include "kparse/compress.h"
#include "kparse/connection.h"
#include "kparse/crc.h"
#include "kparse/interpreter.h"
#include "kparse/record_walk.h"
#include "kparse/tee.h"
#include "report/report_observer.h"

namespace kparse {
namespace {

std::string capture_name() {
  const char* const given = std::getenv("KPARSE_BENCH_CAPTURE");
  return given ? given : KPARSE_SOURCE_DIR "/samples/captures/java-4.3-headers-lz4.pcap";
}

std::int64_t size_of(const capture::Timeline& t) {
  std::uint64_t all = 0;
  for (const capture::FileInfo& f : t.files()) all += f.bytes;
  return static_cast<std::int64_t>(all);
}

void read(benchmark::State& state) {
  std::int64_t bytes = 0;
  std::uint64_t packets = 0;
  for (auto _ : state) {
    capture::Timeline timeline({capture_name()}, {});
    timeline.open();
    while (timeline.next()) ++packets;
    bytes += size_of(timeline);
  }
  state.SetBytesProcessed(bytes);
  state.counters["packets"] = benchmark::Counter(static_cast<double>(packets), benchmark::Counter::kIsRate);
}
BENCHMARK(read);

/// Runs the capture into a handler of streams that `make` builds anew each time.
template <class Make>
void run(benchmark::State& state, Make make) {
  std::int64_t bytes = 0;
  for (auto _ : state) {
    auto handler = make();
    capture::Capture c({capture_name()}, *handler);
    c.open();
    while (c.step()) {
    }
    c.finish();
    bytes += size_of(c.timeline());
  }
  state.SetBytesProcessed(bytes);
}

void reassemble(benchmark::State& state) {
  run(state, [] { return std::make_unique<capture::StreamHandler>(); });
}
BENCHMARK(reassemble);

/// TCP streams into connections; what becomes of their frames is up to `T`, a ConnectionHandler made from the
/// connection's names.
template <class T>
class Streams final : public capture::StreamHandler {
 public:
  explicit Streams(typename T::Shared& shared) : shared_(shared) {}

  bool wants_segments() const noexcept override {
    if constexpr (requires { shared_.observer; }) return shared_.observer.wants() & Wants::segments;
    return false;
  }
  void on_segment(capture::Conn& c, const SegmentSeen& s) override {
    if constexpr (requires { shared_.observer; }) shared_.observer.on_segment(talk(c).info, s);
  }
  void on_open(capture::Conn& c, const Stamp&) override {
    c.user = reinterpret_cast<std::uintptr_t>(new Talk(c, shared_));
  }
  void on_syn(capture::Conn& c, int d, const Stamp&) override { talk(c).connection.syn_from(d); }
  void on_data(capture::Conn& c, int d, std::uint64_t offset, Bytes b, const Stamp& carried, const Stamp& now) override {
    talk(c).connection.data(d, offset, b, carried, now);
  }
  void on_gap(capture::Conn& c, int d, std::uint64_t offset, std::uint64_t bytes, bool cut, const Stamp& shown,
              const Stamp& now) override {
    talk(c).connection.gap(d, offset, bytes, cut, shown, now);
  }
  void on_end(capture::Conn& c, int d, const Stamp& at) override { talk(c).connection.end(d, at); }
  void on_close(capture::Conn& c, capture::CloseReason, const Stamp& at) override {
    talk(c).connection.finish(at);
    delete &talk(c);
  }

 private:
  struct Talk {
    Talk(const capture::Conn& c, typename T::Shared& s)
        : names{c.sender(0).text(), c.sender(1).text()},
          info{.number = c.number(), .client = names[0], .server = names[1], .proxied = {}},
          handler(info, s),
          connection({}, handler) {
      connection.set_higher_port(c.sender(0).port > c.sender(1).port ? 0 : 1);
    }
    std::string names[2];
    ConversationInfo info;
    T handler;
    Connection connection;
  };
  static Talk& talk(const capture::Conn& c) { return *reinterpret_cast<Talk*>(static_cast<std::uintptr_t>(c.user)); }

  typename T::Shared& shared_;
};

struct FramesOnly final : ConnectionHandler {
  struct Shared {
    std::uint64_t frames = 0;
  };
  FramesOnly(const ConversationInfo&, Shared& s) : shared(s) {}
  void on_request(const Request&) override { ++shared.frames; }
  void on_response(const Response&) override { ++shared.frames; }
  Shared& shared;
};

void frame(benchmark::State& state) {
  FramesOnly::Shared shared;
  run(state, [&] { return std::make_unique<Streams<FramesOnly>>(shared); });
  if (shared.frames == 0) state.SkipWithError("no frames");
  state.counters["frames"] = benchmark::Counter(static_cast<double>(shared.frames), benchmark::Counter::kIsRate);
}
BENCHMARK(frame);

/// Frames into events.
struct Events final : ConnectionHandler {
  struct Shared {
    Observer& observer;
    Cluster cluster{};
    InterpreterPrograms programs{};
  };
  Events(const ConversationInfo& info, Shared& s) : interpreter(info, s.cluster, s.programs, s.observer, {}) {}
  void on_request(const Request& r) override { interpreter.on_request(r); }
  void on_response(const Response& r) override { interpreter.on_response(r); }
  void on_unanswered(std::uint64_t serial) override { interpreter.on_unanswered(serial); }
  Interpreter interpreter;
};

void walk(benchmark::State& state) {
  Observer nobody;
  Events::Shared shared{nobody};
  run(state, [&] { return std::make_unique<Streams<Events>>(shared); });
}
BENCHMARK(walk);

struct RecordsOnly final : Observer {
  struct Count : RecordSink {
    std::uint64_t records = 0;
    void record(const Batch&, const Record&) noexcept { ++records; }
  };
  void on_records(const RecordsSeen& r) override { read_records(r.records, {}, scratch, count); }
  Scratch scratch;
  Count count;
};

void records(benchmark::State& state) {
  RecordsOnly observer;
  Events::Shared shared{observer};
  run(state, [&] { return std::make_unique<Streams<Events>>(shared); });
  if (observer.count.records == 0) state.SkipWithError("no records");
  state.counters["records"] = benchmark::Counter(static_cast<double>(observer.count.records), benchmark::Counter::kIsRate);
}
BENCHMARK(records);

void report_all(benchmark::State& state) {
  report::ReportObserver observer({});
  Events::Shared shared{observer};
  run(state, [&] { return std::make_unique<Streams<Events>>(shared); });
}
BENCHMARK(report_all)->Name("report");

struct WantsAll final : Observer {
  Wants wants() const noexcept override { return Wants::everything; }
};

/// The report, and every event there is for somebody who makes nothing of it.
void report_and_events(benchmark::State& state) {
  report::ReportObserver report({});
  WantsAll all;
  Tee both({&report, &all});
  Events::Shared shared{both};
  run(state, [&] { return std::make_unique<Streams<Events>>(shared); });
}
BENCHMARK(report_and_events)->Name("report+events");

/// Text like that of events: compresses four to six times.
std::vector<std::uint8_t> plain_text() {
  std::string text;
  std::uint32_t random = 1;
  while (text.size() < 1u << 20) {
    random = random * 1664525 + 1013904223;
    text += "{\"id\":" + std::to_string(random) + ",\"event\":\"add_to_cart\",\"currency\":\"EUR\",\"amount\":" +
            std::to_string(random >> 20) + "}\n";
  }
  return {text.begin(), text.end()};
}

void crc(benchmark::State& state) {
  const auto data = plain_text();
  for (auto _ : state) benchmark::DoNotOptimize(crc32c(data));
  state.SetBytesProcessed(static_cast<std::int64_t>(data.size() * state.iterations()));
}
BENCHMARK(crc)->Name("crc32c");

void open_codec(benchmark::State& state, Codec codec) {
  const auto data = plain_text();
  Scratch scratch;
  Writer packed;
  if (compress(codec, data, scratch, packed)) return state.SkipWithError("not compressed");
  for (auto _ : state) {
    const Decompressed d = decompress(codec, packed.view(), scratch);
    if (d.error || d.data.size() != data.size()) return state.SkipWithError("not opened");
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(data.size() * state.iterations()));
}
BENCHMARK_CAPTURE(open_codec, gzip, Codec::gzip);
BENCHMARK_CAPTURE(open_codec, snappy, Codec::snappy);
BENCHMARK_CAPTURE(open_codec, lz4, Codec::lz4);
BENCHMARK_CAPTURE(open_codec, zstd, Codec::zstd);

}  // namespace
}  // namespace kparse

BENCHMARK_MAIN();
