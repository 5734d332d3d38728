// SPDX-License-Identifier: MIT
#include <algorithm>

#include "lint/keys.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"receive-max", 100000000, "bytes", "the client's receive.message.max.bytes"},
                                  {"receive-grace-ms", 1000, "ms", "within which it hangs up"}};

class BigResponse final : public Rule {
 public:
  using Rule::Rule;

  void begin_response(const Conn& c, const Response& r) override {
    if (r.frame.size > option(0)) big_[c] = {r.frame.size, r.matched ? r.api : nullptr, r.frame.first, r.frame.last};
  }
  // The client's end may come before the last byte does.
  void on_close(const Conn& c, const Stamp&) override {
    if (const Big* const b = big_.find(c); b && c.how_ended(Side::client) != End::open) {
      const Stamp& ended = c.ended[static_cast<std::size_t>(c.direction_of(Side::client))];
      if (seconds_between(b->last, ended) * 1e3 <= option(1)) {
        hit({.api = b->api ? b->api->name : std::string_view{}, .conn = &c, .at = &b->first}, [&](Text& t) {
          t << "Response of " << b->size << " bytes exceeds the client's receive limit (" << Decimal{option(0), 0}
            << "); the client hung up and will probably ask for the same again.";
        });
      }
    }
    big_.drop(c);
  }

 private:
  struct Big {
    std::uint32_t size = 0;
    const Api* api = nullptr;
    Stamp first, last;
  };
  PerConn<Big> big_;
};

}  // namespace

KPARSE_RULE(kp_frame_big_rsp, BigResponse, .id = "KP-FRAME-BIG-RSP", .severity = Severity::warning,
            .scope = RuleScope::frame,
            .condition = "A response's size is above receive-max, and the client closes or resets the connection before, or "
                         "within receive-grace-ms after, its last byte.",
            .why = "What may be fetched at once is more than the client accepts: it connects again for ever and never gets "
                   "the data.",
            .fix = "Raise the client's receive.message.max.bytes above fetch.max.bytes plus 512 bytes, or lower "
                   "fetch.max.bytes.",
            .example = "Response of 22 bytes exceeds the client's receive limit (20); the client hung up and "
                       "will probably ask for the same again.",
            .sources = "librdkafka#1616; confluent-kafka-dotnet#90", .options = options);

}  // namespace kparse::lint
