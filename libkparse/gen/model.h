// SPDX-License-Identifier: MIT
// What a folder of .k files says, as plain data. Parsed by parse.h, written by print.h, compiled by emit.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kschema {

/// Closed range; empty when lo > hi.
struct Range {
  int lo = 1;
  int hi = 0;
  bool empty() const { return lo > hi; }
  bool has(int v) const { return lo <= v && v <= hi; }
  bool within(const Range& o) const { return empty() || (o.lo <= lo && hi <= o.hi); }
  bool operator==(const Range& o) const { return (empty() && o.empty()) || (lo == o.lo && hi == o.hi); }
};

/// Where something stands in its source, and the comment lines above it and after it (kept by `import`).
struct Place {
  std::string file;
  int line = 0;
  std::vector<std::string> above;
  std::string beside;
};

struct Field {
  Place place;
  std::string name;  ///< camelCase
  std::string type;  ///< "int32", ... or "struct"
  bool array = false;
  Range versions;
  Range nullable;
  Range tagged;
  int tag = -1;
  std::optional<std::string> default_value;
  std::string entity;
  std::string mark;
  bool key = false;
  bool ignorable = false;
  bool zero_copy = false;
  bool noflex = false;
  bool secret = false;
  std::vector<Field> fields;
};

struct Alternative {
  Place place;
  int version = 0;
  bool flexible = false;
  std::string from, to;
  std::vector<Field> fields;
};

struct Message {
  Place place;
  std::string kind;  ///< request, response, header, data, metadata, key, value, early-data
  std::string name;
  std::string area = "clients";
  int api_key = -1;
  Range versions;
  Range flexible;
  Range removed;  ///< what the newest Kafka no longer describes
  Range unstable;
  std::string was;  ///< former name, without "Request"
  std::string listeners;
  std::vector<Field> fields;
  std::vector<Alternative> alternatives;
  bool is_api() const { return kind == "request" || kind == "response"; }
};

struct ErrorCode {
  Place place;
  int code = 0;
  std::string name;
  bool retriable = false;
  std::string first;
  std::vector<std::string> was;
};

struct EnumValue {
  int value = 0;
  std::string name;
};

struct Enum {
  Place place;
  std::string name;
  std::vector<std::string> uses;  ///< "FetchRequest.isolationLevel"
  std::vector<EnumValue> values;
};

/// From `release` (an index) on, these versions.
struct Change {
  int release = 0;
  Range stable, unstable;
};

struct Support {
  Place place;
  int api_key = 0;
  std::string api;
  std::vector<Change> changes;
};

struct Releases {
  std::vector<std::string> names;
  std::string current;
  std::vector<Support> apis;
};

struct Schema {
  std::vector<Message> messages;  ///< in the order of files and lines
  std::vector<ErrorCode> errors;
  std::vector<Enum> enums;
  Releases releases;
};

/// "01_fetch.k:31: unknown type 'int33'", in the order found.
struct Diagnostics {
  std::vector<std::string> lines;
  void say(const std::string& file, int line, const std::string& what) {
    lines.push_back(file + ":" + std::to_string(line) + ": " + what);
  }
  void say(const Place& at, const std::string& what) { say(at.file, at.line, what); }
  bool ok() const { return lines.empty(); }
};

}  // namespace kschema
