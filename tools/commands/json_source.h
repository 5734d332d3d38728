// SPDX-License-Identifier: MIT
// A RapidJSON document as values for the encoder.
#pragma once

#include <rapidjson/document.h>

#include "kparse/value.h"

namespace kparse::cli {

class JsonSource final : public ValueSource {
 public:
  /// A view of `v`.
  [[nodiscard]] static Value value(const rapidjson::Value& v) noexcept;

  [[nodiscard]] Value element(const Value& array, std::size_t n) const noexcept override;
  [[nodiscard]] ValueMember member(const Value& object, std::size_t n) const noexcept override;
};

}  // namespace kparse::cli
