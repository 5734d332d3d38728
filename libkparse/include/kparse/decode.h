// SPDX-License-Identifier: MIT
// Programs: a message of one version, and what a sink wants of it, compiled to a few steps that walk() follows.
// Walking looks nothing up and allocates nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kparse/walk.h"

namespace kparse {

class Interest {
 public:
  [[nodiscard]] static Interest everything();
  [[nodiscard]] static Interest nothing();
  /// One field's events; those of the structs and arrays around it come with it.
  void add(NodeId);
  /// All fields with this mark.
  void add(Mark);
  [[nodiscard]] bool wants(NodeId n) const noexcept { return all_ || (n < wanted_.size() && wanted_[n]); }

 private:
  bool all_ = false;
  std::vector<bool> wanted_;
};

class Program {
 public:
  struct Op {
    enum class Kind : std::uint8_t { run, fixed, text, blob, structure, fixed_array, text_array, structure_array };
    Kind kind;
    Type type;
    bool compact;  ///< lengths and counts as varints
    bool nullable;
    bool tagged;
    bool wanted;  ///< the sink hears of it
    NodeId node;
    std::uint32_t size = 0;   ///< bytes: of a run, of a value or array element of fixed size
    std::uint16_t block = 0;  ///< of a struct; of a run: its first part
    std::uint16_t parts = 0;  ///< of a run
  };
  struct Tag {
    std::uint32_t number;
    std::uint16_t op;
  };
  struct Block {  ///< the fields of a struct
    std::uint16_t first_op = 0, ops = 0;
    std::uint16_t first_tag = 0, tags = 0;
    bool flexible = false;  ///< ends in a tagged-field section
    bool wanted = false;    ///< unknown tags and the section's own bytes are told
    NodeId node = no_node;
  };
  struct Part {  ///< of a run: to name the field that an error hits
    NodeId node;
    std::uint32_t size;
  };

  /// `root`: of a Message or AltLayout. Source: KIP-482 for flexible versions.
  Program(NodeId root, int version, bool flexible, const Interest&);
  /// Only says this error.
  explicit Program(const Error& e) noexcept : error_(e) {}

  [[nodiscard]] const Error& error() const noexcept { return error_; }
  [[nodiscard]] const Block& block(std::size_t n) const noexcept { return blocks_[n]; }
  [[nodiscard]] const Op& op(std::size_t n) const noexcept { return ops_[n]; }
  [[nodiscard]] const Tag& tag(std::size_t n) const noexcept { return tags_[n]; }
  [[nodiscard]] const Part& part(std::size_t n) const noexcept { return parts_[n]; }

 private:
  friend class Compiler;
  Error error_;
  std::vector<Op> ops_;
  std::vector<Block> blocks_;  ///< 0: the message itself
  std::vector<Tag> tags_;
  std::vector<Part> parts_;
};

/// The layout that a body has.
struct Layout {
  const Message* message = nullptr;
  int version = -1;
  const AltLayout* alt = nullptr;  ///< instead of the newest one of that version
  bool differs = false;            ///< not what the header says: `note` tells
  Note note{};
};

/// Programs for one interest, compiled when first asked for and kept: at most one for each version of each message
/// and each AltLayout. Not thread-safe: one per thread. A reference stays valid as long as the set.
class ProgramSet {
 public:
  explicit ProgramSet(Interest i) : interest_(std::move(i)) {}
  ProgramSet(const ProgramSet&) = delete;
  ProgramSet& operator=(const ProgramSet&) = delete;

  /// A version that the tables don't have gives a program that fails with unknownVersion; that one stays valid only
  /// until the next such call.
  [[nodiscard]] const Program& get(const Message& m, int version) noexcept {
    const Recent& r = recent(m.root, version);
    return r.program && r.root == m.root && r.version == version ? *r.program : look_up(m, version);
  }
  [[nodiscard]] const Program& get_alt(const AltLayout&) noexcept;
  [[nodiscard]] const Program& get(const Layout& l) noexcept {
    return l.alt ? get_alt(*l.alt) : get(*l.message, l.version);
  }

 private:
  /// A connection uses a handful of programs over and over.
  struct Recent {
    const Program* program = nullptr;
    int version = -1;
    NodeId root = no_node;
  };
  Recent& recent(NodeId root, int version) noexcept { return recent_[(root + static_cast<unsigned>(version)) % 32]; }
  const Program& look_up(const Message& m, int version) noexcept;
  const Program& compiled(NodeId root, int version, bool flexible) noexcept;

  std::array<Recent, 32> recent_{};
  Interest interest_;
  std::unordered_map<std::uint32_t, std::unique_ptr<Program>> programs_;
  std::unique_ptr<Program> unknown_;
};

/// The layout that fits `body`: the newest one of that version, unless it doesn't fit to the last byte and another that
/// some release wrote under this version does. Those are: alt_layouts(), and version 0 where a broker of 0.9 answers a
/// failed Produce or Fetch of version 1. Costs one comparison for messages that have only one layout, else up to one
/// walk without a sink for each. Emit Layout::note when `differs`.
[[nodiscard]] Layout layout_for(const Message&, int version, Bytes body) noexcept;

/// The first bytes of a request frame (what follows the size field).
struct RequestHeader {
  std::int16_t api_key = -1;
  std::int16_t version = -1;
  std::int32_t correlation_id = 0;
  bool client_id_null = true;
  std::string_view client_id;
  std::int8_t header_version = 1;
  const Api* api = nullptr;  ///< nullptr: key not in the tables
  bool known = false;        ///< the tables have this version
  std::uint32_t size = 0;    ///< the body begins here
  Error error;               ///< what comes before it is set
};

/// Tagged fields in the header are skipped. For an unknown key: header version 2 where a tag count of 0 follows the
/// client id and 1 otherwise.
[[nodiscard]] RequestHeader decode_request_header(Bytes frame) noexcept;

struct ResponseHeader {
  std::int32_t correlation_id = 0;
  std::uint32_t size = 0;
  Error error;
};
[[nodiscard]] ResponseHeader decode_response_header(Bytes frame, int header_version) noexcept;

}  // namespace kparse

#include "kparse/walker.h"
