// SPDX-License-Identifier: MIT
#include "kparse/node.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

namespace fetched = node::fetch_response::responses;
namespace shared = node::share_fetch_response::responses;

Interest interest() {
  Interest i = Interest::nothing();
  for (const NodeId n : {fetched::topic, fetched::topic_id, fetched::partitions::partition_index,
                         fetched::partitions::error_code, fetched::partitions::records, shared::topic_id,
                         shared::partitions::partition_index, shared::partitions::error_code,
                         shared::partitions::records, shared::partitions::acquired_records::first_offset})
    i.add(n);
  return i;
}

/// The first partition of the answer with null records and no error, and how many there are.
struct NullSink : Sink {
  TopicRef topic, found_topic;
  std::int32_t partition = -1, found_partition = -1;
  std::uint64_t found = 0;
  bool null_records = false, error = false, acquired = false;

  void begin_struct(NodeId n, const std::uint8_t*) noexcept {
    if (n == fetched::self || n == shared::self) topic = {};
    if (n == fetched::partitions::self || n == shared::partitions::self) null_records = error = acquired = false;
  }
  void string(NodeId, std::string_view v, Bytes) noexcept { topic.name = v; }
  void uuid(NodeId, Bytes id) noexcept { topic.id = id.data(); }
  void integer(NodeId n, std::int64_t v, Bytes) noexcept {
    if (n == fetched::partitions::partition_index || n == shared::partitions::partition_index)
      partition = static_cast<std::int32_t>(v);
    if (n == fetched::partitions::error_code || n == shared::partitions::error_code) error = v != 0;
  }
  void begin_array(NodeId n, std::int32_t count, const std::uint8_t*) noexcept {
    if (n == shared::partitions::acquired_records::self) acquired = count > 0;
  }
  void null(NodeId n, Bytes) noexcept {
    if (n == fetched::partitions::records || n == shared::partitions::records) null_records = true;
  }
  void end_struct(NodeId n, const std::uint8_t*) noexcept {
    // A ShareFetch may only acknowledge: then no records are acquired, and none are due.
    const bool due = n == fetched::partitions::self || (n == shared::partitions::self && acquired);
    if (!due || !null_records || error || found++ > 0) return;
    found_topic = topic;
    found_partition = partition;
  }
};

class NullRecords final : public Rule {
 public:
  NullRecords(Desk& d, const RuleInfo& i, const double* o) : Rule(d, i, o), programs_(interest()) {}

  void end_response(const Conn&, const Response& r, const Error& e) override {
    if ((r.api_key != 1 && r.api_key != 78) || !r.matched || !r.known || e) return;
    NullSink sink;
    (void)walk(programs_, layout_for(*r.api->response, r.version, r.body), r.body, sink);
    if (sink.found == 0) return;
    const std::string name = topic(sink.found_topic);
    hit({.topic = name, .partition = sink.found_partition, .count = sink.found}, [&](Text& t) {
      t << r.api->name << " answer for " << Quoted{name} << "-" << sink.found_partition
        << ": records are null without an error.";
    });
  }

 private:
  ProgramSet programs_;
};

}  // namespace

KPARSE_RULE(kp_null_records, NullRecords, .id = "KP-NULL-RECORDS", .severity = Severity::warning,
            .scope = RuleScope::frame,
            .condition = "A partition of a Fetch answer has null records and error code 0, or one of a ShareFetch answer "
                         "that says it acquired some. Partitions with an error may have null.",
            .why = "librdkafka drops the whole answer (\"invalid set size -1\").",
            .fix = "Server: write empty records (length 0).",
            .example = "Fetch answer for orders-0: records are null without an error.",
            .sources = "kafka#18726; KAFKA-18646; kafka#19131");

}  // namespace kparse::lint
