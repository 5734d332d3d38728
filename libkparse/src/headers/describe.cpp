// SPDX-License-Identifier: MIT
// What is in a carrier, field by field.
#include <algorithm>
#include <array>
#include <charconv>

#include "headers/json_scan.h"
#include "headers/marks.h"
#include "headers/plain_text.h"
#include "headers/trace_context.h"
#include "kparse/carriers.h"
#include "kparse/wrappers.h"

namespace kparse {

namespace {

Bytes bytes_of(std::string_view s) noexcept { return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}; }

/// As text where it is one; else, of up to 8 bytes, as the number that Java frameworks write so; else as bytes.
void raw(CarrierFields& out, std::string_view name, Bytes v) noexcept {
  if (is_printable(v)) return out.text(name, text(v));
  if (v.size() > 8) return out.bytes(name, v);
  std::uint64_t n = v[0] & 0x80 ? ~std::uint64_t{0} : 0;
  for (const std::uint8_t b : v) n = n << 8 | b;
  out.integer(name, static_cast<std::int64_t>(n));
}

void uuid(CarrierFields& out, std::string_view name, const std::array<std::uint8_t, 16>& v) noexcept {
  char t[36];
  std::size_t n = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) t[n++] = '-';
    t[n++] = "0123456789abcdef"[v[i] >> 4];
    t[n++] = "0123456789abcdef"[v[i] & 15];
  }
  out.text(name, {t, n});
}

void hex(CarrierFields& out, std::string_view name, Bytes v) noexcept {
  char t[32];
  std::size_t n = 0;
  for (const std::uint8_t b : v.first(std::min<std::size_t>(v.size(), 16))) {
    t[n++] = "0123456789abcdef"[b >> 4];
    t[n++] = "0123456789abcdef"[b & 15];
  }
  out.text(name, {t, n});
}

/// Base64 of at most `size` bytes; "" when it is none.
std::string_view base64(std::string_view s, std::span<char> to) noexcept {
  std::size_t n = 0;
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : s) {
    if (c == '=') break;
    const auto v = std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
    if (v == std::string_view::npos || n == to.size()) return {};
    bits = bits << 6 | static_cast<std::uint32_t>(v);
    if ((have += 6) >= 8) to[n++] = static_cast<char>(bits >> (have -= 8));
  }
  return {to.data(), n};
}

void parts(CarrierFields& out, const TraceParts& p) noexcept {
  if (!p.trace.empty()) out.text("traceId", p.trace);
  if (!p.span.empty()) out.text("spanId", p.span);
  if (!p.parent.empty()) out.text("parentId", p.parent);
  if (!p.flags.empty()) out.text("flags", p.flags);
}

void traceparent(CarrierFields& out, Bytes v) noexcept {
  if (!valid_traceparent(v)) return;
  const std::string_view t = text(v);
  out.text("traceId", t.substr(3, 32));
  out.text("spanId", t.substr(36, 16));
  out.text("flags", t.substr(53, 2));
}

void skywalking(CarrierFields& out, std::string_view v) noexcept {
  std::array<std::string_view, 8> p;
  if (!read_sw8(v, p)) return;
  static constexpr std::array<std::string_view, 8> names{"sample",  "traceId",  "segmentId", "spanId",
                                                         "service", "instance", "endpoint",  "address"};
  for (std::size_t i = 0; i < p.size(); ++i) {
    char buffer[256];
    const std::string_view decoded = i == 0 || i == 3 ? p[i] : base64(p[i], buffer);
    out.text(names[i], decoded.empty() ? p[i] : decoded);
  }
}

void elastic(CarrierFields& out, Bytes v) noexcept {
  if (!is_elastic(v)) return traceparent(out, v);
  hex(out, "traceId", v.subspan(2, 16));
  hex(out, "spanId", v.subspan(19, 8));
  hex(out, "flags", v.subspan(28, 1));
}

void segment(CarrierFields& out, const LinkedInSegment& s) noexcept {
  uuid(out, "messageId", s.uuid);
  out.integer("segment", s.number);
  out.integer("segments", s.count);
  if (s.total_size >= 0) out.integer("totalSize", s.total_size);
}

void schema_header(CarrierFields& out, const RecordHeader& h) noexcept {
  SchemaPrefix p;
  const bool key = fits_pattern(h.name, "__key_schema_id");
  if (!key && !fits_pattern(h.name, "__value_schema_id")) return raw(out, h.name, h.value);
  if (read_schema_prefix(h.value, SchemaPrefix::Form::confluent_guid, p)) {
    uuid(out, key ? "keySchemaGuid" : "valueSchemaGuid", p.uuid);
  } else if (read_schema_prefix(h.value, SchemaPrefix::Form::confluent, p)) {
    out.integer(key ? "keySchemaId" : "valueSchemaId", p.id);
  }
}

void header(CarrierFields& out, Carrier c, const RecordHeader& h) noexcept {
  const bool b3 = h.name.size() == 2;
  TraceParts p;
  switch (c) {
    case Carrier::traceparent:
      return fits_pattern(h.name, "traceparent") ? traceparent(out, h.value) : raw(out, h.name, h.value);
    case Carrier::b3:
      if (!b3) return raw(out, h.name, h.value);
      if (read_b3(text(h.value), p)) parts(out, p);
      return;
    case Carrier::jaeger:
      if (!fits_pattern(h.name, "uber-trace-id")) return raw(out, h.name, h.value);
      if (read_uber(text(h.value), p)) parts(out, p);
      return;
    case Carrier::skywalking:
      return fits_pattern(h.name, "sw8") ? skywalking(out, text(h.value)) : raw(out, h.name, h.value);
    case Carrier::elastic:
      if (fits_pattern(h.name, "elastic-apm-tracestate")) return raw(out, h.name, h.value);
      return elastic(out, h.value);
    case Carrier::cloudevents:
      return raw(out, h.name.substr(std::min<std::size_t>(3, h.name.size())), h.value);
    case Carrier::schema_header:
      return schema_header(out, h);
    case Carrier::large_message: {
      LinkedInSegment s;
      if (read_linkedin_lm(h.value, s)) return segment(out, s);
      return raw(out, h.name, h.value);
    }
    default:
      return raw(out, h.name, h.value);
  }
}

void in_headers(Carrier c, const Record& r, CarrierFields& out) noexcept {
  HeaderReader reader(r);
  for (RecordHeader h; reader.next(h);) {
    const HeaderConvention* const convention = find_header_convention(h.name);
    if (!convention || !h.value.data()) continue;
    if (c == Carrier::cloudevents && convention->carrier == Carrier::content_type) {
      if (h.name.size() == 12) raw(out, "datacontenttype", h.value);
      continue;
    }
    // Stack traces are long, and stand among the headers anyway.
    if (convention->carrier == c && h.name.find("stacktrace") == std::string_view::npos) header(out, c, h);
  }
}

void schema_prefix(SchemaPrefix::Form form, Bytes v, CarrierFields& out) noexcept {
  SchemaPrefix p;
  if (!read_schema_prefix(v, form, p)) return;
  if (form == SchemaPrefix::Form::confluent || form == SchemaPrefix::Form::apicurio) {
    out.integer("schemaId", p.id);
  } else {
    uuid(out, "schemaGuid", p.uuid);
  }
  if (form == SchemaPrefix::Form::glue) out.text("compression", p.compression == 5 ? "zlib" : "none");
  if (!p.payload.empty() && (p.payload[0] == '{' || p.payload[0] == '[') && is_json(p.payload))
    out.text("format", "json");
  out.integer("payloadSize", static_cast<std::int64_t>(p.payload.size()));
}

/// The text of a JSON string without its escapes, anything else as it is.
void json_value(CarrierFields& out, std::string_view name, std::string_view value) noexcept {
  if (value.size() < 2 || value.front() != '"') return out.text(name, value);
  Writer plain;
  unescape(value.substr(1, value.size() - 2), MapForm::json, plain);
  out.text(name, text(plain.view()));
}

void structured_event(Bytes v, CarrierFields& out) noexcept {
  JsonMembers members(v);
  for (JsonMember m; members.next(m);) {
    if (m.name == "data" || m.name == "data_base64") {
      out.integer("dataSize", static_cast<std::int64_t>(m.value.size()));
    } else {
      json_value(out, m.name, m.value);
    }
  }
}

void connect_json(Bytes v, CarrierFields& out) noexcept {
  JsonMembers members(v);
  for (JsonMember m; members.next(m);) {
    if (m.name == "payload") out.integer("payloadSize", static_cast<std::int64_t>(m.value.size()));
    if (m.name != "schema") continue;
    JsonMembers schema(bytes_of(m.value));
    for (JsonMember s; schema.next(s);) {
      if (s.name == "type") json_value(out, "schemaType", s.value);
      if (s.name == "name") json_value(out, "schemaName", s.value);
    }
  }
}

void linkedin(Bytes v, CarrierFields& out) noexcept {
  LinkedInHeaders h;
  if (!read_linkedin_headers(v, h)) return;
  Bytes rest = h.headers;
  for (LinkedInHeaders::Item item; h.next(rest, item);) {
    char digits[12];
    const auto end = std::to_chars(digits, digits + sizeof digits, item.key).ptr;
    raw(out, h.int_keys ? std::string_view(digits, static_cast<std::size_t>(end - digits)) : item.name, item.value);
  }
  out.integer("valueSize", h.value.data() ? static_cast<std::int64_t>(h.value.size()) : -1);
}

void spring_embedded(Bytes v, CarrierFields& out) noexcept {
  EmbeddedHeaders h;
  if (!read_embedded_headers(v, EmbeddedHeaders::Form::stream, h)) return;
  Bytes rest = h.headers;
  for (EmbeddedHeaders::Item item; h.next(rest, item);) json_value(out, item.name, item.value);
  out.integer("payloadSize", static_cast<std::int64_t>(h.payload.size()));
}

void string_map(const CarrierSeen& f, CarrierFields& out) noexcept {
  Bytes bytes = f.value;
  if (!f.header.empty()) out.text("header", f.header);
  JsonMember m;
  if (JsonMembers members(bytes); f.header.empty() && members.next(m) && m.name == "headers") bytes = bytes_of(m.value);
  StringMap map(bytes);
  out.text("form", name_of(map.form()));
  Writer name, value;
  for (StringMapEntry e; map.next(e);) {
    name.clear();
    value.clear();
    unescape(e.name, map.form(), name);
    unescape(e.value, map.form(), value);
    out.text(text(name.view()), text(value.view()));
  }
}

}  // namespace

void describe(const CarrierSeen& f, const Record& r, CarrierFields& out) noexcept {
  switch (f.carrier) {
    case Carrier::confluent:
      return schema_prefix(SchemaPrefix::Form::confluent, f.value, out);
    case Carrier::confluent_guid:
      return schema_prefix(SchemaPrefix::Form::confluent_guid, f.value, out);
    case Carrier::glue:
      return schema_prefix(SchemaPrefix::Form::glue, f.value, out);
    case Carrier::apicurio:
      return schema_prefix(SchemaPrefix::Form::apicurio, f.value, out);
    case Carrier::cloudevents_structured:
      return structured_event(f.value, out);
    case Carrier::connect_json:
      return connect_json(f.value, out);
    case Carrier::spring_embedded:
      return spring_embedded(f.value, out);
    case Carrier::linkedin:
      return linkedin(f.value, out);
    case Carrier::linkedin_segment: {
      LinkedInSegment s;
      if (read_linkedin_segment(f.value, s)) segment(out, s);
      return;
    }
    case Carrier::string_map:
      return string_map(f, out);
    default:
      return in_headers(f.carrier, r, out);
  }
}

}  // namespace kparse
