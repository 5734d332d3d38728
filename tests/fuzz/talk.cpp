// SPDX-License-Identifier: MIT
#include "talk.h"

#include <deque>

#include "input.h"
#include "kparse/encode.h"

namespace kparse::fuzz {
namespace {

constexpr std::size_t most_bytes = 1u << 20, most_steps = 4096;

class Reading {
 public:
  explicit Reading(Bytes b) : in_(b) {}

  Talk all() {
    const std::uint8_t options = in_.u8();
    talk_.syn = (options & 1) == 0;
    talk_.trust_port = (options & 2) != 0;
    talk_.choice = options >> 2 & 3;
    while (!in_.done() && said_ < most_bytes && talk_.steps.size() < most_steps) step();
    return std::move(talk_);
  }

 private:
  void step() {
    const std::uint8_t what = in_.u8();
    const int direction = what >> 4 & 1;
    switch (what & 15) {
      case 0:
      case 1:
        return say(direction, text(sized()));
      case 2:
      case 3:
      case 4:
      case 5:
        return request(false);
      case 6:
        return request(true);
      case 7:
      case 8:
      case 9:
      case 10:
        return answer();
      case 11:
        return frame(direction, text(sized()));
      case 12:
        talk_.steps.push_back({Step::Kind::gap, direction, {}, 1u + in_.u16()});
        return;
      case 13:
        talk_.steps.push_back({Step::Kind::cut, direction, {}, 1u + in_.u8()});
        return;
      case 14:
        return repeat(direction);
      default:
        talk_.steps.push_back({(what & 32) != 0 ? Step::Kind::settle : Step::Kind::end, direction, {}, 0});
    }
  }

  Bytes sized() { return in_.take(in_.u16()); }

  void say(int direction, std::string_view bytes) {
    said_ += bytes.size();
    talk_.steps.push_back({Step::Kind::data, direction, std::string(bytes), 0});
  }
  void frame(int direction, std::string_view content) {
    Writer w;
    w.be(static_cast<std::uint32_t>(content.size()));
    w.text(content);
    say(direction, text(w.view()));
  }
  /// `anonymous`: no client id, and a correlation id of the input's choice.
  void request(bool anonymous) {
    const int key = in_.u8(), version = in_.u8();
    const std::int32_t id = anonymous ? static_cast<std::int32_t>(in_.u32()) : next_id_++;
    const Bytes body = sized();
    Writer w;
    const Api* api = find_api(key);
    const std::size_t begun = begin_frame(w);
    if (api != nullptr) {
      write_request_header(*api, version, id, anonymous ? std::nullopt : std::optional<std::string_view>("fuzz"), w);
    } else {
      w.be(static_cast<std::uint16_t>(key));
      w.be(static_cast<std::uint16_t>(version));
      w.be(static_cast<std::uint32_t>(id));
      w.be(std::uint16_t{0xffff});
    }
    w.bytes(body);
    if (end_frame(w, begun)) say(0, text(w.view()));
    if (waiting_.size() < 1000) waiting_.push_back({api, version, id});
  }
  void answer() {
    Asked asked;
    if (!waiting_.empty()) {
      asked = waiting_.front();
      waiting_.pop_front();
    }
    Writer w;
    const std::size_t begun = begin_frame(w);
    if (asked.api != nullptr) {
      write_response_header(*asked.api, asked.version, asked.id, w);
    } else {
      w.be(static_cast<std::uint32_t>(asked.id));
    }
    w.bytes(sized());
    if (end_frame(w, begun)) say(1, text(w.view()));
  }
  /// What was said some steps ago, once more: tables fill up, ids come again.
  void repeat(int direction) {
    const std::size_t back = 1u + in_.u8(), times = 1u + in_.u8() % 32;
    if (back > talk_.steps.size()) return;
    const Step again = talk_.steps[talk_.steps.size() - back];
    if (again.kind != Step::Kind::data) return;
    for (std::size_t i = 0; i < times && said_ < most_bytes; ++i) say(direction, again.bytes);
  }

  struct Asked {
    const Api* api = nullptr;
    int version = 0;
    std::int32_t id = 0;
  };
  Input in_;
  Talk talk_;
  std::deque<Asked> waiting_;
  std::int32_t next_id_ = 0;
  std::size_t said_ = 0;
};

}  // namespace

Talk read_talk(Bytes b) { return Reading(b).all(); }

}  // namespace kparse::fuzz
