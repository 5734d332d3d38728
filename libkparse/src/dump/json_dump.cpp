// SPDX-License-Identifier: MIT
#include <algorithm>

#include "dump/json_sink.h"
#include "dump/records_json.h"

namespace kparse {

JsonDump::JsonDump(const JsonOptions& o) : impl_(std::make_unique<Impl>(o)) {}
JsonDump::~JsonDump() = default;
JsonDump::JsonDump(JsonDump&&) noexcept = default;

const JsonOptions& JsonDump::options() const noexcept { return impl_->options; }

std::span<const Note> JsonDump::notes() const noexcept {
  return {impl_->notes.data(), static_cast<std::size_t>(std::min<std::uint64_t>(impl_->note_count, max_notes))};
}

std::uint64_t JsonDump::all_notes() const noexcept { return impl_->note_count; }
BodyFacts JsonDump::facts() const noexcept { return impl_->facts; }

Error JsonDump::body(JsonWriter& out, const Message& m, int version, Bytes body, const BodyContext& context) noexcept {
  Impl& shared = *impl_;
  shared.note_count = 0;
  shared.facts = {};
  shared.tags.clear();
  const Layout layout = layout_for(m, version, body);
  const Program& program = shared.programs.get(layout);
  if (program.error()) {
    out.begin_object();
    out.end_object();
    return program.error();
  }
  const PayloadOut to{shared, out, shared.options.decoded, 0};
  JsonSink sink(to, {.message = m, .version = layout.version, .body = body, .context = context, .top = true});
  const Error error = walk(shared.programs, layout, body, sink);
  sink.finish();
  return error;
}

Error JsonDump::records(JsonWriter& out, Bytes record_set, std::string_view topic) noexcept {
  out.begin_object();
  const Error first = write_record_set(*impl_, out, record_set, topic);
  out.end_object();
  return first;
}

PayloadResult message_payload(const PayloadOut& to, const Message& m, int version, Bytes b,
                              std::string_view protocol_name) noexcept {
  const Layout layout = layout_for(m, version, b);
  if (to.shared.programs.get(layout).error()) return {.error = to.shared.programs.get(layout).error()};
  JsonSink sink(to, {.message = m, .version = layout.version, .body = b, .context = {.protocol_name = protocol_name}});
  const Error error = walk(to.shared.programs, layout, b, sink, Limit::payload);
  return {.any = !error || sink.leaves() > 0, .secret = sink.secret(), .rest = sink.surplus(), .error = error};
}

}  // namespace kparse
