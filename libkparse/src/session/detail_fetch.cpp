// SPDX-License-Identifier: MIT
// DetailReader: fetches, sessions, share groups.
#include <new>
#include <optional>

#include "kparse/same.h"
#include "session/detail_walk.h"

namespace kparse {
namespace {

constexpr std::int16_t session_not_found = 70, invalid_session_epoch = 71, topic_id_error = 106;

bool same(const TopicRef& a, const TopicRef& b) noexcept {
  if (a.id && b.id) return same_id(a.id, b.id);
  return !a.id && !b.id && same_text(a.name, b.name);
}

/// From the request itself, or from the session.
class Offsets final : public AskedOffsets {
 public:
  Offsets(std::span<const FetchTarget> named, const FetchSession* session) noexcept
      : named_(named), session_(session) {}

  std::int64_t of(const TopicRef& topic, std::int32_t partition) noexcept override {
    try {
      if (session_) return session_->offset(topic, partition);
      if (next_ >= named_.size()) next_ = 0;
      if (next_ < named_.size() && named_[next_].partition == partition && same(named_[next_].topic, topic))
        return named_[next_++].offset;
      if (!sorted_) {
        sorted_.emplace();
        for (const FetchTarget& t : named_) sorted_->put(t);
      }
      return sorted_->offset(topic, partition);
    } catch (const std::bad_alloc&) {
      return -1;
    }
  }

 private:
  std::span<const FetchTarget> named_;
  const FetchSession* session_;
  std::size_t next_ = 0;
  std::optional<FetchSession> sorted_;
};

}  // namespace

std::string_view name_of(FetchAsked::Kind k) noexcept {
  switch (k) {
    case FetchAsked::Kind::sessionless:
      return "sessionless";
    case FetchAsked::Kind::full:
      return "full";
    case FetchAsked::Kind::incremental:
      return "incremental";
    case FetchAsked::Kind::closing:
      return "closing";
  }
  return "";
}

std::string_view name_of(FetchAnswered::Session s) noexcept {
  switch (s) {
    case FetchAnswered::Session::none:
      return "none";
    case FetchAnswered::Session::opened:
      return "opened";
    case FetchAnswered::Session::refused:
      return "refused";
    case FetchAnswered::Session::goes_on:
      return "goesOn";
    case FetchAnswered::Session::lost:
      return "lost";
    case FetchAnswered::Session::broken:
      return "broken";
    case FetchAnswered::Session::closed:
      return "closed";
  }
  return "";
}

std::string_view share_acknowledge_name(std::int8_t type) noexcept {
  constexpr std::string_view names[] = {"gap", "accept", "release", "reject", "renew"};
  return type >= 0 && type < 5 ? names[type] : std::string_view("unknown");
}

void DetailReader::fetch_asked(const Request& r, const KeptRequest* kept) {
  if (!(wants_ & (Wants::fetches | Wants::offsets))) return;
  FetchFacts& f = p_.fetch_of(info_.number);
  FetchRequestSink sink(cluster_, f);
  const Error error = walk_body(*r.api->request, r.version, kept ? Bytes(kept->body) : r.body, sink);
  sink.finish(r.version);
  f.asked.serial = r.serial;
  f.whole = !error;
  if (kept) f.conversation = info_.number;
  FetchSessions& sessions = cluster_.state().sessions;
  if (f.asked.kind == FetchAsked::Kind::incremental) {
    // A request that can't be read to its end may have changed more than is known.
    if (error || !r.frame.whole()) {
      sessions.close(info_.server, f.asked.session_id);
    } else {
      f.asked.session = sessions.follow(info_.server, f.asked);
    }
  } else if (f.asked.session_id != 0) {
    sessions.close(info_.server, f.asked.session_id);
  }
  if (wants_ & Wants::fetches) observer_.on_fetch_asked(f.asked);
}

// fetch_of() holds the request.
void DetailReader::fetch_head(FetchAnswered& a) {
  using Session = FetchAnswered::Session;
  FetchSessions& sessions = cluster_.state().sessions;
  if (a.error == session_not_found) {
    a.session = Session::lost;
  } else if (a.error == invalid_session_epoch || a.error == topic_id_error) {
    a.session = Session::broken;
  } else if (a.asked_known && a.error == 0) {
    switch (a.asked) {
      case FetchAsked::Kind::sessionless:
        break;
      case FetchAsked::Kind::closing:
        a.session = Session::closed;
        break;
      case FetchAsked::Kind::full:
        a.session = a.session_id != 0 ? Session::opened : Session::refused;
        break;
      case FetchAsked::Kind::incremental:
        a.session = Session::goes_on;
        break;
    }
  }
  if (a.session == Session::lost || a.session == Session::broken) sessions.close(info_.server, a.asked_session_id);
  if (a.session == Session::opened) sessions.open(info_.server, a.session_id, p_.fetch_of(info_.number).asked.named);
  if (wants_ & Wants::fetches) observer_.on_fetch_answered(a);
}

void DetailReader::fetch_answer(const Response& r, const KeptRequest* asked) {
  FetchFacts& f = p_.fetch_of(info_.number);
  FetchAnswered known;
  const bool wanted = asked && (wants_ & (Wants::fetches | Wants::offsets));
  // Mostly nobody has asked since of those that share its place.
  if (!wanted || f.conversation != info_.number || f.asked.serial != asked->serial) {
    FetchRequestSink sink(cluster_, f);
    f.whole = wanted && !walk_request(*asked, sink);
    if (wanted) sink.finish(asked->version);
  }
  known.asked_known = f.whole && wanted && asked->whole;
  known.asked = f.asked.kind;
  known.asked_session_id = f.asked.session_id;
  known.asked_session_epoch = f.asked.session_epoch;
  known.replica_id = f.asked.replica_id;
  known.isolation = f.asked.isolation;
  const FetchSession* session = nullptr;
  if (known.asked_known && f.asked.kind == FetchAsked::Kind::incremental)
    session = cluster_.state().sessions.find(info_.server, f.asked.session_id);
  Offsets offsets(known.asked_known ? f.asked.named : std::span<const FetchTarget>{}, session);
  FetchResponseSink sink({.cluster = cluster_,
                          .observer = observer_,
                          .wants = wants_,
                          .offsets = offsets,
                          .aborted = p_.aborted,
                          .head =
                              [](void* self, FetchAnswered& a) noexcept {
                                try {
                                  static_cast<DetailReader*>(self)->fetch_head(a);
                                } catch (const std::bad_alloc&) {
                                  ++static_cast<DetailReader*>(self)->failed_;
                                }
                              },
                          .with = this},
                         known);
  (void)walk_body(*r.api->response, r.version, r.body, sink);
  sink.finish();
}

void DetailReader::share_acknowledged(const KeptRequest& asked, bool answered, std::int16_t error) {
  ShareSink sink(cluster_, p_.asked_share, nullptr);
  (void)walk_request(asked, sink);
  const ShareFacts& f = p_.asked_share;
  const auto results = p_.answered_share.results.view();
  std::size_t hint = 0;
  for (const ShareRange& range : f.ranges.view()) {
    std::int16_t result = error;
    for (std::size_t i = 0; answered && error == 0 && i < results.size() && i < 256; ++i) {
      const std::size_t at = (hint + i) % results.size();
      if (results[at].partition != range.partition || !same(results[at].topic, range.topic)) continue;
      result = results[at].error;
      hint = at;
      break;
    }
    observer_.on_share_acknowledged({.serial = asked.serial,
                                     .first = asked.first,
                                     .at = asked.completed,
                                     .group = f.group,
                                     .member = f.member,
                                     .topic = range.topic,
                                     .partition = range.partition,
                                     .first_offset = range.first,
                                     .last_offset = range.last,
                                     .type = static_cast<std::int8_t>(range.number),
                                     .answered = answered,
                                     .error = result});
  }
}

void DetailReader::share_answer(const Response& r, const KeptRequest* asked) {
  ShareSink sink(cluster_, p_.answered_share, wants_ & Wants::cluster ? &observer_ : nullptr);
  (void)walk_body(*r.api->response, r.version, r.body, sink);
  if (!(wants_ & Wants::share)) return;
  if (asked) {
    share_acknowledged(*asked, true, p_.answered_share.error);
  } else {
    p_.asked_share.group = p_.asked_share.member = {};
  }
  for (const ShareRange& range : p_.answered_share.ranges.view()) {
    observer_.on_share_acquired({.group = p_.asked_share.group,
                                 .member = p_.asked_share.member,
                                 .topic = range.topic,
                                 .partition = range.partition,
                                 .first_offset = range.first,
                                 .last_offset = range.last,
                                 .delivery_count = range.number});
  }
}

}  // namespace kparse
