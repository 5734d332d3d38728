// SPDX-License-Identifier: MIT
// The compiler: picks the rows of one version out of the schema and fuses what nobody wants.
#include <algorithm>

#include "kparse/decode.h"

namespace kparse {
namespace {

using Op = Program::Op;

/// Bytes of a value; 0: not fixed.
std::uint32_t fixed_size(Type t) noexcept {
  switch (t) {
    case Type::boolean:
    case Type::int8:
      return 1;
    case Type::int16:
    case Type::uint16:
      return 2;
    case Type::int32:
    case Type::uint32:
      return 4;
    case Type::int64:
    case Type::float64:
      return 8;
    case Type::uuid:
      return 16;
    case Type::string:
    case Type::bytes:
    case Type::records:
    case Type::structure:
      return 0;
  }
  return 0;
}

Op::Kind kind_of(const Field& f) noexcept {
  if (f.type == Type::structure) return f.array ? Op::Kind::structure_array : Op::Kind::structure;
  if (fixed_size(f.type) > 0) return f.array ? Op::Kind::fixed_array : Op::Kind::fixed;
  if (f.array) return Op::Kind::text_array;
  return f.type == Type::string ? Op::Kind::text : Op::Kind::blob;
}

}  // namespace

class Compiler {
 public:
  Compiler(Program& program, int version, bool flexible, const Interest& interest) noexcept
      : program_(program), interest_(interest), version_(version), flexible_(flexible) {}

  /// Compiles the struct at `root`; returns its block. Ops, tags and parts of a block lie side by side, those of the
  /// structs inside before them.
  std::uint16_t block(NodeId root, bool wanted) {
    const auto place = static_cast<std::uint16_t>(program_.blocks_.size());
    program_.blocks_.push_back({.flexible = flexible_, .wanted = wanted, .node = root});
    std::vector<Op> ops;
    std::vector<std::pair<std::uint32_t, Op>> tags;
    std::vector<std::vector<Program::Part>> runs;
    const NodeId end = static_cast<NodeId>(root + field(root).below);
    for (NodeId n = static_cast<NodeId>(root + 1); n <= end; n = static_cast<NodeId>(n + 1 + field(n).below)) {
      const Field& f = field(n);
      if (!f.versions.has(version_)) continue;
      const bool tagged = f.tagged.has(version_);
      const Op made = op(n, tagged);
      if (tagged) {
        tags.emplace_back(static_cast<std::uint32_t>(f.tag), made);
      } else if (!fuse(made, ops, runs)) {
        ops.push_back(made);
      }
    }
    store(place, ops, tags, runs);
    return place;
  }

 private:
  bool wanted_below(NodeId n) const noexcept {
    for (NodeId i = n; i <= n + field(n).below; ++i)
      if (interest_.wants(i) && field(i).versions.has(version_)) return true;
    return false;
  }

  Op op(NodeId n, bool tagged) {
    const Field& f = field(n);
    Op made{.kind = kind_of(f),
            .type = f.type,
            .compact = flexible_ && !f.fixed,
            .nullable = f.nullable.has(version_),
            .tagged = tagged,
            .wanted = wanted_below(n),
            .node = n,
            .size = fixed_size(f.type)};
    if (f.type == Type::structure) {
      made.block = block(n, made.wanted && (interest_.wants(n)));
      const Program::Block& inner = program_.blocks_[made.block];
      const bool one_run = inner.ops == 1 && program_.ops_[inner.first_op].kind == Op::Kind::run;
      if (!made.wanted && !inner.flexible && one_run && f.array) {
        made.kind = Op::Kind::fixed_array;
        made.size = program_.ops_[inner.first_op].size;
      }
    }
    return made;
  }

  /// Unwanted values of fixed size become part of the run before them.
  bool fuse(const Op& made, std::vector<Op>& ops, std::vector<std::vector<Program::Part>>& runs) {
    if (made.wanted || made.kind != Op::Kind::fixed) return false;
    if (ops.empty() || ops.back().kind != Op::Kind::run) {
      Op run = made;
      run.kind = Op::Kind::run;
      run.size = 0;
      run.block = static_cast<std::uint16_t>(runs.size());
      ops.push_back(run);
      runs.emplace_back();
    }
    ops.back().size += made.size;
    ++ops.back().parts;
    runs.back().push_back({made.node, made.size});
    return true;
  }

  void store(std::uint16_t place, std::vector<Op>& ops, const std::vector<std::pair<std::uint32_t, Op>>& tags,
             const std::vector<std::vector<Program::Part>>& runs) {
    for (Op& o : ops) {
      if (o.kind != Op::Kind::run) continue;
      const auto& parts = runs[o.block];
      o.block = static_cast<std::uint16_t>(program_.parts_.size());
      program_.parts_.insert(program_.parts_.end(), parts.begin(), parts.end());
    }
    Program::Block& b = program_.blocks_[place];
    b.first_op = static_cast<std::uint16_t>(program_.ops_.size());
    b.ops = static_cast<std::uint16_t>(ops.size());
    program_.ops_.insert(program_.ops_.end(), ops.begin(), ops.end());
    b.first_tag = static_cast<std::uint16_t>(program_.tags_.size());
    b.tags = static_cast<std::uint16_t>(tags.size());
    for (const auto& [number, made] : tags) {
      program_.tags_.push_back({number, static_cast<std::uint16_t>(program_.ops_.size())});
      program_.ops_.push_back(made);
    }
  }

  Program& program_;
  const Interest& interest_;
  int version_;
  bool flexible_;
};

Program::Program(NodeId root, int version, bool flexible, const Interest& interest) {
  Compiler(*this, version, flexible, interest).block(root, interest.wants(root));
}

}  // namespace kparse
