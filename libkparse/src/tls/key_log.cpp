// SPDX-License-Identifier: MIT
#include "kparse/key_log.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <random>
#include <utility>

namespace kparse {
namespace {

constexpr std::size_t max_line = 8192;      // an encrypted premaster is 512 bytes at most, written as 1,024 digits
constexpr std::size_t max_premaster = 512;  // a DH group of 4,096 bits
constexpr std::size_t max_sessions = 65'536;

constexpr int digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// False: not an even number of hex digits, or more than `most` bytes.
bool read_hex(std::string_view text, std::uint8_t* out, std::size_t most) noexcept {
  if (text.size() % 2 != 0 || text.size() / 2 > most) return false;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int a = digit(text[i]), b = digit(text[i + 1]);
    if (a < 0 || b < 0) return false;
    out[i / 2] = static_cast<std::uint8_t>(a << 4 | b);
  }
  return true;
}

constexpr bool blank(char c) noexcept { return c == ' ' || c == '\t'; }

std::string_view next_word(std::string_view& rest) noexcept {
  while (!rest.empty() && blank(rest.front())) rest.remove_prefix(1);
  std::size_t n = 0;
  while (n < rest.size() && !blank(rest[n])) ++n;
  const std::string_view word = rest.substr(0, n);
  rest.remove_prefix(n);
  return word;
}

constexpr char upper(char c) noexcept { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

bool same(std::string_view a, std::string_view upper_case) noexcept {
  return std::equal(a.begin(), a.end(), upper_case.begin(), upper_case.end(),
                    [](char x, char y) { return upper(x) == y; });
}

struct Label {
  std::string_view name;
  TlsSecret TlsSecrets::*place;
};
constexpr Label labels[] = {
    {"CLIENT_RANDOM", &TlsSecrets::master},
    {"CLIENT_HANDSHAKE_TRAFFIC_SECRET", &TlsSecrets::client_handshake},
    {"SERVER_HANDSHAKE_TRAFFIC_SECRET", &TlsSecrets::server_handshake},
    {"CLIENT_TRAFFIC_SECRET_0", &TlsSecrets::client_traffic},
    {"SERVER_TRAFFIC_SECRET_0", &TlsSecrets::server_traffic},
};

bool is_label(std::string_view word) noexcept {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (upper(c) >= 'A' && upper(c) <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string_view as_text(const std::uint8_t* at, std::size_t n) noexcept {
  return {reinterpret_cast<const char*>(at), n};
}

}  // namespace

KeyLog::KeyLog(std::size_t max_connections)
    : limit_(max_connections), connections_(0, Hash{std::random_device{}() * 0x9e3779b97f4a7c15u + 1}) {}

/// Randoms of a hostile file may be chosen to collide: the seed isn't theirs.
std::size_t KeyLog::Hash::operator()(const TlsRandom& r) const noexcept {
  std::uint64_t h = seed;
  for (std::size_t i = 0; i < r.size(); i += 8) {
    h = (h ^ load_be<std::uint64_t>(r.data() + i)) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return static_cast<std::size_t>(h);
}

KeyLog::Line KeyLog::broken(std::string_view why) noexcept {
  wrong_ = why;
  return Line::broken;
}

KeyLog::Line KeyLog::put(const TlsRandom& random, TlsSecret TlsSecrets::*place, const TlsSecret& secret) noexcept try {
  auto found = connections_.find(random);
  if (found == connections_.end()) {
    if (connections_.size() >= limit_) return Line::full;
    found = connections_.try_emplace(random).first;
  }
  TlsSecret& s = found->second.*place;
  if (s.known()) return s == secret ? Line::known : Line::other;
  s = secret;
  return Line::secret;
} catch (const std::bad_alloc&) {
  return Line::full;
}

KeyLog::Line KeyLog::put_premaster(std::string key, std::string secret) noexcept try {
  if (premasters_.size() >= limit_) return Line::full;
  const auto [at, added] = premasters_.try_emplace(std::move(key), secret);
  if (added) return Line::secret;
  return at->second == secret ? Line::known : Line::other;
} catch (const std::bad_alloc&) {
  return Line::full;
}

/// "Session-ID:<hex> Master-Key:<hex>", after "RSA": OpenSSL's s_client, jSSLKeyLog.
KeyLog::Line KeyLog::session_line(std::string_view rest) noexcept {
  constexpr std::string_view id_is = "SESSION-ID:", key_is = "MASTER-KEY:";
  std::string_view id = next_word(rest), key = next_word(rest);
  if (key.size() < key_is.size() || !same(key.substr(0, key_is.size()), key_is)) return broken("no Master-Key: in it");
  id.remove_prefix(id_is.size());
  key.remove_prefix(key_is.size());
  std::uint8_t bytes[32];
  TlsSecret master;
  if (id.empty() || !read_hex(id, bytes, sizeof bytes)) return broken("a session id that isn't 1 to 32 bytes in hex");
  if (key.size() != 96 || !read_hex(key, master.data.data(), 48))
    return broken("a master key that isn't 48 bytes in hex");
  master.size = 48;
  const Bytes name{bytes, id.size() / 2};
  if (const TlsSecret* s = session(name)) return *s == master ? Line::known : Line::other;
  remember_session(name, master);
  return Line::secret;
}

KeyLog::Line KeyLog::read(std::string_view line) noexcept {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r' || blank(line.back()))) line.remove_suffix(1);
  if (line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  const std::string_view label = next_word(line);
  if (label.empty() || label.front() == '#' || label.front() == ';') return Line::unused;
  if (label.size() + line.size() > max_line) return broken("too long a line");
  if (!is_label(label)) return broken("not a line of a key log");
  const bool rsa = same(label, "RSA");
  if (std::string_view peek = line; rsa && same(next_word(peek).substr(0, 11), "SESSION-ID:"))
    return session_line(line);

  const std::string_view name = next_word(line), secret = next_word(line);
  if (secret.empty()) return broken("cut off: no secret");
  if (!next_word(line).empty()) return broken("more than a label, a name and a secret");
  if (rsa || same(label, "PMS_CLIENT_RANDOM")) {
    std::uint8_t key[32], bytes[max_premaster];
    const std::size_t n = rsa ? 8 : 32;
    if (name.size() != 2 * n || !read_hex(name, key, n))
      return broken(rsa ? "a name that isn't 8 bytes in hex" : "a client random that isn't 32 bytes in hex");
    if (!read_hex(secret, bytes, sizeof bytes)) return broken("a secret that isn't hex");
    try {
      return put_premaster(std::string(as_text(key, n)), std::string(as_text(bytes, secret.size() / 2)));
    } catch (const std::bad_alloc&) {
      return Line::full;
    }
  }
  for (const Label& l : labels) {
    if (!same(label, l.name)) continue;
    TlsRandom random;
    TlsSecret s;
    if (name.size() != 64 || !read_hex(name, random.data(), random.size()))
      return broken("a client random that isn't 32 bytes in hex");
    if (!read_hex(secret, s.data.data(), s.data.size())) return broken("a secret that isn't hex");
    s.size = static_cast<std::uint8_t>(secret.size() / 2);
    const bool right = l.place == &TlsSecrets::master ? s.size == 48 : s.size == 32 || s.size == 48;
    return right ? put(random, l.place, s) : broken("a secret of a length that can't be: cut off?");
  }
  return Line::unused;
}

KeyLog::Line KeyLog::add_line(std::string_view text) noexcept {
  const Line l = read(text);
  std::uint64_t* const counts[] = {&counts_.secrets, &counts_.known,  &counts_.unused,
                                   &counts_.other,   &counts_.broken, &counts_.left_out};
  ++*counts[static_cast<std::size_t>(l)];
  return l;
}

void KeyLog::add_text(std::string_view text, const std::function<void(std::uint64_t, std::string_view)>& tell) {
  for (std::uint64_t n = 1; !text.empty(); ++n) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (add_line(text.substr(0, end)) == Line::broken && tell) tell(n, wrong_);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

const TlsSecrets* KeyLog::find(const TlsRandom& random) const noexcept {
  const auto found = connections_.find(random);
  return found == connections_.end() ? nullptr : &found->second;
}

Bytes KeyLog::premaster(const TlsRandom& random) const noexcept { return premaster_encrypted(random); }

Bytes KeyLog::premaster_encrypted(Bytes name) const noexcept try {
  const auto found = premasters_.find(std::string(text(name)));
  if (found == premasters_.end()) return {};
  return {reinterpret_cast<const std::uint8_t*>(found->second.data()), found->second.size()};
} catch (const std::bad_alloc&) {
  return {};
}

void KeyLog::remember_master(const TlsRandom& random, const TlsSecret& master) noexcept {
  (void)put(random, &TlsSecrets::master, master);
}

void KeyLog::remember_session(Bytes id, const TlsSecret& master) noexcept try {
  if (id.empty()) return;
  const auto [at, added] = sessions_.insert_or_assign(std::string(text(id)), master);
  if (!added) return;
  session_order_.push_back(at->first);
  if (session_order_.size() <= max_sessions) return;
  sessions_.erase(session_order_.front());
  session_order_.pop_front();
} catch (const std::bad_alloc&) {
}

const TlsSecret* KeyLog::session(Bytes id) const noexcept try {
  const auto found = sessions_.find(std::string(text(id)));
  return found == sessions_.end() ? nullptr : &found->second;
} catch (const std::bad_alloc&) {
  return nullptr;
}

}  // namespace kparse
