// SPDX-License-Identifier: MIT
#include "commands/frame_line.h"
#include "commands/frame_rows.h"

namespace kparse::cli {
namespace {

class FrameJson final : public FrameRows {
 public:
  FrameJson(const CommonOptions& options, Output& out) : options_(options), out_(out) {}

  void request(const ConversationInfo& c, const Request& r, const FrameSummary& s, const Error& e) override {
    w_.begin_object();
    append_request_members(w_, options_.captures, c, r);
    summary(s);
    finish(e);
  }
  void response(const ConversationInfo& c, const Response& r, const FrameSummary& s, const Error& e) override {
    w_.begin_object();
    append_response_members(w_, options_.captures, c, r);
    summary(s);
    finish(e);
  }
  void sasl(const ConversationInfo& c, const SaslToken& t) override {
    w_.begin_object();
    append_sasl_members(w_, options_.captures, c, t, options_.show_secrets);
    finish(t.frame.error);
  }
  void gap(const ConversationInfo& c, const Gap& g) override {
    w_.begin_object();
    append_gap_members(w_, options_.captures, c, g);
    finish({});
  }
  void other(const ConversationInfo& c, Side from, std::string_view what, Stamp at) override {
    w_.begin_object();
    append_other_members(w_, options_.captures, c, from, what, at);
    finish({});
  }

 private:
  void summary(const FrameSummary& s) {
    w_.key("topics");
    w_.begin_array();
    for (std::size_t i = 0; i < s.topic_count(); ++i) w_.string(s.topic(i));
    w_.end_array();
    w_.key("partitions");
    w_.unsigned_integer(s.partitions());
    w_.key("records");
    w_.unsigned_integer(s.records());
    w_.key("errorCodes");
    w_.begin_array();
    for (const std::int16_t code : s.errors()) w_.integer(code);
    w_.end_array();
    w_.key("acks");
    if (s.acks()) {
      w_.integer(*s.acks());
    } else {
      w_.null();
    }
  }
  void finish(const Error& e) {
    append_error_member(w_, e);
    w_.end_object();
    w_.newline();
    out_.write(w_.view());
    w_.clear();
  }

  const CommonOptions& options_;
  Output& out_;
  JsonWriter w_;
};

}  // namespace

std::unique_ptr<FrameRows> make_frame_json(const CommonOptions& options, Output& out) {
  return std::make_unique<FrameJson>(options, out);
}

}  // namespace kparse::cli
