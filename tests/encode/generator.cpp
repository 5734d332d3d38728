// SPDX-License-Identifier: MIT
#include "generator.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "encode/fields.h"
#include "encode/scalar.h"
#include "kparse/json.h"

namespace kparse::test {

Json Generator::structure(NodeId n) {
  Json v(rapidjson::kObjectType);
  const FieldList list(n);
  for (std::size_t i = 0; i < list.count; ++i) {
    const NodeId at = list.node[i];
    const Field& f = field(at);
    if (!f.versions.has(version_)) continue;
    Json member = value(at);
    // A tagged field at its default isn't written.
    if (f.tagged.has(version_) && (roll(3) == 0 || !differs_from_default(source_, at, cli::JsonSource::value(member))))
      continue;
    v.AddMember(rapidjson::StringRef(f.name.data(), f.name.size()), member, memory_);
  }
  if (tags_ && roll(4) == 0) v.AddMember("$tags", tags(), memory_);
  return v;
}

Json Generator::tags() {
  Json list(rapidjson::kArrayType);
  for (std::int64_t tag = 50; roll(3) > 0; tag += 1 + static_cast<std::int64_t>(roll(100'000))) {
    Json entry(rapidjson::kObjectType);
    entry.AddMember("tag", Json(tag), memory_);
    entry.AddMember("data", base64(), memory_);
    list.PushBack(entry, memory_);
  }
  return list.Empty() ? Json(rapidjson::kArrayType) : std::move(list);
}

Json Generator::value(NodeId n) {
  const Field& f = field(n);
  if (f.type == Type::records) return f.nullable.has(version_) ? Json() : Json("");  // decoding shows it otherwise
  if (f.nullable.has(version_) && roll(4) == 0) return Json();
  if (!f.array) return single(n);
  Json list(rapidjson::kArrayType);
  for (std::uint64_t i = roll(4); i > 0; --i) list.PushBack(single(n), memory_);
  return list;
}

Json Generator::single(NodeId n) {
  const Field& f = field(n);
  switch (f.type) {
    case Type::structure:
      return structure(n);
    case Type::boolean:
      return Json(roll(2) == 0);
    case Type::float64:
      return Json(static_cast<double>(random_()) / 7.0);
    case Type::uuid: {
      std::string id;
      for (int i = 0; i < 21; ++i) id += "ABCxyz019-_"[roll(11)];
      return Json((id + "g").c_str(), memory_);
    }
    case Type::string: {
      std::string text;
      for (std::uint64_t i = roll(8) == 0 ? 200 : roll(6); i > 0; --i) text += roll(9) == 0 ? "\u00e9" : "k";
      return Json(text.c_str(), memory_);
    }
    case Type::bytes:
      return base64();
    default: {
      const IntegerRange range = range_of(f.type);
      const auto span = static_cast<std::uint64_t>(range.hi) - static_cast<std::uint64_t>(range.lo);
      const std::uint64_t above = span == ~std::uint64_t{0} ? random_() : roll(span + 1);
      return Json(static_cast<std::int64_t>(static_cast<std::uint64_t>(range.lo) + above));
    }
  }
}

Json Generator::base64() {
  std::string bytes(roll(8) == 0 ? 300 : roll(8), '\0');
  for (char& c : bytes) c = static_cast<char>(random_());
  JsonWriter w;
  w.base64({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  return Json(std::string(w.view().substr(1, w.size() - 2)).c_str(), memory_);
}

std::string without_empty_tags(const rapidjson::Value& v) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  v.Accept(writer);
  std::string text = buffer.GetString();
  for (const std::string empty : {",\"$tags\":[]", "\"$tags\":[]"})
    for (std::size_t at; (at = text.find(empty)) != std::string::npos;) text.erase(at, empty.size());
  return text;
}

void without_records_objects(rapidjson::Value& v) {
  if (v.IsArray())
    for (auto& element : v.GetArray()) without_records_objects(element);
  if (!v.IsObject()) return;
  if (v.HasMember("sizeInBytes")) {
    v.SetString("");
    return;
  }
  for (auto& member : v.GetObject()) without_records_objects(member.value);
}

}  // namespace kparse::test
