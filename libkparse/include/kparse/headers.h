// SPDX-License-Identifier: MIT
// A record's headers as the API of the accepted KIP-82 describes them: an ordered list in which names may repeat.
// Source: KIP-82; Kafka's org.apache.kafka.common.header.Headers and RecordHeaders (0.11 and later).
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "kparse/bytes.h"
#include "kparse/error.h"
#include "kparse/records.h"
#include "kparse/writer.h"

namespace kparse {

enum class HeadersStatus : std::uint8_t {
  ok,
  read_only,  ///< close() was called: nothing was changed
  too_large,  ///< a name or value over 2^31 - 1 bytes, or as many headers
  no_memory,
};
/// A sentence for people: "the headers are read-only since close()".
[[nodiscard]] std::string_view message_of(HeadersStatus) noexcept;

/// Made from a record it is a view, and nothing is read, let alone copied, before somebody asks; it then reads the
/// encoded bytes, which must outlive it. The first change makes a list of views (no bytes are copied, but those of
/// added headers are). Where Java's throws IllegalStateException, changes give HeadersStatus::read_only. Not
/// thread-safe.
class Headers {
 public:
  class Iterator;
  class Named;

  Headers() noexcept = default;
  /// Of a record that read_records gave, or another whose headers were checked.
  explicit Headers(const Record& r) noexcept : wire_(r.headers), wire_count_(r.header_count) {}
  ~Headers();
  Headers(Headers&&) noexcept;
  Headers& operator=(Headers&&) noexcept;
  Headers(const Headers&) = delete;
  Headers& operator=(const Headers&) = delete;

  /// Of bytes that nobody checked: the count (zigzag varint) and the headers, to the last byte.
  [[nodiscard]] static std::optional<Headers> read(Bytes encoded, Error& error) noexcept;

  /// Appends. The name and the value (data() == nullptr: null) are copied.
  HeadersStatus add(std::string_view name, Bytes value) noexcept;
  HeadersStatus add(const RecordHeader& h) noexcept { return add(h.name, h.value); }
  /// Removes all with this name; none is no error.
  HeadersStatus remove(std::string_view name) noexcept;
  /// Removes one. Iterators from it on are invalid then, and `at` stands for the next.
  HeadersStatus erase(Iterator& at) noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return list_ ? count_ : static_cast<std::size_t>(wire_count_); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// The last one with this name. O(size).
  [[nodiscard]] std::optional<RecordHeader> last_header(std::string_view name) const noexcept;
  /// Those with this name, in order; looked for while the range is walked, in what the headers are then.
  [[nodiscard]] Named headers(std::string_view name) const noexcept;
  /// The first out.size() of them; returns how many were given.
  std::size_t to_array(std::span<RecordHeader> out) const noexcept;
  [[nodiscard]] Iterator begin() const noexcept;
  [[nodiscard]] Iterator end() const noexcept;

  /// From now on read-only, for good: a producer does it when it sends, after serializers and interceptors have added
  /// theirs. Reading goes on.
  void close() noexcept { closed_ = true; }
  [[nodiscard]] bool closed() const noexcept { return closed_; }

  /// Count and headers as in a record of magic 2.
  void write(Writer& out) const noexcept;

  /// The same names and values in the same order; null isn't empty; closed or not doesn't matter.
  friend bool operator==(const Headers&, const Headers&) noexcept;

 private:
  struct Entry {
    RecordHeader header;
    std::unique_ptr<std::uint8_t[]> own;  ///< name and value of an added one
  };
  [[nodiscard]] HeadersStatus listed(std::size_t more) noexcept;

  Bytes wire_;
  std::int32_t wire_count_ = 0;
  std::unique_ptr<Entry[]> list_;  ///< since the first change, in place of wire_
  std::size_t count_ = 0, capacity_ = 0;
  bool closed_ = false;
};

class Headers::Iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = RecordHeader;
  using difference_type = std::ptrdiff_t;
  using pointer = const RecordHeader*;
  using reference = const RecordHeader&;

  Iterator() noexcept = default;
  [[nodiscard]] const RecordHeader& operator*() const noexcept { return header_; }
  [[nodiscard]] const RecordHeader* operator->() const noexcept { return &header_; }
  Iterator& operator++() noexcept {
    ++index_;
    load();
    return *this;
  }
  Iterator operator++(int) noexcept {
    Iterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Iterator& a, const Iterator& b) noexcept { return a.index_ == b.index_; }

 private:
  friend class Headers;
  friend class Named;
  Iterator(const Headers* of, std::size_t index) noexcept;
  void load() noexcept;

  const Headers* of_ = nullptr;
  std::size_t index_ = 0;
  RecordHeader header_;
  Bytes rest_;                  ///< encoded headers after this one
  std::size_t rest_index_ = 0;  ///< whose index that is
};

/// For range-based loops.
class Headers::Named {
 public:
  class Iterator {
   public:
    [[nodiscard]] const RecordHeader& operator*() const noexcept { return *at_; }
    [[nodiscard]] const RecordHeader* operator->() const noexcept { return &*at_; }
    Iterator& operator++() noexcept {
      ++at_;
      find();
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept { return a.at_ == b.at_; }

   private:
    friend class Named;
    Iterator(Headers::Iterator at, Headers::Iterator end, std::string_view name) noexcept
        : at_(at), end_(end), name_(name) {
      find();
    }
    void find() noexcept {
      while (!(at_ == end_) && at_->name != name_) ++at_;
    }
    Headers::Iterator at_, end_;
    std::string_view name_;
  };
  [[nodiscard]] Iterator begin() const noexcept { return {of_->begin(), of_->end(), name_}; }
  [[nodiscard]] Iterator end() const noexcept { return {of_->end(), of_->end(), name_}; }

 private:
  friend class Headers;
  Named(const Headers* of, std::string_view name) noexcept : of_(of), name_(name) {}
  const Headers* of_;
  std::string_view name_;
};

inline Headers::Named Headers::headers(std::string_view name) const noexcept { return {this, name}; }
inline Headers::Iterator Headers::begin() const noexcept { return {this, 0}; }
inline Headers::Iterator Headers::end() const noexcept { return {this, size()}; }

}  // namespace kparse
