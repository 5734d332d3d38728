// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema_fields.h"

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "compat.h"
#include "kparse/enums.h"
#include "kparse/schema.h"
#include "value_strings.h"

namespace kparse::dissector {
namespace {

/// By row of the schema. Wireshark keeps pointers into this, and to the strings, until it ends.
std::vector<int>& numbers = *new std::vector<int>;

ftenum type_of(const Field& f) {
  if (f.array && f.type == Type::structure) return FT_INT32;
  switch (f.type) {
    case Type::boolean:
      return FT_BOOLEAN;
    case Type::int8:
      return FT_INT8;
    case Type::int16:
      return FT_INT16;
    case Type::int32:
      return FT_INT32;
    case Type::int64:
      return FT_INT64;
    case Type::uint16:
      return FT_UINT16;
    case Type::uint32:
      return FT_UINT32;
    case Type::float64:
      return FT_DOUBLE;
    case Type::uuid:
      return FT_STRING;
    case Type::string:
      return FT_STRING;
    case Type::bytes:
      return FT_BYTES;
    case Type::records:
      return FT_UINT32;
    case Type::structure:
      break;
  }
  return FT_NONE;
}

bool is_number(ftenum type) {
  switch (type) {
    case FT_INT8:
    case FT_INT16:
    case FT_INT32:
    case FT_INT64:
    case FT_UINT16:
    case FT_UINT32:
      return true;
    default:
      return false;
  }
}

const char* keep(const std::string& s) { return (new std::string(s))->c_str(); }

const char* name_of(Type t) {
  static constexpr std::array names{"boolean", "int8", "int16",  "int32", "int64",   "uint16", "uint32",
                                    "float64", "uuid", "string", "bytes", "records", "struct"};
  return names[static_cast<std::size_t>(t)];
}

std::string range(Versions v) {
  if (v.lo == v.hi) return "version " + std::to_string(v.lo);
  return "versions " + std::to_string(v.lo) + '-' + std::to_string(v.hi);
}

/// "int32, versions 5-18, tagged field 0 in versions 12-18"
std::string help_of(const Field& f) {
  std::string text = f.array ? "array of " : "";
  text += name_of(f.type);
  text += ", " + range(f.versions);
  if (f.tag >= 0) text += ", tagged field " + std::to_string(f.tag) + " in " + range(f.tagged);
  return text;
}

class Registry {
 public:
  Registry() {
    numbers.assign(fields().size(), -1);
    rows_.reserve(fields().size());
    by_name_.reserve(fields().size());
  }

  void add(std::string_view message, NodeId root) {
    const int last = root + field(root).below;
    for (int n = root; n <= last; ++n) add_one(message, static_cast<NodeId>(n));
  }

  void finish(int proto) {
    // The array must stay where it is: Wireshark links its rows into lists.
    auto* kept = new std::vector<hf_register_info>(std::move(rows_));
    proto_register_field_array(proto, kept->data(), static_cast<int>(kept->size()));
    for (const auto& [n, same] : same_) numbers[n] = numbers[same];
  }

 private:
  void add_one(std::string_view message, NodeId n) {
    const Field& f = field(n);
    const ftenum type = type_of(f);
    std::array<char, 512> path{};
    std::string name = "kparse.";
    name += message;
    const std::string_view below = path_of(n, path);
    if (!below.empty()) (name += '.') += below;

    // Layouts that a version number had before: the same field under the same name; a field that had another type then
    // (Wireshark wants one type for a name) gets that type's name added.
    auto [at, fresh] = by_name_.try_emplace(name, n);
    if (!fresh && type_of(field(at->second)) != type) {
      (name += '_') += f.array ? "array" : name_of(f.type);
      std::tie(at, fresh) = by_name_.try_emplace(name, n);
    }
    if (!fresh) {
      same_.emplace_back(n, at->second);
      return;
    }
    const bool root = below.empty();
    rows_.push_back({&numbers[n], info(f, n, type, root ? keep(std::string(message)) : keep(std::string(f.name)),
                                       keep(name), root ? nullptr : keep(help_of(f)))});
  }

  static header_field_info info(const Field& f, NodeId n, ftenum type, const char* title, const char* abbreviation,
                                const char* help) {
    int display = BASE_NONE;
    const void* strings = nullptr;
    if (is_number(type)) {
      display = BASE_DEC;
      ValueNames names;
      const bool count = f.array && f.type == Type::structure;
      if (count || f.type == Type::records) {
        // A size says nothing but itself.
      } else if (const Enumeration* e = enumeration_of(n)) {
        names = names_of(*e, type == FT_INT64);
      } else if (f.mark == Mark::error) {
        names = error_names();
      } else if (is_api_key(n)) {
        names = api_names();
      }
      display |= names.display;
      strings = names.strings;
    }
    return {title, abbreviation, type, display, strings, 0, help, HFILL};
  }

  std::vector<hf_register_info> rows_;
  std::unordered_map<std::string, NodeId> by_name_;
  std::vector<std::pair<NodeId, NodeId>> same_;
};

}  // namespace

int schema_field(NodeId n) noexcept { return n < numbers.size() ? numbers[n] : -1; }

void register_schema_fields(int proto) {
  Registry registry;
  for (const Message& m : messages()) registry.add(m.name, m.root);
  for (const AltLayout& a : alt_layouts()) registry.add(a.message, a.root);
  registry.finish(proto);
}

}  // namespace kparse::dissector
