// SPDX-License-Identifier: MIT
// A whole record: its headers by name and by what their values are, then its value.
#include "headers/marks.h"
#include "headers/string_map_shapes.h"
#include "headers/trace_context.h"
#include "kparse/carriers.h"
#include "kparse/wrappers.h"

namespace kparse {

namespace {

/// Does the value of a header whose name says something say the same?
bool value_fits(const HeaderConvention& c, std::string_view name, Bytes value) noexcept {
  switch (c.carrier) {
    case Carrier::traceparent:
      return valid_traceparent(value);
    case Carrier::b3: {
      TraceParts parts;
      return name.size() == 2 ? read_b3(text(value), parts) : is_b3_trace_id(text(value));
    }
    case Carrier::jaeger: {
      TraceParts parts;
      return read_uber(text(value), parts);
    }
    case Carrier::skywalking: {
      std::array<std::string_view, 8> parts;
      return read_sw8(text(value), parts);
    }
    case Carrier::datadog:
      return is_decimal(text(value));
    case Carrier::elastic:
      return is_elastic(value) || valid_traceparent(value);
    case Carrier::xray: {
      const std::string_view v = text(value);
      return v.starts_with("Root=") || v.starts_with("Self=") || v.starts_with("Parent=");
    }
    case Carrier::cloudevents:
      return !value.empty();
    case Carrier::schema_header: {
      SchemaPrefix p;
      if (name.size() > 9 && fits_pattern(name, "apicurio.*")) return true;
      return (read_schema_prefix(value, SchemaPrefix::Form::confluent_guid, p) ||
              read_schema_prefix(value, SchemaPrefix::Form::confluent, p)) &&
             p.payload.empty();
    }
    case Carrier::large_message: {
      LinkedInSegment s;
      return read_linkedin_lm(value, s);
    }
    default:
      return true;
  }
}

void add(CarriersSeen& to, const CarrierSeen& f) noexcept {
  if (to.size < to.items.size()) to.items[to.size++] = f;
}

bool is_map(Bytes v) noexcept { return v.size() >= 5 && (is_json_map(v) || is_avro_map(v) || is_pairs(v)); }

}  // namespace

CarriersSeen recognise(const Record& r) noexcept {
  CarriersSeen out;
  std::uint64_t marks = 0;
  HeaderReader names(r);
  for (RecordHeader h; names.next(h);) {
    const HeaderConvention* const c = find_header_convention(h.name);
    if (c && c->marks && value_fits(*c, h.name, h.value)) marks |= c->marks;
  }
  if (const std::uint64_t found = carriers_marked(marks)) {
    for (const CarrierInfo& c : carriers()) {
      if (found & bit_of(c.carrier)) add(out, {.carrier = c.carrier, .confidence = c.confidence});
    }
  }
  HeaderReader values(r);
  for (RecordHeader h; values.next(h);) {
    if (!is_map(h.value)) continue;
    add(out, {.carrier = Carrier::string_map, .confidence = Confidence::likely, .header = h.name, .value = h.value});
  }
  const ValueFinding v = recognise_value(r.value, r.timestamp, r.key);
  if (v.carrier != Carrier::none && v.confidence != Confidence::weak) {
    if (out.size == out.items.size()) --out.size;  // a header's map goes before the value's wrapper does
    add(out, {.carrier = v.carrier, .confidence = v.confidence, .value = r.value});
  }
  return out;
}

}  // namespace kparse
