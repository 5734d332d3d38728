// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kparse/node.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

Interest interest() {
  Interest i = Interest::nothing();
  i.add(node::produce_request::topic_data::topic_id);
  i.add(node::fetch_request::topics::topic_id);
  i.add(node::fetch_request::forgotten_topics_data::topic_id);
  return i;
}

struct ZeroSink : Sink {
  std::uint64_t zeros = 0;
  NodeId first = no_node;
  void uuid(NodeId n, Bytes id) noexcept {
    if (!std::ranges::all_of(id, [](std::uint8_t b) { return b == 0; })) return;
    if (zeros++ == 0) first = n;
  }
};

class TopicIdZero final : public Rule {
 public:
  TopicIdZero(Desk& d, const RuleInfo& i, const double* o) : Rule(d, i, o), programs_(interest()) {}

  void begin_request(const Conn& c, const Request& r) override {
    if (r.api_key < 0 || r.api_key > 1 || r.version < 13 || !r.known || !r.header_whole) return;
    ZeroSink sink;
    (void)walk(programs_.get(*r.api->request, r.version), r.body, sink);
    if (sink.zeros == 0) return;
    const std::string what = subject(frames()).text(), where = path(sink.first), cause = what + ' ' + where;
    hit({.cause = cause},
        [&](Text& t) { t << what << " of " << who(c) << " has an all-zero topic id (" << where << ")."; });
  }

 private:
  ProgramSet programs_;
};

}  // namespace

KPARSE_RULE(kp_topic_id_zero, TopicIdZero, .id = "KP-TOPIC-ID-ZERO", .severity = Severity::error,
            .scope = RuleScope::frame,
            .condition = "An all-zero topic id in the topics or the forgotten topics of a Fetch request of version 13 or "
                         "later, or in a Produce request of version 13 or later.",
            .why = "The broker answers UNKNOWN_TOPIC_ID (100) and the fetch session is spoilt.",
            .fix = "Client: take ids from Metadata of version 10 or later; go back to Fetch v12 if they are zero.",
            .example = "Fetch v13 of 10.0.0.1:50000 (\"billing\") has an all-zero topic id (topics.topicId).",
            .sources = "KIP-516; Dekaf#815; kafka#9944");

}  // namespace kparse::lint
