// SPDX-License-Identifier: MIT
// How often a search for the next frame ends where none begins. It starts at any byte of streams made of Kafka's vectors,
// whose bodies are odder than real ones. KPARSE_POSITIONS: how many starts of each kind (default 4000).
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "../decode/support.h"
#include "kparse/connection.h"
#include "kparse/encode.h"

namespace kparse::test {
namespace {

using Frames = std::vector<std::string>;

struct Exchange {
  std::string request, answer;
};

enum class Kind { both, client_only, server_only, noise, frames_inside };

class Found : public ConnectionHandler {
 public:
  std::set<std::uint64_t> at[2];
  void on_request(const Request& r) override { note(0, r.frame); }
  void on_response(const Response& r) override { note(1, r.frame); }

 private:
  void note(int d, const Frame& f) { at[d].insert(f.offset); }
};

class World {
 public:
  World() {
    std::map<std::pair<int, int>, std::pair<std::vector<Blob>, std::vector<Blob>>> pairs;
    auto files = shared_messages();
    if (files.empty()) files.push_back(data_file("decode/data/messages.jsonl"));
    for (const auto& file : files) {
      for (Vector& v : vectors_of(file)) {
        if (v.old_layout || v.body.size() > 3000 || v.message->api_key < 0) continue;
        auto& p = pairs[{v.message->api_key, v.version}];
        if (v.message->kind == kparse::Kind::request) p.first.push_back(std::move(v.body));
        else if (v.message->kind == kparse::Kind::response) p.second.push_back(std::move(v.body));
      }
    }
    for (auto& [key, p] : pairs) {
      const Api* api = find_api(key.first);
      if (!p.first.empty() && !p.second.empty() && api && key.first != 17 && key.first != 36)
        kinds_.push_back({api, key.second, std::move(p.first), std::move(p.second)});
    }
  }

  Exchange exchange(std::int32_t id) {
    const Pair& p = kinds_[random() % kinds_.size()];
    return {frame([&](Writer& w) { write_request_header(*p.api, p.version, id, "orders-service", w); }, pick(p.requests)),
            frame([&](Writer& w) { write_response_header(*p.api, p.version, id, w); }, pick(p.answers))};
  }
  /// Produce v3 whose record set is other frames, as a proxy's log might have them.
  Exchange nested(std::int32_t id) {
    std::string inside;
    while (inside.size() < 3000) {
      const Exchange e = exchange(static_cast<std::int32_t>(random() % 1000));
      inside += random() % 2 ? e.request : e.answer;
    }
    Writer w;
    const Api& produce = *find_api(0);
    const std::size_t begun = begin_frame(w);
    write_request_header(produce, 3, id, "orders-service", w);
    w.be(std::uint16_t{0xffff}), w.be(std::uint16_t{1}), w.be(std::uint32_t{30000}), w.be(std::uint32_t{1});
    w.be(std::uint16_t{1}), w.text("t"), w.be(std::uint32_t{1}), w.be(std::uint32_t{0});
    w.be(static_cast<std::uint32_t>(inside.size())), w.text(inside);
    end_frame(w, begun);
    Writer a;
    const std::size_t from = begin_frame(a);
    write_response_header(produce, 3, id, a);
    a.be(std::uint32_t{0}), a.be(std::uint32_t{0});
    end_frame(a, from);
    return {std::string(text(w.view())), std::string(text(a.view()))};
  }

  std::mt19937 random{20};

 private:
  struct Pair {
    const Api* api;
    int version;
    std::vector<Blob> requests, answers;
  };
  const Blob& pick(const std::vector<Blob>& of) { return of[random() % of.size()]; }
  template <class Header>
  static std::string frame(Header header, const Blob& body) {
    Writer w;
    const std::size_t begun = begin_frame(w);
    header(w);
    w.bytes(body);
    end_frame(w, begun);
    return std::string(text(w.view()));
  }
  std::vector<Pair> kinds_;
};

struct Tally {
  std::uint64_t searches = 0, wrong = 0;
};

/// Some frames, a hole that ends at any byte of a later one, some frames more.
void search(World& world, Kind kind, Tally& tally) {
  auto& random = world.random;
  const int d = kind == Kind::client_only || kind == Kind::frames_inside ? 0 : kind == Kind::server_only ? 1 : static_cast<int>(random() % 2);
  std::string stream[2];
  std::set<std::uint64_t> begins;
  const int before = 1 + static_cast<int>(random() % 3), after = before + 5;
  std::uint64_t hole = 0, hole_end = 0;
  std::uint64_t other_before = 0;
  for (int n = 0; n < after; ++n) {
    const bool hit = n == before;
    const Exchange e = hit && kind == Kind::frames_inside ? world.nested(n) : world.exchange(n);
    const std::string& mine = d == 0 ? e.request : e.answer;
    if (hit) {
      hole = stream[d].size();
      hole_end = hole + 1 + random() % (mine.size() - 1);
      other_before = stream[1 - d].size();
    }
    if (!hit) begins.insert(stream[d].size());
    stream[0] += e.request;
    stream[1] += e.answer;
    if (hit && kind == Kind::noise) {  // garbage stands between
      for (char& c : std::span(stream[d]).subspan(static_cast<std::size_t>(hole_end))) c = static_cast<char>(random() % 4 ? random() % 3 : random());
    }
  }
  const bool one_sided = kind == Kind::client_only || kind == Kind::server_only;
  Found found;
  Connection connection({}, found);
  Stamp now{.time_ns = 1, .packet = 1};
  connection.syn_from(0);
  const auto bytes = [](const std::string& s, std::uint64_t from, std::uint64_t to) {
    return Bytes(reinterpret_cast<const std::uint8_t*>(s.data()) + from, static_cast<std::size_t>(to - from));
  };
  const auto tell = [&](int direction, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t at = from; at < to; at = std::min(to, at + 1448)) {
      ++now.packet, now.time_ns += 1000;
      connection.data(direction, at, bytes(stream[direction], at, std::min(to, at + 1448)), now, now);
    }
  };
  if (!one_sided && d == 1) tell(0, 0, stream[0].size());
  tell(d, 0, hole);
  if (!one_sided && d == 0) tell(1, 0, other_before);
  connection.gap(d, hole, hole_end - hole, false, now);
  tell(d, hole_end, stream[d].size());
  if (!one_sided && d == 0) tell(1, other_before, stream[1].size());
  connection.finish(now);
  ++tally.searches;
  bool wrong = false;
  for (const std::uint64_t at : found.at[d]) wrong = wrong || (at != hole && !begins.contains(at));
  if (wrong) ++tally.wrong;
}

class ResyncRate : public testing::TestWithParam<std::pair<const char*, Kind>> {};

TEST_P(ResyncRate, FalseOnesAreRare) {
  const char* wish = std::getenv("KPARSE_POSITIONS");
  const std::uint64_t positions = wish ? std::strtoull(wish, nullptr, 10) : 4000;
  World world;
  Tally tally;
  while (tally.searches < positions) search(world, GetParam().second, tally);
  std::printf("%s: %llu searches, %llu found something that is none (%.4f %%)\n", GetParam().first,
              static_cast<unsigned long long>(tally.searches), static_cast<unsigned long long>(tally.wrong),
              100.0 * static_cast<double>(tally.wrong) / static_cast<double>(tally.searches));
  // When the start of a frame is lost, nothing tells frames in its payload from those of the stream.
  const double most = GetParam().second == Kind::frames_inside ? 1 : 0.0015;
  EXPECT_LE(static_cast<double>(tally.wrong), most * static_cast<double>(tally.searches));
}

INSTANTIATE_TEST_SUITE_P(Frame, ResyncRate,
                         testing::Values(std::pair{"both", Kind::both}, std::pair{"client_only", Kind::client_only},
                                         std::pair{"server_only", Kind::server_only}, std::pair{"noise", Kind::noise},
                                         std::pair{"frames_inside", Kind::frames_inside}),
                         [](const auto& of) { return std::string(of.param.first); });

}  // namespace
}  // namespace kparse::test
