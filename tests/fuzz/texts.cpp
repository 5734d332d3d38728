// SPDX-License-Identifier: MIT
// Files that people write.
#include "craft/item.h"
#include "craft/script.h"
#include "craft/timeline.h"
#include "input.h"
#include "kparse/header_register.h"
#include "lint/baseline.h"
#include "lint/settings.h"
#include "memory_file.h"
#include "targets.h"

namespace kparse::fuzz {

void craft(Bytes input) {
  craft::Script script;
  try {
    script = craft::read_script(std::string(text(input)));
  } catch (const craft::ScriptError& e) {
    KPARSE_HOLDS(!e.reason().empty());
    return;
  }
  std::uint64_t size = 0;
  capture::PcapngWriter blocks([&size](std::string_view block) { size += block.size(); });
  (void)craft::write_packets(script, "fuzz", blocks);
  KPARSE_HOLDS(size > 0);
}

void settings(Bytes input) {
  Input in(input);
  const std::uint8_t which = in.u8();
  if (which % 3 == 0) {
    HeaderRegister r;
    const std::string file(text(in.rest()));
    if (const HeaderRegister::Problem p = r.parse(file)) {
      KPARSE_HOLDS(!p.what.empty());
      return;
    }
    for (const RegisteredKey& k : r.keys()) KPARSE_HOLDS(r.name_of(k.key) == k.name);
    for (const HeaderRegister::Header& h : r.headers()) (void)r.kind_of(h.pattern);
    return;
  }
  const MemoryFile file(in.rest());
  if (which % 3 == 1) {
    findings::Config config;
    const findings::ConfigError e = findings::read_config(file.name(), config);
    if (e.message.empty()) KPARSE_HOLDS(wrong_with(config.lint).empty());
  } else {
    findings::Baseline baseline;
    (void)baseline.read(file.name());
  }
}

}  // namespace kparse::fuzz
