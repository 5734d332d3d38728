// SPDX-License-Identifier: MIT
#include "commands/json_source.h"

namespace kparse::cli {
namespace {

const rapidjson::Value& json_of(const Value& v) noexcept { return *static_cast<const rapidjson::Value*>(v.handle); }

std::string_view view(const rapidjson::Value& v) noexcept { return {v.GetString(), v.GetStringLength()}; }

}  // namespace

Value JsonSource::value(const rapidjson::Value& v) noexcept {
  if (v.IsBool()) return Value::of(v.GetBool());
  if (v.IsInt64()) return Value::of(std::int64_t{v.GetInt64()});
  if (v.IsNumber()) return Value::of(v.GetDouble());
  if (v.IsString()) return Value::of(view(v));
  if (v.IsArray()) return Value::array(&v, v.Size());
  if (v.IsObject()) return Value::object(&v, v.MemberCount());
  return Value::of_null();
}

Value JsonSource::element(const Value& array, std::size_t n) const noexcept {
  return value(*(json_of(array).Begin() + n));
}

ValueMember JsonSource::member(const Value& object, std::size_t n) const noexcept {
  const auto m = json_of(object).MemberBegin() + static_cast<std::ptrdiff_t>(n);
  return {view(m->name), value(m->value)};
}

}  // namespace kparse::cli
