// SPDX-License-Identifier: GPL-2.0-or-later
#include "lint.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <new>

#include "draft_items.h"
#include "listeners.h"
#include "preferences.h"

namespace kparse::dissector {

namespace {

std::unique_ptr<Lint>& open() noexcept {
  static auto& lint = *new std::unique_ptr<Lint>;  // never destroyed, as all that packets are shown from
  return lint;
}

/// What they judge by are packets of TCP and how connections end, which a dissector isn't told of: half of it could make
/// them speak where they mustn't.
constexpr const char* of_tcp[] = {"KP-ADVERTISED",   "KP-APIV-NOREPLY", "KP-CONN-CHURN", "KP-FRAME-TLS", "KP-IDLE-DROP",
                                  "KP-NAGLE",        "KP-RETRANS",      "KP-SASL-MISSING", "KP-SEND-STALL",
                                  "KP-SNAPLEN",      "KP-TLS",          "KP-VER-DROPPED", "KP-ZEROWIN"};

LintOptions options() {
  LintOptions o;
  o.ignore.assign(std::begin(of_tcp), std::end(of_tcp));
  o.records = record_options();
  o.records.verify_crc = true;  // what the preference is about is another item
  return o;
}

template <class Key>
std::span<const LintHit> at(const std::unordered_map<Key, std::vector<LintHit>>& all, Key key) noexcept {
  const auto it = all.find(key);
  return it == all.end() ? std::span<const LintHit>{} : std::span<const LintHit>(it->second);
}

}  // namespace

Lint* lint() noexcept { return open().get(); }

Lint* open_lint(const Cluster& cluster) {
  if (!open() && preferences.lint) open() = std::make_unique<Lint>(cluster);
  return open().get();
}

void forget_lint() noexcept { open().reset(); }

Lint::Lint(const Cluster& cluster) : linter_(options(), cluster, this) {}

template <class Key>
void Lint::add(std::unordered_map<Key, std::vector<LintHit>>& to, Key key, LintHit hit) {
  std::vector<LintHit>& hits = to[key];
  // A frame can have the same thing thousands of times, mostly in a run.
  const auto newest = hits.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(hits.size(), 16));
  if (std::any_of(newest, hits.end(), [&](const LintHit& h) { return h.finding == hit.finding && h.packet == hit.packet; }))
    return;
  if (hits_ >= most_hits) return;
  ++hits_;
  hits.push_back(hit);
}

void Lint::on_finding(const Finding& f, const Stamp& at) noexcept try {
  if (finished_) return;
  if (f.order >= findings_.size()) {
    findings_.resize(f.order + 1);
    findings_.back() = {.rule = f.rule, .message = f.message};
  }
  const LintHit hit{&findings_[f.order], static_cast<std::uint32_t>(at.packet)};
  if (in_frame_ && at.packet == frame_first_) {
    frame_hits_.push_back(hit);
    return;
  }
  add(about_, hit.packet, hit);
  if (now_.packet > at.packet) add(told_, static_cast<std::uint32_t>(now_.packet), hit);
} catch (const std::bad_alloc&) {
}

void Lint::begin_frame(Stamp first) noexcept {
  in_frame_ = true;
  frame_first_ = first.packet;
  frame_hits_.clear();
}

void Lint::end_frame(const Pdu* p) noexcept try {
  in_frame_ = false;
  for (const LintHit& h : frame_hits_) add(of_frames_, p, h);
} catch (const std::bad_alloc&) {
}

void Lint::finish() noexcept try {
  if (finished_) return;
  std::vector<bool> stays;
  for (const Finding& f : linter_.finish(now_)) {
    if (f.order >= stays.size()) stays.resize(f.order + 1);
    stays[f.order] = true;
  }
  finished_ = true;
  for (std::size_t i = 0; i < findings_.size(); ++i) findings_[i].dropped = i >= stays.size() || !stays[i];
} catch (const std::bad_alloc&) {
  finished_ = true;
}

std::span<const LintHit> Lint::of(const Pdu& p) const noexcept { return at(of_frames_, &p); }
std::span<const LintHit> Lint::about(std::uint32_t packet) const noexcept { return at(about_, packet); }
std::span<const LintHit> Lint::told_in(std::uint32_t packet) const noexcept { return at(told_, packet); }

}  // namespace kparse::dissector
