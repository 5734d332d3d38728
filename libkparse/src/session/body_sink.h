// SPDX-License-Identifier: MIT
// The sink that turns the fields of one body into events. On the stack for the time of one walk.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "kparse/cluster.h"
#include "kparse/decode.h"
#include "kparse/events.h"
#include "session/batch_pass.h"
#include "session/request_memory.h"
#include "session/roles.h"
#include "session/scope.h"
#include "session/snapshot_joiner.h"

namespace kparse {

/// What the interpreter wants back from a body, beside the events.
struct BodyFindings {
  std::string_view group, mechanism, software_name, software_version;
  Bytes auth_bytes;
  bool has_auth = false;
  bool has_wait = false;
  std::int32_t max_wait_ms = 0;
  bool data = false;               ///< a records field that isn't empty
  bool errors = false;             ///< an error code that isn't 0
};

class BodySink : public Sink {
 public:
  /// `learn_records(RecordsSeen)`: sees records fields before the observer does.
  struct Context {
    const Role* roles;
    Cluster& cluster;
    Observer& observer;
    SnapshotJoiner& snapshots;
    Via via;
    bool response;
    std::uint64_t serial;
    std::string_view group;        ///< of the request, for a response
    void (*learn)(void* with, const RecordsSeen&) noexcept;
    BatchPass* batches;            ///< hears of records fields, after the observer or from it; may be nullptr
    void* with;
  };

  explicit BodySink(const Context& c) noexcept : c_(c) { levels_[0].group = c.group; }

  /// Walks it and tells all; what open structs hold back too where it breaks off.
  Error read(const Program&, Bytes body) noexcept;
  [[nodiscard]] const BodyFindings& findings() const noexcept { return found_; }

  void begin_struct(NodeId, const std::uint8_t*) noexcept;
  void end_struct(NodeId, const std::uint8_t*) noexcept;
  void integer(NodeId, std::int64_t, Bytes) noexcept;
  void uuid(NodeId, Bytes) noexcept;
  void string(NodeId, std::string_view, Bytes) noexcept;
  void bytes(NodeId, Bytes, Bytes) noexcept;
  void records(NodeId, Bytes, Bytes) noexcept;

 private:
  Level& top() noexcept { return levels_[depth_ < max_levels ? depth_ : max_levels - 1]; }
  void error(NodeId, std::int16_t) noexcept;
  void tell_errors(Level&) noexcept;
  void tell_partition(const TopicRef&, std::int32_t) noexcept;
  void pair(Level&) noexcept;
  void leave(Level&) noexcept;
  void snapshot(Bytes) noexcept;
  void tell_records(const RecordsSeen&) noexcept;

  Context c_;
  BodyFindings found_;
  SnapshotSlice slice_;
  int depth_ = 0;
  Levels levels_;
};

}  // namespace kparse
