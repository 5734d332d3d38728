// SPDX-License-Identifier: MIT
// Draft messages, read: once for each way their integers may be written, and only a way that uses up every byte counts.
#include <array>
#include <iterator>

#include "headers/draft.h"
#include "kparse/draft_headers.h"

namespace kparse {

namespace {

constexpr std::size_t entry_overhead = 12;  // offset, size
constexpr std::size_t fixed = 14;           // CRC, magic, attributes, timestamp

constexpr DraftProfileInfo profiles[] = {
    {DraftProfile::kip82_varint, "kip82-varint",
     "KIP-82 to version 28: variable-length integers (MessagePack, else TFile)"},
    {DraftProfile::kip82_int32, "kip82-int32", "KIP-82 from version 29: int32"},
    {DraftProfile::kip82_any, "kip82-any", "whichever of the two fits"},
    {DraftProfile::kip82_compact, "kip82-compact", "its future work: short lengths, no key where bit 5 is set"},
    {DraftProfile::kip82_compact_literal, "kip82-compact-literal",
     "the same read literally: no key where there are no headers"},
    {DraftProfile::kip82_map, "kip82-map", "the first weeks' option A: a string map where bit 4 is set"},
    {DraftProfile::kip82_map_always, "kip82-map-always", "option B: always a size and a string map"},
};

struct Rules {
  bool compact = false;  // lengths of key and value are variable, too
  bool map = false;
  bool always = false;          // headers need no bit
  std::uint8_t allowed = 0x1f;  // attributes
};

Rules rules_of(DraftProfile p) noexcept {
  switch (p) {
    case DraftProfile::kip82_compact:
      return {.compact = true, .allowed = 0x3f};
    case DraftProfile::kip82_compact_literal:
      return {.compact = true};
    case DraftProfile::kip82_map:
      return {.map = true};
    case DraftProfile::kip82_map_always:
      return {.map = true, .always = true, .allowed = 0x0f};
    default:
      return {};
  }
}

class DraftParser {
 public:
  DraftParser(Bytes body, DraftProfile profile, DraftForm form, DraftMessage& out) noexcept
      : begin_(body.data()),
        at_(begin_ + fixed),
        end_(begin_ + body.size()),
        profile_(profile),
        form_(form),
        out_(out) {}

  [[nodiscard]] Error parse() noexcept {
    const Rules rules = rules_of(profile_);
    const DraftForm lengths = rules.compact ? form_ : DraftForm::int32;
    out_.form = form_;
    const bool flagged = out_.attributes & DraftMessage::headers_present;
    if ((out_.attributes & 7) > 4 || (out_.attributes & ~rules.allowed)) {
      at_ = begin_ + 5;
      return fail(Code::badValue, 0);
    }
    const bool with_key = profile_ == DraftProfile::kip82_compact           ? !(out_.attributes & DraftMessage::no_key)
                          : profile_ == DraftProfile::kip82_compact_literal ? flagged
                                                                            : true;
    if (with_key && !sized(lengths, out_.key)) return error_;
    if ((flagged || rules.always) && !(rules.map ? map() : headers())) return error_;
    if (!sized(lengths, out_.value)) return error_;
    if (at_ != end_) return fail(Code::surplus, 0);
    return {};
  }

  /// Every integer was written in the fewest bytes, as writers do it.
  [[nodiscard]] bool minimal() const noexcept { return minimal_; }

 private:
  Error fail(Code code, std::int64_t need) noexcept {
    error_ = {.code = code,
              .limit = limit_,
              .offset = static_cast<std::uint64_t>(at_ - begin_),
              .need = static_cast<std::uint64_t>(need),
              .have = static_cast<std::uint64_t>(end_ - at_)};
    return error_;
  }

  bool integer(DraftForm form, std::int32_t& out) noexcept {
    const std::uint8_t* next = read_draft_int(form, at_, end_, out);
    if (!next)
      return fail(form == DraftForm::int32 ? Code::truncated : Code::badVarint, form == DraftForm::int32 ? 4 : 0),
             false;
    if (next - at_ != shortest(form, out)) minimal_ = false;
    at_ = next;
    return true;
  }

  /// -1 is null.
  bool sized(DraftForm form, Bytes& out) noexcept {
    std::int32_t length = 0;
    if (!integer(form, length)) return false;
    if (length < -1) return fail(Code::badLength, length), false;
    if (length > end_ - at_) return fail(Code::truncated, length), false;
    if (length < 0) return true;
    out = {at_, static_cast<std::size_t>(length)};
    at_ += length;
    return true;
  }

  bool map() noexcept {
    std::int32_t size = 0;
    if (!integer(DraftForm::int32, size)) return false;
    if (size < 0) return fail(Code::badLength, size), false;
    if (size > end_ - at_) return fail(Code::truncated, size), false;
    out_.headers = {at_, static_cast<std::size_t>(size)};
    at_ += size;
    return true;
  }

  bool headers() noexcept {
    std::int32_t size = 0, count = 0;
    if (!integer(form_, size)) return false;
    if (size < 0) return fail(Code::badLength, size), false;
    if (size > end_ - at_) return fail(Code::truncated, size), false;
    if (size == 0) return true;  // the draft doesn't say; taken as no headers
    const std::uint8_t* const after = end_;
    end_ = at_ + size;
    limit_ = Limit::header;
    if (!integer(form_, count)) return false;
    const std::int32_t least = form_ == DraftForm::int32 ? 8 : 2;  // of a header
    if (count < 0 || count > (end_ - at_) / least) return fail(Code::badCount, count), false;
    out_.header_count = count;
    out_.headers = {at_, static_cast<std::size_t>(end_ - at_)};
    std::int32_t last = 0;
    for (std::int32_t i = 0; i < count; ++i) {
      std::int32_t key = 0;
      Bytes value;
      if (!integer(form_, key) || !sized(form_, value)) return false;
      if (i > 0 && key < last) out_.ascending = false;
      if (!value.data()) out_.null_header = true;
      last = key;
    }
    if (at_ != end_) return fail(Code::surplus, 0), false;
    end_ = after;
    limit_ = Limit::record;
    return true;
  }

  const std::uint8_t* begin_;
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  DraftProfile profile_;
  DraftForm form_;
  DraftMessage& out_;
  Limit limit_ = Limit::record;
  Error error_;
  bool minimal_ = true;
};

std::span<const DraftForm> forms_of(DraftProfile p) noexcept {
  static constexpr std::array forms{DraftForm::int32, DraftForm::messagepack, DraftForm::tfile};
  switch (p) {
    case DraftProfile::kip82_any:
      return forms;
    case DraftProfile::kip82_int32:
    case DraftProfile::kip82_map:
    case DraftProfile::kip82_map_always:
      return std::span(forms).first(1);
    default:
      return std::span(forms).subspan(1);
  }
}

}  // namespace

std::span<const DraftProfileInfo> draft_profiles() noexcept { return profiles; }

std::string_view name_of(DraftProfile p) noexcept { return profiles[static_cast<std::size_t>(p)].name; }

std::optional<DraftProfile> find_draft_profile(std::string_view name) noexcept {
  for (const DraftProfileInfo& p : profiles) {
    if (p.name == name) return p.profile;
  }
  return std::nullopt;
}

Error read_draft_message(Bytes entry, DraftProfile profile, DraftMessage& out) noexcept {
  out = {};
  if (entry.size() < entry_overhead + fixed) {
    return {.code = Code::truncated, .limit = Limit::record, .need = entry_overhead + fixed, .have = entry.size()};
  }
  const std::int64_t offset = load_be<std::int64_t>(entry.data());
  Error e = read_draft_body(entry.subspan(entry_overhead), profile, out);
  if (e) e.offset += entry_overhead;
  out.offset = offset;
  return e;
}

Error read_draft_body(Bytes body, DraftProfile profile, DraftMessage& out) noexcept {
  if (body.size() < fixed) return {.code = Code::truncated, .limit = Limit::record, .need = fixed, .have = body.size()};
  DraftMessage common;
  common.crc = load_be<std::uint32_t>(body.data());
  common.attributes = body[5];
  common.timestamp = load_be<std::int64_t>(body.data() + 6);
  out = common;
  // The first form that fits as writers would write it; else the first that fits at all; else the one that got
  // furthest.
  Error furthest;
  bool found = false;
  for (const DraftForm form : forms_of(profile)) {
    DraftMessage m = common;
    DraftParser parser(body, profile, form, m);
    const Error e = parser.parse();
    if (!e && parser.minimal()) {
      out = m;
      return {};
    }
    if (!e && !found) {
      out = m;
      found = true;
    } else if (!found && (!furthest || e.offset > furthest.offset)) {
      out = m;
      furthest = e;
    }
  }
  return found ? Error{} : furthest;
}

bool IntHeaderReader::next(IntHeader& out) noexcept {
  if (left_ <= 0) return false;
  --left_;
  std::int32_t length = 0;
  at_ = read_draft_int(form_, at_, end_, out.key);
  if (at_) at_ = read_draft_int(form_, at_, end_, length);
  if (!at_ || length > end_ - at_) {  // not the view of a message that was read
    left_ = 0;
    return false;
  }
  out.value = length < 0 ? Bytes{} : Bytes{at_, static_cast<std::size_t>(length)};
  if (length > 0) at_ += length;
  return true;
}

}  // namespace kparse
