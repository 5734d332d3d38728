// SPDX-License-Identifier: MIT
#include "extract/selection.h"

#include <algorithm>
#include <charconv>

#include "capture/decoder.h"
#include "capture/source.h"

namespace kparse::cli {
namespace {

constexpr std::int16_t join_group = 11, sync_group = 14, sasl_handshake = 17, sasl_authenticate = 36;
constexpr std::size_t max_named = Cluster::default_limit;

std::optional<std::uint64_t> number(std::string_view t) {
  std::uint64_t v = 0;
  const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), v);
  if (error != std::errc{} || end != t.data() + t.size() || v == 0) return std::nullopt;
  return v;
}

}  // namespace

std::optional<PacketRange> parse_packets(std::string_view text) {
  PacketRange r;
  if (const auto colon = text.find(':'); colon != text.npos) {
    const auto file = number(text.substr(0, colon));
    if (!file || *file > 0xffffffff) return std::nullopt;
    r.file = static_cast<std::uint32_t>(*file - 1);
    text.remove_prefix(colon + 1);
  }
  const auto dash = text.find('-');
  const auto first = number(text.substr(0, dash));
  const auto last = dash == text.npos ? first : number(text.substr(dash + 1));
  if (!first || !last || *last < *first || *last - *first > 1'000'000) return std::nullopt;
  r.first = *first;
  r.last = *last;
  return r;
}

std::vector<AskedPacket> look_up(const std::vector<PacketRange>& ranges, const std::vector<std::string>& captures) {
  std::vector<AskedPacket> found;
  for (std::uint32_t file = 0; file < captures.size(); ++file) {
    std::uint64_t last = 0;
    for (const PacketRange& r : ranges)
      if (r.file == file) last = std::max(last, r.last);
    capture::Source source(captures[file], file);
    if (last == 0 || !source.open()) continue;
    capture::Decoder decoder;
    capture::Packet p;
    capture::Segment s;
    while (source.next(p) && p.stamp.packet <= last) {
      const bool tcp = decoder.decode(p, s) == capture::Decoded::tcp;
      const bool wanted = std::any_of(ranges.begin(), ranges.end(), [&](const PacketRange& r) {
        return r.file == file && r.first <= p.stamp.packet && p.stamp.packet <= r.last;
      });
      if (!wanted) continue;
      found.push_back({file, p.stamp.packet, tcp ? s.source.text() : "", tcp ? s.destination.text() : ""});
    }
  }
  return found;
}

bool Selection::touched(const ConversationInfo& c, const Frame& f) const {
  if (packets_.empty()) return true;
  const bool up = f.from == Side::client;
  const std::string_view source = up ? c.client : c.server, destination = up ? c.server : c.client;
  return std::any_of(packets_.begin(), packets_.end(), [&](const AskedPacket& p) {
    const auto is = [&p](const Stamp& s) { return s.file == p.file && s.packet == p.number; };
    if (is(f.first) || is(f.last)) return p.source.empty() || (p.source == source && p.destination == destination);
    const auto place = std::pair(p.file, p.number);
    return p.source == source && p.destination == destination && std::pair(f.first.file, f.first.packet) < place &&
           place < std::pair(f.last.file, f.last.packet);
  });
}

void Selection::begin(const ConversationInfo& c, const Frame& f) {
  passed_ = false;
  now_ = {key_of(c, f)};
  ids_.clear();
}

void Selection::begin_request(const ConversationInfo& c, const Request& r) {
  begin(c, r.frame);
  filter_.begin_request(c, r);
}

void Selection::begin_response(const ConversationInfo& c, const Response& r) {
  begin(c, r.frame);
  Talk& t = talks_[c.number];
  if (const auto request = t.pending.find(r.serial); r.matched && request != t.pending.end()) {
    now_.push_back(request->second);
    t.pending.erase(request);
  }
  filter_.begin_response(c, r);
}

void Selection::end(Talk& t, const Api* api) {
  if (!passed_) return;
  ++asked_frames_;
  add(now_);
  if (api != nullptr && api->key == sasl_authenticate) add(t.handshake);
  if (api != nullptr && api->key == sync_group) add(t.join);
  if (names_of_ids_)
    for (const Id& id : ids_)
      if (const auto n = named_.find(id); n != named_.end()) add(n->second);
}

void Selection::end_request(const ConversationInfo& c, const Request& r, const Error& e) {
  filter_.end_request(c, r, e);
  Talk& t = talks_[c.number];
  if (r.answer_expected) t.pending[r.serial] = now_[0];
  if (r.api_key == sasl_handshake) t.handshake = now_;
  if (r.api_key == join_group) t.join = now_;
  end(t, r.api);
}

void Selection::end_response(const ConversationInfo& c, const Response& r, const Error& e) {
  filter_.end_response(c, r, e);
  Talk& t = talks_[c.number];
  if (r.matched && r.api_key == sasl_handshake) t.handshake = now_;
  if (r.matched && r.api_key == join_group) t.join = now_;
  end(t, r.matched ? r.api : nullptr);
}

void Selection::on_topic_id(const TopicIdSeen& t) {
  if (named_.size() >= max_named || t.name.empty()) return;
  Id id;
  std::copy_n(t.id, id.size(), id.begin());
  named_.try_emplace(id, now_);
}

void Selection::mention(const std::uint8_t* id) {
  if (id == nullptr || !names_of_ids_) return;
  Id copy;
  std::copy_n(id, copy.size(), copy.begin());
  ids_.insert(copy);
}

void Selection::on_sasl(const ConversationInfo& c, const SaslToken& token) {
  begin(c, token.frame);
  filter_.on_sasl(c, token);
  Talk& t = talks_[c.number];
  t.tokens.push_back(now_[0]);
  if (!passed_) return;
  ++asked_frames_;
  add(t.handshake);
  add(t.tokens);
}

void Selection::on_other(const ConversationInfo& c, Side from, std::string_view what, Stamp at) {
  if (packets_.empty() && (what != "TLS" || c.tls == nullptr || c.tls->why() != TlsSealed::no)) filter_.on_other(c, from, what, at);
}

void Selection::on_unanswered(const ConversationInfo& c, std::uint64_t serial) {
  filter_.on_unanswered(c, serial);
  talks_[c.number].pending.erase(serial);
}

void Selection::on_close(const ConversationInfo& c, Stamp at) {
  filter_.on_close(c, at);
  talks_.erase(c.number);
}

}  // namespace kparse::cli
