// SPDX-License-Identifier: MIT
// What a broker release makes of a call. Source: kparse/releases.h, KIP-896.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/seen.h"

namespace kparse::audit {

enum class Verdict : std::uint8_t { ok, unknown, refused };   ///< ascending: the worst counts
[[nodiscard]] std::string_view name_of(Verdict) noexcept;

/// "3.9" of "3.9.2-rc0".
[[nodiscard]] std::string_view line_of(std::size_t release) noexcept;
/// Indexes into releases() of 3.0 to 4.4.
[[nodiscard]] std::span<const std::size_t> judged_releases();

enum class Reason : std::uint8_t {
  none,
  too_old,        ///< the release takes later versions only
  api_gone,       ///< the release has the API no more
  api_missing,    ///< not yet: the broker is too old
  too_new,        ///< the client doesn't ask what the broker takes, and this one is later
  brokers_limit,  ///< the version is what the broker in the capture took at most
  not_known,      ///< not in the tables
};

struct Judged {
  Verdict verdict = Verdict::ok;
  Reason reason = Reason::none;
  std::optional<std::size_t> since;   ///< too_old, api_gone, brokers_limit: the first release that refuses; api_missing,
                                      ///< too_new: the first that takes it
};

/// `release`: an index into releases(). `negotiates`: of the client.
[[nodiscard]] Judged judge(const Call&, bool negotiates, std::size_t release) noexcept;

/// For people: "4.0 and later take version 3 and later only".
[[nodiscard]] std::string reason_text(const Call&, const Judged&, std::size_t release);

}  // namespace kparse::audit
