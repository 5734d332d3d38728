// SPDX-License-Identifier: MIT
// The sink that writes a body as Kafka's JSON converter would.
#pragma once

#include <array>
#include <string_view>

#include "dump/payloads.h"
#include "kparse/payload.h"
#include "kparse/walk.h"

namespace kparse {

class JsonSink : public Sink {
 public:
  struct Setup {
    const Message& message;
    int version;
    Bytes body;
    BodyContext context{};
    bool top = false;  ///< a body, not a payload inside one: its notes and facts are kept
  };
  JsonSink(const PayloadOut&, const Setup&) noexcept;

  /// After the walk.
  void finish() noexcept;
  [[nodiscard]] bool secret() const noexcept { return secret_; }
  [[nodiscard]] std::uint64_t surplus() const noexcept { return surplus_; }
  [[nodiscard]] std::uint64_t leaves() const noexcept { return leaves_; }

  void begin_struct(NodeId, const std::uint8_t*) noexcept;
  void end_struct(NodeId, const std::uint8_t*) noexcept;
  void begin_array(NodeId, std::int32_t, const std::uint8_t*) noexcept;
  void end_array(NodeId, const std::uint8_t*) noexcept;
  void null(NodeId, Bytes) noexcept;
  void boolean(NodeId, bool, Bytes) noexcept;
  void integer(NodeId, std::int64_t, Bytes) noexcept;
  void float64(NodeId, double, Bytes) noexcept;
  void uuid(NodeId, Bytes) noexcept;
  void string(NodeId, std::string_view, Bytes) noexcept;
  void bytes(NodeId, Bytes, Bytes) noexcept;
  void records(NodeId, Bytes, Bytes) noexcept;
  void begin_tag(NodeId, Bytes) noexcept;
  void end_tag(NodeId) noexcept;
  void unknown_tag(NodeId, std::uint32_t, Bytes) noexcept;
  void note(const Note&) noexcept;

 private:
  enum class Open : std::uint8_t { structure, array, tag };
  struct Scope {
    Open open = Open::structure;
    bool differs = false;    ///< something in it is not at its default
    bool sensitive = false;  ///< configs: the broker or the name says so
    bool sensitive_told = false;
    std::size_t begin = 0;                     ///< tag: text before it
    std::size_t tags = 0;                      ///< struct: where its "$tags" begin in the common buffer
    std::size_t value_from = 0, value_to = 0;  ///< config value as written, to be taken back
  };
  // At most 8 structs deep, each in an array in a tag.
  static constexpr std::size_t max_depth = 32;

  Scope& top() noexcept { return scopes_[depth_]; }
  Scope& push(Open) noexcept;
  void pop() noexcept;
  void leaf(NodeId, bool at_default) noexcept;
  void name(NodeId) noexcept;
  void write_tags(Scope&) noexcept;
  void redact_config() noexcept;
  [[nodiscard]] bool expects_sensitive(NodeId) const noexcept;
  bool secret_bytes(const Field&, Bytes) noexcept;
  void sibling(const Field&, Bytes, std::size_t from, std::size_t to) noexcept;

  JsonDump::Impl& shared_;
  JsonWriter& out_;
  const PayloadOut& to_;
  Setup setup_;
  PayloadGuide guide_;
  bool secret_ = false;
  std::uint64_t surplus_ = 0, leaves_ = 0;
  std::size_t depth_ = 0;
  int tag_depth_ = 0;
  std::array<Scope, max_depth> scopes_;
};

}  // namespace kparse
