// SPDX-License-Identifier: MIT
// Random values of a message, as the JSON that Kafka's converters print.
#pragma once

#include <rapidjson/document.h>

#include <random>
#include <string>

#include "commands/json_source.h"
#include "kparse/schema.h"

namespace kparse::test {

using Json = rapidjson::Value;

class Generator {
 public:
  /// `tags`: sometimes tagged fields that no schema has, as "$tags".
  Generator(rapidjson::Document& d, const Message& m, int version, unsigned seed, bool tags = true)
      : memory_(d.GetAllocator()),
        root_(m.root),
        version_(version),
        tags_(tags && m.flexible.has(version)),
        random_(seed) {}

  [[nodiscard]] Json message() { return structure(root_); }

 private:
  std::uint64_t roll(std::uint64_t n) { return random_() % n; }
  Json structure(NodeId);
  Json tags();
  Json value(NodeId);
  Json single(NodeId);
  Json base64();

  rapidjson::Document::AllocatorType& memory_;
  NodeId root_;
  int version_;
  bool tags_;
  std::mt19937_64 random_;
  cli::JsonSource source_;
};

/// As text; "$tags" of no entry isn't printed.
[[nodiscard]] std::string without_empty_tags(const rapidjson::Value&);

/// Records of no bytes as Kafka's converter has them: "".
void without_records_objects(rapidjson::Value&);

}  // namespace kparse::test
