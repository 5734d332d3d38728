// SPDX-License-Identifier: MIT
#include "craft/timeline.h"

#include <algorithm>
#include <random>

#include "capture/segment_writer.h"

namespace kparse::craft {
namespace {

using capture::Segment;

constexpr std::int64_t between_segments = 2'000, reply_ack = 20'000, retransmission = 200'000'000;

/// A packet before its numbers are known: those follow from the order of time.
struct Draft {
  std::int64_t time_ns = 0;
  std::uint32_t conversation = 0;
  bool from_client = true;
  std::uint8_t flags = 0;
  Bytes payload;
  std::uint64_t missing = 0;
  std::uint16_t window = 0xffff;
  // Set once the order is known.
  std::uint32_t seq = 0, acknowledged = 0;
  std::uint16_t ip_id = 0;
};

class Talk {
 public:
  Talk(const Script& script, std::size_t number, std::vector<Draft>& to)
      : script_(script), c_(script.conversations[number]), number_(static_cast<std::uint32_t>(number)), to_(to) {}

  void run() {
    now_ = script_.start_ns + c_.begin_ns;
    if (c_.handshake) {
      packet(now_, true, Segment::syn);
      packet(now_ += c_.rtt_ns, false, Segment::syn | Segment::ack);
      packet(now_ += between_segments, true, Segment::ack);
    }
    for (const Step& s : c_.steps) step(s);
    if (c_.close == Close::open) return;
    now_ = std::max(now_, last_) + 1'000'000;
    const bool client = !c_.server_closes;
    if (c_.close == Close::reset) return packet(now_, client, Segment::rst | Segment::ack);
    packet(now_, client, Segment::fin | Segment::ack);
    packet(now_ += c_.rtt_ns, !client, Segment::fin | Segment::ack);
    packet(now_ += between_segments, client, Segment::ack);
  }

 private:
  void packet(std::int64_t at, bool from_client, int flags, Bytes payload = {}, std::uint64_t missing = 0) {
    to_.push_back({.time_ns = at, .conversation = number_, .from_client = from_client,
                   .flags = static_cast<std::uint8_t>(flags), .payload = payload, .missing = missing,
                   .window = window_[from_client ? 0 : 1]});
    last_ = std::max(last_, at);
    if (flags == Segment::ack && payload.empty() && missing == 0) return;  // nothing waits for these
    std::int64_t& sent = sent_[from_client ? 0 : 1];
    sent = std::max(sent, at);
  }

  /// Segments of one side, not before what it has sent already. Returns when the last one went.
  std::int64_t send(std::int64_t at, bool from_client, std::string_view data, std::uint64_t missing) {
    at = std::max(at, sent_[from_client ? 0 : 1] + 1);
    if (missing > 0) packet(at, from_client, Segment::ack, {}, missing);
    while (!data.empty()) {
      const std::string_view part = data.substr(0, c_.mss);
      data.remove_prefix(part.size());
      packet(at, from_client, Segment::ack | (data.empty() ? Segment::psh : 0),
             {reinterpret_cast<const std::uint8_t*>(part.data()), part.size()});
      if (!data.empty()) at += between_segments;
    }
    return at;
  }

  void acknowledge(std::int64_t at, bool from_client, bool always = false) {
    if (c_.acks || always) packet(std::max(at, sent_[from_client ? 0 : 1]), from_client, Segment::ack);
  }

  void step(const Step& s) {
    now_ = s.at_ns ? std::max(now_, script_.start_ns + *s.at_ns) : now_ + s.after_ns;
    if (s.send.window) {
      window_[s.send.from_client ? 0 : 1] = *s.send.window;
      return acknowledge(now_, s.send.from_client, true);
    }
    if (s.send.data.empty() && s.send.missing == 0) return;
    now_ = send(now_, s.send.from_client, s.send.data, s.send.missing);
    if (!s.answer) {
      acknowledge(now_ + reply_ack, !s.send.from_client);
      return;
    }
    if (s.took_ns > reply_ack) acknowledge(now_ + reply_ack, false);
    const std::int64_t end = send(now_ + s.took_ns, false, *s.answer, 0);
    acknowledge(end + reply_ack, true);
    if (!s.pipelined) now_ = end;
  }

  const Script& script_;
  const Conversation& c_;
  const std::uint32_t number_;
  std::vector<Draft>& to_;
  std::int64_t now_ = 0, last_ = 0;
  std::int64_t sent_[2] = {0, 0};  ///< last packet that counts of the client, of the server
  std::uint16_t window_[2] = {0xffff, 0xffff};
};

void sort(std::vector<Draft>& all) {
  std::stable_sort(all.begin(), all.end(), [](const Draft& a, const Draft& b) { return a.time_ns < b.time_ns; });
}

/// Sequence numbers and acknowledgements, in order of time.
void number(std::vector<Draft>& all, std::size_t conversations, std::mt19937_64& chance) {
  struct Side {
    std::uint32_t next = 0;
    std::uint16_t ip_id = 0;
  };
  std::vector<std::array<Side, 2>> sides(conversations);
  for (auto& c : sides)
    for (Side& s : c) s = {static_cast<std::uint32_t>(chance()), static_cast<std::uint16_t>(chance())};
  for (Draft& d : all) {
    Side &own = sides[d.conversation][d.from_client ? 0 : 1], &other = sides[d.conversation][d.from_client ? 1 : 0];
    d.seq = own.next;
    d.acknowledged = other.next;
    d.ip_id = own.ip_id++;
    own.next += static_cast<std::uint32_t>(d.payload.size() + d.missing) +
                ((d.flags & (Segment::syn | Segment::fin)) != 0 ? 1 : 0);
  }
}

bool happens(double share, std::mt19937_64& chance) {
  // std::bernoulli_distribution may differ from library to library; this doesn't.
  return static_cast<double>(chance() >> 11) * 0x1p-53 < share;
}

std::vector<Draft> with_trouble(const Script& script, std::vector<Draft> all, std::mt19937_64& chance, Written& w) {
  std::vector<Draft> more;
  std::vector<bool> lost(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    Draft& d = all[i];
    if (d.payload.empty()) continue;
    const Trouble& t = script.conversations[d.conversation].trouble;
    const bool lose = happens(t.loss, chance), again = happens(t.retransmit, chance);
    const bool twice = happens(t.duplicate, chance), late = happens(t.reorder, chance);
    if (lose) {
      lost[i] = true;
      continue;
    }
    if (twice) {
      more.push_back(d);
      more.back().time_ns += 1'000;
    }
    if (again) {
      more.push_back(d);
      more.back().time_ns += retransmission;
      more.back().ip_id = static_cast<std::uint16_t>(d.ip_id + 0x4000);
    }
    if (!late) continue;
    for (std::size_t k = i + 1; k < all.size(); ++k) {
      if (all[k].conversation != d.conversation || all[k].from_client != d.from_client || all[k].payload.empty()) continue;
      d.time_ns = all[k].time_ns + 500;
      break;
    }
  }
  std::vector<Draft> kept;
  kept.reserve(all.size() + more.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!lost[i]) kept.push_back(all[i]);
  w.left_out += all.size() - kept.size();
  kept.insert(kept.end(), more.begin(), more.end());
  sort(kept);
  return kept;
}

/// What a SYN says of the largest segment (RFC 9293, 3.2).
std::array<std::uint8_t, 4> mss_option(std::uint16_t mss) {
  return {2, 4, static_cast<std::uint8_t>(mss >> 8), static_cast<std::uint8_t>(mss)};
}

void write(const Script& script, const Draft& d, capture::PcapngWriter& to) {
  const Conversation& c = script.conversations[d.conversation];
  const auto option = mss_option(c.mss);
  Segment s{.source = d.from_client ? c.client : c.server,
            .destination = d.from_client ? c.server : c.client,
            .seq = d.seq,
            .acknowledged = d.acknowledged,
            .flags = d.flags,
            .window = d.window,
            .options = (d.flags & Segment::syn) != 0 ? Bytes(option) : Bytes{},
            .payload = d.payload,
            .wire_payload = static_cast<std::uint32_t>(d.payload.size()),
            .ip_id = d.ip_id};
  const std::size_t headers = 20 + s.options.size() + (c.client.v6 ? 40 : 20);
  if (script.snaplen != 0)
    s.payload = s.payload.first(std::min<std::size_t>(s.payload.size(), script.snaplen - std::min<std::size_t>(script.snaplen, headers)));
  capture::write_segment(to, d.time_ns, s);
}

}  // namespace

Written write_packets(const Script& script, const std::string& application, capture::PcapngWriter& to) {
  Written w;
  std::mt19937_64 chance(script.seed);
  std::vector<Draft> all;
  for (std::size_t n = 0; n < script.conversations.size(); ++n) Talk(script, n, all).run();
  sort(all);
  number(all, script.conversations.size(), chance);
  std::erase_if(all, [](const Draft& d) { return d.missing > 0; });
  all = with_trouble(script, std::move(all), chance, w);

  to.section(script.comment, application);
  to.interface(capture::raw_ip, script.snaplen);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::binary_search(script.lose.begin(), script.lose.end(), i + 1)) {
      ++w.left_out;
      continue;
    }
    write(script, all[i], to);
    ++w.packets;
  }
  return w;
}

}  // namespace kparse::craft
