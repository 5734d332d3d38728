// SPDX-License-Identifier: MIT
// The same record as KIP-82 first proposed it, with integer header keys, and as Kafka shipped it: draft_and_shipped
// Both have a 2 as their magic byte. Only programs like this one ever wrote the first kind.
#include <cstdio>
#include <string_view>

#include "kparse/draft_headers.h"
#include "kparse/header_register.h"
#include "kparse/record_walk.h"
#include "kparse/record_writer.h"

namespace {

using kparse::DraftProfile;

constexpr std::int64_t when = 1'475'280'000'000;  // 2016-10-01

kparse::Bytes bytes(std::string_view s) { return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}; }
int length(std::string_view s) { return static_cast<int>(s.size()); }

void hex(kparse::Bytes set) {
  for (std::size_t i = 0; i < set.size(); ++i) std::printf("%s%02x", i % 32 == 0 ? "\n    " : " ", set[i]);
  std::printf("\n");
}

/// Prints records of both kinds: the reader of drafts gives keys as digits, and knows their registered names.
struct Printer : kparse::RecordSink {
  const kparse::DraftReader& draft;
  explicit Printer(const kparse::DraftReader& d) : draft(d) {}
  void record(const kparse::Batch& batch, const kparse::Record& record) noexcept {
    kparse::HeaderReader headers(record);
    for (kparse::RecordHeader h; headers.next(h);) {
      const std::string_view name = batch.draft ? draft.key_name(h.name) : std::string_view();
      std::printf("    %.*s%s%.*s%s = %.*s\n", length(h.name), h.name.data(), name.empty() ? "" : " (", length(name),
                  name.data(), name.empty() ? "" : ")", static_cast<int>(h.value.size()),
                  reinterpret_cast<const char*>(h.value.data()));
    }
  }
};

void show(std::string_view what, kparse::Bytes set, DraftProfile profile) {
  const bool is_draft = tell_magic_two(set, profile) == kparse::MagicTwo::draft;
  std::printf("%.*s: %zu bytes, by its checksum a %s", length(what), what.data(), set.size(),
              is_draft ? "draft message" : "shipped batch");
  hex(set);
  kparse::DraftReader draft(profile);  // without it a draft message would be an error: unknownMagic
  kparse::Scratch scratch;
  Printer printer(draft);
  kparse::read_records(set, {.draft = &draft}, scratch, printer);
}

}  // namespace

int main() {
  kparse::DraftMessage message;
  message.offset = 42;
  message.timestamp = when;
  message.key = bytes("k1");
  message.value = bytes("v1");
  // 1 is Apache's client.id; 260 was new.relic's in the older register, 2100001 is in the newer one.
  const kparse::IntHeader old_keys[] = {{1, bytes("cli-7")}, {260, bytes("nr")}};
  const kparse::IntHeader new_keys[] = {{1, bytes("cli-7")}, {2100001, bytes("nr")}};
  using Form = kparse::DraftForm;
  const struct {
    DraftProfile profile;
    Form form;
    std::span<const kparse::IntHeader> headers;
  } drafts[] = {{DraftProfile::kip82_varint, Form::messagepack, old_keys},
                {DraftProfile::kip82_varint, Form::tfile, old_keys},
                {DraftProfile::kip82_int32, Form::int32, new_keys},
                {DraftProfile::kip82_compact, Form::messagepack, old_keys}};
  kparse::Writer out;
  for (const auto& d : drafts) {
    out.clear();
    if (!write_draft_message(message, d.headers, d.profile, d.form, out)) return 1;
    std::printf("%.*s, ", length(name_of(d.form)), name_of(d.form).data());
    show(name_of(d.profile), out.view(), d.profile);
  }

  const kparse::RecordHeader names[] = {{"client.id", bytes("cli-7")}, {"new.relic", bytes("nr")}};
  kparse::RecordWriter writer;
  kparse::Scratch scratch;
  out.clear();
  writer.begin({.base_offset = 42});
  writer.add({.timestamp = when, .key = message.key, .value = message.value, .headers = names});
  if (writer.finish(scratch, out)) return 1;
  show("as shipped in 0.11", out.view(), DraftProfile::kip82_any);
  return 0;
}
