// SPDX-License-Identifier: MIT
#include "encode/text.h"

#include "encode/scalar.h"
#include "kparse/encode.h"
#include "kparse/walker.h"

namespace kparse {
namespace {

using Fault = EncodeError::Code;

std::string_view words(Value::Kind k) noexcept {
  switch (k) {
    case Value::Kind::null:
      return "null";
    case Value::Kind::boolean:
      return "true or false";
    case Value::Kind::integer:
      return "a number";
    case Value::Kind::real:
      return "a number that is no integer of 64 bits";
    case Value::Kind::string:
      return "a string";
    case Value::Kind::bytes:
      return "bytes";
    case Value::Kind::array:
      return "an array";
    case Value::Kind::object:
      return "an object";
  }
  return "";
}

std::string_view words(Type t) noexcept {
  switch (t) {
    case Type::boolean:
      return "true or false";
    case Type::int8:
      return "int8";
    case Type::int16:
      return "int16";
    case Type::int32:
      return "int32";
    case Type::int64:
      return "int64";
    case Type::uint16:
      return "uint16";
    case Type::uint32:
      return "uint32";
    case Type::float64:
      return "a number";
    case Type::uuid:
      return "a uuid in base64url";
    case Type::string:
      return "a string";
    case Type::bytes:
      return "bytes in base64";
    case Type::records:
      return "record batches in base64";
    case Type::structure:
      return "an object";
  }
  return "";
}

void range(Text& to, Versions v) noexcept {
  to << v.lo;
  if (v.hi > v.lo) to << " to " << v.hi;
}

void wrong_type(Text& to, const EncodeError& e, const Field& f) noexcept {
  const bool element = f.array && e.got != Value::Kind::array;
  to << "needs "
     << (f.array && !element ? ""
         : f.array           ? "an array of "
                             : "")
     << words(f.type) << ", got " << words(e.got);
}

}  // namespace

std::string_view name_of(Fault c) noexcept {
  static constexpr std::array<std::string_view, 16> names{
      "none",     "unknownVersion", "missing",   "wrongType", "outOfRange",     "nullNotAllowed",
      "tooLong",  "notInVersion",   "badBase64", "badUuid",   "tagsNotAllowed", "tagOrder",
      "tagKnown", "badTags",        "redacted",  "noMemory"};
  static_assert(names.size() == static_cast<std::size_t>(Fault::noMemory) + 1);
  return names[static_cast<std::size_t>(c)];
}

std::string_view message_of(const EncodeError& e, std::span<char> out) noexcept {
  Text to(out);
  static constexpr Field nothing{};
  const Field& f = e.place.node < fields().size() ? field(e.place.node) : nothing;
  switch (e.code) {
    case Fault::none:
      break;
    case Fault::unknownVersion:
      to << "there is no version " << e.version << ", only ";
      range(to, f.versions);
      break;
    case Fault::missing:
      to << "missing, mandatory in version " << e.version;
      break;
    case Fault::wrongType:
      wrong_type(to, e, f);
      break;
    case Fault::outOfRange:
      to << e.number << " does not fit into " << words(f.type);
      break;
    case Fault::nullNotAllowed:
      to << "null is not allowed in version " << e.version;
      break;
    case Fault::tooLong:
      to << e.number << (e.got == Value::Kind::array ? " elements" : " bytes") << ", at most "
         << (f.type == Type::string ? std::int64_t{max_string} : std::int64_t{0x7fffffff}) << " can be written";
      break;
    case Fault::notInVersion:
      to << "set, but version " << e.version << " does not have it, only ";
      range(to, f.versions);
      break;
    case Fault::badBase64:
      to << "is no base64";
      break;
    case Fault::badUuid:
      to << "is no uuid: base64url of 16 bytes";
      break;
    case Fault::tagsNotAllowed:
      to << "\"$tags\": version " << e.version << " has no tagged fields";
      break;
    case Fault::tagOrder:
      to << "\"$tags\": tag " << e.number << " is not above the one before it, or not below 2147483647";
      break;
    case Fault::tagKnown:
      to << "\"$tags\": tag " << e.number << " belongs to a field that the schema knows";
      break;
    case Fault::badTags:
      to << "\"$tags\": needs an array of {\"tag\": number, \"data\": base64}";
      break;
    case Fault::redacted:
      to << "\"(redacted)\" stands for a secret, not for a value";
      break;
    case Fault::noMemory:
      to << "out of memory";
      break;
  }
  return to.view();
}

}  // namespace kparse
