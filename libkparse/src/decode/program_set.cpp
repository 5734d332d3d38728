// SPDX-License-Identifier: MIT
#include <new>

#include "kparse/decode.h"

namespace kparse {
namespace {

const Program& out_of_memory() noexcept {
  static const Program p(Error{.code = Code::noMemory});
  return p;
}

}  // namespace

const Program& ProgramSet::compiled(NodeId root, int version, bool flexible) noexcept {
  try {
    std::unique_ptr<Program>& p = programs_[std::uint32_t{root} << 16 | static_cast<std::uint16_t>(version)];
    if (!p) p = std::make_unique<Program>(root, version, flexible, interest_);
    return *p;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

const Program& ProgramSet::look_up(const Message& m, int version) noexcept {
  if (m.versions.has(version)) {
    const Program& p = compiled(m.root, version, m.flexible.has(version));
    recent(m.root, version) = {.program = &p, .version = version, .root = m.root};
    return p;
  }
  try {
    unknown_ = std::make_unique<Program>(
        Error{.code = Code::unknownVersion, .have = static_cast<std::uint64_t>(static_cast<std::int64_t>(version))});
    return *unknown_;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

const Program& ProgramSet::get_alt(const AltLayout& alt) noexcept {
  return compiled(alt.root, alt.version, alt.flexible);
}

}  // namespace kparse
