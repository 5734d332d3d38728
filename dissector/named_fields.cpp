// SPDX-License-Identifier: GPL-2.0-or-later
#include "named_fields.h"

#include <algorithm>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "compat.h"

namespace kparse::dissector {
namespace {

std::vector<std::string> arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<std::string> out;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\0', at), all.size());
    out.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

bool is_tshark(std::string_view program) {
  program.remove_prefix(program.find_last_of('/') == program.npos ? 0 : program.find_last_of('/') + 1);
  return program == "tshark";
}

/// `-T fields`, `-Tfields`, or with other letters before the T. Any other kind of output beside it: no.
bool only_fields(const std::vector<std::string>& args) {
  bool fields = false;
  for (std::size_t n = 1; n < args.size(); ++n) {
    const std::string_view arg = args[n];
    if (arg.size() < 2 || arg[0] != '-' || arg[1] == '-') continue;
    const std::size_t t = arg.find('T');
    if (t == arg.npos) continue;
    std::string_view kind = arg.substr(t + 1);
    if (kind.empty() && n + 1 < args.size()) kind = args[n + 1];
    if (kind == "fields")
      fields = true;
    else if (kind == "json" || kind == "jsonraw" || kind == "ek" || kind == "pdml" || kind == "psml" || kind == "ps" ||
             kind == "text" || kind == "tabs")
      return false;
  }
  return fields;
}

using Marks = std::vector<std::uint8_t>;

void mark(const std::string& name, Marks& marks) {
  const header_field_info* f = proto_registrar_get_byname(name.c_str());
  while (f && f->same_name_prev_id != -1) f = proto_registrar_get_nth(static_cast<unsigned>(f->same_name_prev_id));
  for (; f; f = f->same_name_next) {
    const auto n = static_cast<std::size_t>(f->id);
    if (n >= marks.size()) marks.resize(n + 1);
    marks[n] = 1;
  }
}

}  // namespace

NamedFields named_fields;

void read_named_fields() noexcept try {
  named_fields.known = true;
  const std::vector<std::string> args = arguments();
  if (args.empty() || !is_tshark(args[0]) || !only_fields(args)) return;
  auto& marks = *new Marks;
  for (const std::string& arg : args) {
    mark(arg, marks);
    // -eNAME, also behind other letters: whatever part of it is a name.
    if (arg.size() > 2 && arg[0] == '-' && arg[1] != '-')
      for (std::size_t at = 2; at < arg.size(); ++at) mark(arg.substr(at), marks);
  }
  named_fields.only = true;
  named_fields.named = marks.data();
  named_fields.size = marks.size();
} catch (const std::exception&) {
  named_fields = {.known = true};  // without memory: all is built
}

}  // namespace kparse::dissector
