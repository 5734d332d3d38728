// SPDX-License-Identifier: MIT
// Where a story is: the frame at hand, who speaks, what topics are called.
#pragma once

#include <utility>

#include "story/people.h"
#include "story/topic_index.h"

namespace kparse::story {

class Scene {
 public:
  People people;
  TopicIndex topics;
  const ConversationInfo* conversation = nullptr;  ///< of the newest frame or request without an answer
  Stamp first, at;                                 ///< of the newest frame; at: time_of()
  bool whole = true;

  void request(const ConversationInfo& c, const Request& r) {
    people.request(c, r);
    frame(c, r.frame);
  }
  void response(const ConversationInfo& c, const Response& r) { frame(c, r.frame); }
  void software(const ClientSoftwareSeen& s) {
    if (conversation) people.software(*conversation, s);
  }
  void unanswered(const ConversationInfo& c) noexcept { conversation = &c; }
  void close(const ConversationInfo& c) {
    people.close(c);
    conversation = nullptr;
  }
  /// As People has them, of the conversation at hand.
  [[nodiscard]] Person person() const { return people.of(*conversation); }
  [[nodiscard]] std::string_view client_id() const { return people.client_id(*conversation); }

 private:
  void frame(const ConversationInfo& c, const Frame& f) {
    topics.begin_frame();
    conversation = &c;
    first = f.first;
    at = time_of(f);
    whole = f.whole();
  }
};

/// An observer's scene: its own, or one that several observers have together.
class SomeScene {
 public:
  /// From now on `other`, which somebody else tells of all this, first of a frame and last of the end of a connection.
  void share(Scene& other) noexcept { shared_ = &other; }
  void request(const ConversationInfo& c, const Request& r) {
    if (!shared_) own_.request(c, r);
  }
  void response(const ConversationInfo& c, const Response& r) {
    if (!shared_) own_.response(c, r);
  }
  void software(const ClientSoftwareSeen& s) {
    if (!shared_) own_.software(s);
  }
  void unanswered(const ConversationInfo& c) noexcept {
    if (!shared_) own_.unanswered(c);
  }
  void close(const ConversationInfo& c) {
    if (!shared_) own_.close(c);
  }
  [[nodiscard]] Scene* operator->() noexcept { return shared_ ? shared_ : &own_; }
  [[nodiscard]] const Scene* operator->() const noexcept { return shared_ ? shared_ : &own_; }
  /// After the last event, resolved: a copy where they are shared.
  [[nodiscard]] TopicIndex resolved_topics(const Cluster& cluster) {
    TopicIndex& all = (*this)->topics;
    all.resolve(cluster);
    return shared_ ? all : std::move(all);
  }

 private:
  Scene own_;
  Scene* shared_ = nullptr;
};

}  // namespace kparse::story
