// SPDX-License-Identifier: MIT
// Strict checks: are these bytes the body of that message?
#pragma once

#include <cstddef>
#include <cstdint>

#include "frame/head.h"
#include "kparse/bytes.h"
#include "kparse/schema.h"

namespace kparse::frame {

enum class Fit : std::uint8_t {
  bad,
  so_far,   ///< what is there is well-formed, the rest isn't there
  surplus,  ///< well-formed, but with a few bytes more, or odd values: known clients and brokers do that
  exact,
};

/// `body`: of `total` bytes, perhaps only the first ones. Cost: one walk. The version must be one of the message's.
/// Of a part, nothing odd fits. `sound`: with so_far, the bytes that were found to be well-formed, 0 where a count of
/// elements hides that.
[[nodiscard]] Fit fit(const Message&, int version, Bytes body, std::size_t total, std::size_t* sound = nullptr) noexcept;

/// A response's bytes after the correlation id, as answer to that request. An ApiVersions answer may have layout 0:
/// `layout` says which fitted.
[[nodiscard]] Fit fit_response(const Api&, int request_version, Bytes after_id, std::size_t total, int& layout,
                               std::size_t* sound = nullptr) noexcept;

/// Could these be an answer of any API in any version? Some 500 walks, most of which end at once.
[[nodiscard]] bool fits_some_response(Bytes after_id) noexcept;

/// The whole request: header and body. An ApiVersions request newer than the tables fits by its header, and by its
/// first two fields, which are the same since version 3. `at_its_place`: a frame begins here for sure, so that a client
/// id may have control characters if all else fits exactly.
[[nodiscard]] Fit fit_request(const RequestHead&, Bytes data, std::uint32_t size, bool at_its_place = false) noexcept;

}  // namespace kparse::frame
