// SPDX-License-Identifier: MIT
#include "extract/redact_frame.h"

#include <algorithm>
#include <cstring>

namespace kparse::cli {
namespace {

/// Texts that decoding goes by.
bool protocol_word(std::string_view v) noexcept {
  static constexpr std::string_view words[] = {
      "consumer", "connect",      "share",     "streams",     "range",    "roundrobin", "sticky", "cooperative-sticky",
      "stream",   "compatible",   "sessioned", "eager",       "default",  "uniform",    "simple", "PLAIN",
      "GSSAPI",   "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"};
  return std::find(std::begin(words), std::end(words), v) != std::end(words);
}

/// Texts that are content: the user's own words beside an offset, a config's value, and messages, which quote values.
bool content(const Field& f) noexcept {
  return f.secret || f.mark == Mark::config_value || f.name == "committedMetadata" || f.name == "metadata" ||
         f.name == "value" || f.name == "errorMessage";
}

}  // namespace

/// Copies what may stay from a body to the same place of another.
class FrameRedactor::Keeper : public Sink {
 public:
  Keeper(FrameRedactor& of, Bytes from, std::uint8_t* to, PayloadGuide& guide, bool compact,
         std::vector<Replacement>* replacements, std::size_t base) noexcept
      : of_(of), from_(from), to_(to), guide_(guide), compact_(compact), replacements_(replacements), base_(base) {}

  void null(NodeId, Bytes span) noexcept { keep(span); }
  void boolean(NodeId, bool, Bytes span) noexcept { keep(span); }
  void float64(NodeId, double, Bytes span) noexcept { keep(span); }
  void integer(NodeId n, std::int64_t v, Bytes span) noexcept {
    guide_.integer(field(n), v);
    keep(span);
  }
  void uuid(NodeId n, Bytes id) noexcept {
    guide_.uuid(field(n), id.data());
    keep(id);
  }
  void string(NodeId n, std::string_view v, Bytes span) noexcept {
    const Field& f = field(n);
    guide_.string(f, v);
    prefix(span, v.size());
    if (content(f)) return;
    const bool word = (f.mark == Mark::protocol_type || f.mark == Mark::protocol_name || f.mark == Mark::mechanism ||
                       f.name == "mechanisms" || f.name == "name") &&
                      protocol_word(v);
    const Bytes value = span.last(v.size());
    keep(value);
    if (of_.how_ == Redact::names && !word) of_.names_.replace(reinterpret_cast<char*>(at(value)), value.size());
  }
  void bytes(NodeId n, Bytes v, Bytes span) noexcept {
    prefix(span, v.size());
    const Field& f = field(n);
    const PayloadKind kind = f.secret || guide_.guessed() ? PayloadKind::none : guide_.kind_of(f);
    if (kind == PayloadKind::consumer_subscription) return protocol("ConsumerProtocolSubscription", v);
    if (kind == PayloadKind::consumer_assignment) return protocol("ConsumerProtocolAssignment", v);
  }
  void records(NodeId, Bytes v, Bytes span) noexcept {
    prefix(span, v.size());
    if (replacements_ == nullptr || !guide_.whole_records()) return;
    of_.set_.clear();
    of_.records_.redact(v, of_.set_);
    if (!of_.set_.ok()) return;
    replacements_->push_back({base_ + offset(span.data()), span.size(), compact_, std::string(text(of_.set_.view()))});
  }
  void end_tag(NodeId) noexcept {}
  void framing(NodeId, Bytes span) noexcept {
    if (!surplus_) keep(span);
    surplus_ = false;
  }
  /// What a tag's value has left over comes next.
  void note(const Note& n) noexcept { surplus_ = n.rule == Note::Rule::tagSize; }

  /// The length of a field that the capture has no more than a part of: without it, what is left doesn't look like Kafka.
  void length_of_cut_field(const Error& e) noexcept {
    std::size_t end = e.offset;
    if (e.code == Code::badCount) {  // told at the count, which counts too
      if (!compact_) {
        end += 4;
      } else {
        while (end < from_.size() && from_[end] >= 0x80) ++end;
        ++end;
      }
      end = std::min(end, from_.size());
    } else if (e.code != Code::truncated) {
      return;
    }
    if (end > kept_ && end - kept_ <= 5 && end <= from_.size()) keep(from_.subspan(kept_, end - kept_));
  }

 private:
  [[nodiscard]] std::size_t offset(const std::uint8_t* p) const noexcept {
    return static_cast<std::size_t>(p - from_.data());
  }
  [[nodiscard]] std::uint8_t* at(Bytes span) const noexcept { return to_ + offset(span.data()); }
  void keep(Bytes span) noexcept {
    if (span.empty()) return;
    std::memcpy(at(span), span.data(), span.size());
    kept_ = std::max(kept_, offset(span.data()) + span.size());
  }
  void prefix(Bytes span, std::size_t value) noexcept { keep(span.first(span.size() - value)); }

  /// A consumer's own bytes: topics and partitions stay, its user data doesn't.
  void protocol(std::string_view name, Bytes v) noexcept {
    const Message* m = find_message(name);
    if (m == nullptr || v.size() < 2) return;
    const int version = std::min<int>(load_be<std::int16_t>(v.data()), m->versions.hi);
    if (!m->versions.has(version)) return;
    const Bytes inner = v.subspan(2);
    std::uint8_t* const to = at(v) + 2;
    PayloadGuide guide(*m, {});
    if (of_.part(of_.programs_.get(*m, version), inner, to, guide, m->flexible.has(version), nullptr, 0)) {
      std::fill(to, to + inner.size(), filling);
      return;
    }
    keep(v.first(2));
  }

  FrameRedactor& of_;
  Bytes from_;
  std::uint8_t* to_;
  PayloadGuide& guide_;
  bool compact_, surplus_ = false;
  std::size_t kept_ = 0;  ///< up to here something was
  std::vector<Replacement>* replacements_;
  std::size_t base_;
};

Error FrameRedactor::part(const Program& program, Bytes from, std::uint8_t* to, PayloadGuide& guide, bool compact,
                          std::vector<Replacement>* replacements, std::size_t base, bool cut) {
  Keeper keeper(*this, from, to, guide, compact, replacements, base);
  const Error e = walk(program, from, keeper);
  if (cut) keeper.length_of_cut_field(e);
  return e;
}

void FrameRedactor::body(std::uint64_t conversation, const Message* m, int version, bool known, Bytes body,
                         std::uint8_t* to, std::size_t base, bool cut, std::vector<Replacement>& replacements) {
  if (!known || m == nullptr) return;
  const Layout layout = layout_for(*m, version, body);
  std::string& protocol = protocols_[conversation];
  BodyContext context;
  context.protocol_type = protocol;
  PayloadGuide guide(*m, context);
  const bool compact = layout.alt != nullptr ? layout.alt->flexible : layout.message->flexible.has(layout.version);
  (void)part(programs_.get(layout), body, to, guide, compact, &replacements, base, cut);
  if (!guide.protocol_type().empty() && guide.protocol_type() != protocol) protocol = std::string(guide.protocol_type());
}

/// The frame out of copy_, with the replacements.
void FrameRedactor::finish(const Frame& f, const std::vector<Replacement>& replacements, Writer& out) {
  const std::size_t start = out.size();
  out.be(static_cast<std::int32_t>(f.size));
  std::size_t done = 0;
  for (const Replacement& r : replacements) {
    out.bytes(Bytes(copy_).subspan(done, r.at - done));
    if (r.compact) {
      out.uvarint(static_cast<std::uint32_t>(r.bytes.size() + 1));
    } else {
      out.be(static_cast<std::int32_t>(r.bytes.size()));
    }
    out.text(r.bytes);
    done = r.at + r.size;
  }
  out.bytes(Bytes(copy_).subspan(done));
  const std::int64_t grown = static_cast<std::int64_t>(out.size() - start) - 4 - static_cast<std::int64_t>(f.data.size());
  out.patch_be(start, static_cast<std::int32_t>(f.size + grown));
}

void FrameRedactor::request(std::uint64_t conversation, const Request& r, Writer& out) {
  copy_.assign(r.frame.data.size(), filling);
  std::vector<Replacement> replacements;
  const Message& header = *find_message("RequestHeader");
  if (r.header_whole && header.versions.has(r.header_version)) {
    PayloadGuide guide(header, {});
    const std::size_t size = r.frame.data.size() - r.body.size();
    (void)part(programs_.get(header, r.header_version), r.frame.data.first(size), copy_.data(), guide, false, nullptr, 0);
    body(conversation, r.api != nullptr ? r.api->request : nullptr, r.version, r.known, r.body, copy_.data() + size, size,
         !r.frame.whole(), replacements);
  } else {  // API, version, correlation id
    std::copy_n(r.frame.data.begin(), std::min<std::size_t>(8, r.frame.data.size()), copy_.begin());
  }
  finish(r.frame, replacements, out);
}

void FrameRedactor::response(std::uint64_t conversation, const Response& r, Writer& out) {
  copy_.assign(r.frame.data.size(), filling);
  std::vector<Replacement> replacements;
  const Message& header = *find_message("ResponseHeader");
  if (r.matched && r.header_whole && header.versions.has(r.header_version)) {
    PayloadGuide guide(header, {});
    const std::size_t size = r.frame.data.size() - r.body.size();
    (void)part(programs_.get(header, r.header_version), r.frame.data.first(size), copy_.data(), guide, false, nullptr, 0);
    body(conversation, r.api != nullptr ? r.api->response : nullptr, r.version, r.known, r.body, copy_.data() + size, size,
         !r.frame.whole(), replacements);
  } else {
    std::copy_n(r.frame.data.begin(), std::min<std::size_t>(4, r.frame.data.size()), copy_.begin());
  }
  finish(r.frame, replacements, out);
}

void FrameRedactor::token(const SaslToken& t, Writer& out) {
  copy_.assign(t.frame.data.size(), filling);
  // The first bytes of an RFC 2743 token tell that it is one: kind and length.
  if (t.mechanism.empty() && !copy_.empty() && t.frame.data[0] == 0x60)
    std::copy_n(t.frame.data.begin(), std::min<std::size_t>(t.frame.data.size() > 129 ? 4 : 2, copy_.size()), copy_.begin());
  finish(t.frame, {}, out);
}

}  // namespace kparse::cli
