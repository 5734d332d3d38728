// SPDX-License-Identifier: MIT
// The five bytes in front of what serializers of a schema registry write: 0 and the schema's id.
// Source: Confluent's AbstractKafkaSchemaSerDe.
#pragma once

#include <array>
#include <cstdint>

#include "kparse/bytes.h"

namespace kparse::lint {

inline constexpr std::int32_t schema_id_limit = 10'000'000;

/// A time in ms of 2001 to 2100.
[[nodiscard]] inline bool is_time(const std::uint8_t* at) noexcept {
  const auto n = load_be<std::int64_t>(at);
  return n >= 1'000'000'000'000 && n < 4'102'444'800'000;
}

/// The id; 0: no such prefix.
[[nodiscard]] inline std::int32_t schema_prefix(Bytes b) noexcept {
  if (b.size() < 5 || b[0] != 0) return 0;
  const auto id = load_be<std::int32_t>(b.data() + 1);
  if (id <= 0 || id >= schema_id_limit) return 0;
  // Rather a time in ms, alone (a Long) or after a version (heartbeats of MirrorMaker).
  if ((b.size() == 8 && is_time(b.data())) || (b.size() == 10 && is_time(b.data() + 2))) return 0;
  return id;
}

/// How often which id was seen: the first few of them.
class SchemaIds {
 public:
  struct Id {
    std::int32_t id = 0;
    std::uint64_t times = 0;
  };
  static constexpr std::size_t max_ids = 8;

  void add(std::int32_t id, std::uint64_t times = 1) noexcept {
    found_ += times;
    for (std::size_t i = 0; i < used_; ++i) {
      if (ids_[i].id == id) {
        ids_[i].times += times;
        return;
      }
    }
    if (used_ < max_ids) {
      ids_[used_++] = {id, times};
    } else {
      others_ += times;
    }
  }
  void add(Bytes b) noexcept {
    if (b.size() >= 5 && b[0] == 0) [[unlikely]]
      if (const std::int32_t id = schema_prefix(b)) add(id);
  }
  void add(const SchemaIds& more) noexcept {
    for (std::size_t i = 0; i < more.used_; ++i) add(more.ids_[i].id, more.ids_[i].times);
    found_ += more.others_;
    others_ += more.others_;
  }
  void clear() noexcept { found_ = others_ = used_ = 0; }

  [[nodiscard]] std::uint64_t found() const noexcept { return found_; }    ///< with a prefix
  [[nodiscard]] std::uint64_t others() const noexcept { return others_; }  ///< of these: with ids that found no place
  [[nodiscard]] std::size_t size() const noexcept { return used_; }
  [[nodiscard]] const Id& operator[](std::size_t n) const noexcept { return ids_[n]; }

 private:
  std::array<Id, max_ids> ids_{};
  std::size_t used_ = 0;
  std::uint64_t found_ = 0, others_ = 0;
};

}  // namespace kparse::lint
