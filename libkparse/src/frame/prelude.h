// SPDX-License-Identifier: MIT
// The beginning of a connection, kept until it is clear whether it is Kafka and which end is the client.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frame/seek.h"
#include "kparse/bytes.h"
#include "kparse/connection.h"
#include "kparse/extent.h"
#include "kparse/stamp.h"

namespace kparse::frame {

class Prelude {
 public:
  struct Piece {
    enum class Kind : std::uint8_t { data, lost, cut, end };
    Kind kind;
    std::uint8_t direction;
    std::uint64_t offset;
    std::uint64_t bytes;
    std::size_t at;      ///< data: where in bytes(direction)
    Stamp carried, now;  ///< gaps: shown, now
    std::uint64_t wire = 0;          ///< gaps: see Missing
    Extent extent = Extent::exact;   ///< gaps
  };

  struct Decision {
    enum class What : std::uint8_t { wait, kafka, other };
    What what = What::wait;
    int client = 0;
    bool guessed = false;      ///< nothing but the ports told
    std::string_view foreign;  ///< other: its name
    int foreign_direction = 0;
  };

  bool trust_port = false;
  int syn_from = -1;  ///< -1: not seen
  int higher_port = -1;

  void begin_missed(int direction) noexcept { side_[direction].missed = true; }
  void data(int direction, std::uint64_t offset, Bytes, Stamp carried, Stamp now);
  void missing(int direction, const Missing&, Stamp now);
  void end(int direction, Stamp now);

  /// Cheap to ask after each piece: no byte is looked at more often than a few times.
  /// `last`: no more will come, so that what there is must do.
  [[nodiscard]] Decision decide(bool last);

  [[nodiscard]] const std::vector<Piece>& pieces() const noexcept { return pieces_; }
  [[nodiscard]] Bytes bytes(const Piece& p) const noexcept {
    return Bytes(side_[p.direction].bytes).subspan(p.at, static_cast<std::size_t>(p.bytes));
  }
  /// Where the first byte kept stands, and whether a frame begins there for sure.
  [[nodiscard]] std::uint64_t first_offset(int direction) const noexcept { return side_[direction].first_offset; }
  [[nodiscard]] bool place_known(int direction) const noexcept;
  /// Length of a PROXY header at the front of this direction, 0 none, and the client in it.
  [[nodiscard]] std::size_t proxy_length(int direction) const noexcept { return side_[direction].proxy; }
  [[nodiscard]] const std::string& proxied() const noexcept { return proxied_; }
  /// What is kept of this direction's beginning, without a PROXY header, up to the first gap.
  [[nodiscard]] Bytes beginning(int direction) const noexcept {
    const SideState& s = side_[direction];
    return s.front().subspan(std::min(s.front().size(), s.proxy));
  }
  [[nodiscard]] bool any_data() const noexcept { return side_[0].total + side_[1].total > 0; }

 private:
  enum class Start : std::uint8_t { no, wait, yes };
  static constexpr std::size_t whole = static_cast<std::size_t>(-1);
  struct SideState {
    [[nodiscard]] Bytes front() const noexcept { return Bytes(bytes).first(std::min(bytes.size(), first_run)); }

    std::vector<std::uint8_t> bytes;
    std::uint64_t first_offset = 0;
    std::uint64_t total = 0;        ///< data seen, kept or not
    std::uint64_t next = 0;         ///< offset behind what was seen
    std::size_t first_run = whole;  ///< bytes before the first gap; `whole`: no gap yet
    std::size_t start_need = 0;     ///< look at the first frame again when so many bytes are there
    std::size_t cursor = 0;         ///< bytes tried so far
    std::size_t proxy = 0;
    bool begun = false;      ///< something was seen of this direction
    bool from_syn = false;   ///< the first byte kept is the stream's first
    bool broken = false;     ///< a gap or the end has come after the first byte
    bool proxy_open = true;  ///< there may still be a PROXY header
    bool missed = false;     ///< offset 0 isn't where the stream begins
    bool headless = false;   ///< its beginning was seen, and told nothing: what is kept doesn't begin where it does
    std::uint32_t strong = 0, weak = 0;
    RequestSeeker seeker;
  };

  void try_requests(SideState&, bool last);
  [[nodiscard]] Start starts_request(SideState&, bool last) const noexcept;
  SideState& touch(int direction, std::uint64_t offset, std::uint64_t bytes);
  [[nodiscard]] bool read_proxy(int direction, bool last);
  /// Headers that stand where the sizes of those before say, from the first byte on; none where one doesn't.
  struct Chain {
    int headers = 0;
    int sizes = 0;            ///< more of them, of which only the size is there
    bool near = false;        ///< of answers: their ids are among the first, and close together
    bool reserved = false;    ///< one of them is of those that Java clients keep for SASL
    bool early = false;       ///< there is one, which is among the very first
    bool inside = false;      ///< the stream goes as far as the last frame, at least
    bool to_the_end = false;  ///< the last frame ends where the stream does, as far as that was seen, or lost packets begin
  };
  template <class Header>
  [[nodiscard]] Chain chain(int direction, std::size_t need, const Header&) const noexcept;
  [[nodiscard]] Chain answer_chain(int direction) const noexcept;
  [[nodiscard]] bool requests(int direction) const noexcept;
  [[nodiscard]] bool answers(int direction) const noexcept;
  [[nodiscard]] bool known_answer(int direction) const noexcept;
  [[nodiscard]] Decision oriented(int client, bool last);
  [[nodiscard]] Decision unoriented(bool last);
  [[nodiscard]] Decision named(bool last) const noexcept;
  [[nodiscard]] int by_port() const noexcept { return higher_port >= 0 ? higher_port : 0; }
  void shed();

  SideState side_[2];
  std::vector<Piece> pieces_;
  std::string proxied_;
};

}  // namespace kparse::frame
