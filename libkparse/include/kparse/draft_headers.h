// SPDX-License-Identifier: MIT
// Messages of the KIP-82 drafts: record headers as they were first proposed, with integer keys, in a message of magic 2
// between key and value. No release of Kafka ever wrote one, so nothing here is done unless it is asked for.
// Source: the history of the KIP-82 page (2016-09 to 2017-02); what its text leaves open is said at each profile.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "kparse/bytes.h"
#include "kparse/error.h"
#include "kparse/records.h"
#include "kparse/writer.h"

namespace kparse {

class HeaderRegister;

enum class DraftProfile : std::uint8_t {
  /// To version 28: lengths, count and keys of the headers are variable-length integers. The draft links two codes for
  /// them: MessagePack is tried first, then Hadoop's TFile. What fits as the shortest form of its numbers goes before
  /// what
  /// fits otherwise. Keys that the one writes and the other reads (d0 80 to d0 df: 1152 to 1247 in TFile, -128 to -33
  /// in
  /// MessagePack) can't be told apart.
  kip82_varint,
  kip82_int32,  ///< from version 29: they are int32
  kip82_any,    ///< whichever of the two fits
  /// "Future work", size reduction: KeyLength and ValueLength variable too, no KeyLength where attribute bit 5 is set.
  /// The text names neither bit nor code: bit 5 and MessagePack, then TFile, are this project's definition.
  kip82_compact,
  kip82_compact_literal,  ///< as the sentence has it, "when no headers": no key at all where bit 4 isn't set
  kip82_map,  ///< the first weeks' option A: bit 4 says that an int32 size and a serialised string map follow the key
  kip82_map_always,  ///< option B: no bit, the size is always there
};

struct DraftProfileInfo {
  DraftProfile profile;
  std::string_view name;  ///< "kip82-varint"
  std::string_view about;
};
[[nodiscard]] std::span<const DraftProfileInfo> draft_profiles() noexcept;
[[nodiscard]] std::string_view name_of(DraftProfile) noexcept;
[[nodiscard]] std::optional<DraftProfile> find_draft_profile(std::string_view name) noexcept;

/// One integer at the start of [at, end): the byte after it, or nullptr when none stands there (`out` is untouched
/// then). MessagePack: any width is read, values outside of int32 are refused; TFile: as readVInt of Hadoop's
/// org.apache.hadoop.io.file.tfile.Utils.
[[nodiscard]] const std::uint8_t* read_messagepack_int(const std::uint8_t* at, const std::uint8_t* end,
                                                       std::int32_t& out) noexcept;
[[nodiscard]] const std::uint8_t* read_tfile_int(const std::uint8_t* at, const std::uint8_t* end,
                                                 std::int32_t& out) noexcept;
/// In the shortest form.
void write_messagepack_int(std::int32_t, Writer&) noexcept;
void write_tfile_int(std::int32_t, Writer&) noexcept;

struct IntHeader {
  std::int32_t key = 0;
  Bytes value;  ///< data() == nullptr: null, which the draft doesn't define
};

/// A message as read. Views into the entry.
struct DraftMessage {
  static constexpr std::uint8_t headers_present = 0x10, no_key = 0x20;  ///< of `attributes`

  std::int64_t offset = 0;
  std::uint32_t crc = 0;
  std::uint8_t attributes = 0;
  std::int64_t timestamp = -1;  ///< ms
  Bytes key, value;             ///< data() == nullptr: null
  DraftForm form = DraftForm::none;
  std::int32_t header_count = 0;
  Bytes headers;             ///< what follows the count; of the map profiles: the map
  bool null_header = false;  ///< a header has a null value
  bool ascending = true;     ///< header keys are, as the int32 drafts want it
};

/// `entry`: one whole message, beginning with its offset. What was read before an error stays. The CRC isn't checked:
/// see tell_magic_two().
[[nodiscard]] Error read_draft_message(Bytes entry, DraftProfile, DraftMessage& out) noexcept;

/// The integer-keyed headers of a message that was read; of the map profiles none.
class IntHeaderReader {
 public:
  explicit IntHeaderReader(const DraftMessage& m) noexcept
      : at_(m.headers.data()), end_(at_ + m.headers.size()), left_(m.header_count), form_(m.form) {}
  [[nodiscard]] bool next(IntHeader& out) noexcept;

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::int32_t left_;
  DraftForm form_;
};

/// Appends a message with size and CRC. `form`: messagepack or tfile where the profile leaves the choice. Headers are
/// written as they come: the int32 drafts want them ascending by key. Bits 4 and 5 are set as the content needs it.
/// False, and nothing written: too large, or the profile can't carry it (a key without headers in compact_literal, a
/// map profile).
bool write_draft_message(const DraftMessage& fields, std::span<const IntHeader> headers, DraftProfile, DraftForm form,
                         Writer& out) noexcept;
/// For the map profiles: `fields.headers` is the serialised map; null: no map.
bool write_draft_map_message(const DraftMessage& fields, DraftProfile, Writer& out) noexcept;

/// What an entry with a 2 at the place of the magic byte is.
enum class MagicTwo : std::uint8_t {
  batch,          ///< a shipped record batch: its CRC-32C fits (also where the draft's CRC fits as well)
  draft,          ///< the draft's CRC-32 fits
  damaged_batch,  ///< neither, but the fixed fields are a batch's
  damaged_draft,  ///< neither, but the lengths of a draft message add up
  cut_batch,      ///< the entry isn't whole, byte 21 may be a batch's
  not_batch,      ///< the entry isn't whole, and no batch has this byte 21
  unknown,
};
/// `entry` begins with the offset and may be cut. Never wrong about whole entries but by chance (2^-32).
[[nodiscard]] MagicTwo tell_magic_two(Bytes entry, DraftProfile) noexcept;

/// Set RecordOptions::draft to one, and read_records gives draft messages as records whose header names are the digits
/// of the integer keys.
class DraftReader final : public DraftDecoder {
 public:
  /// `names`, which must outlive it, has the names of keys; nullptr: the drafts' own sample.
  explicit DraftReader(DraftProfile profile, const HeaderRegister* names = nullptr) noexcept
      : profile_(profile), names_(names) {}
  [[nodiscard]] DraftProfile profile() const noexcept { return profile_; }
  [[nodiscard]] Error read(Bytes body, std::uint64_t base, DraftRecord& out) noexcept override;
  [[nodiscard]] std::string_view profile_name() const noexcept override { return name_of(profile_); }
  [[nodiscard]] std::string_view key_name(std::string_view digits) const noexcept override;
  [[nodiscard]] bool int_keys() const noexcept override;

 private:
  DraftProfile profile_;
  const HeaderRegister* names_;
  Writer headers_;
};

}  // namespace kparse
