// SPDX-License-Identifier: MIT
#include "commands/frame_line.h"
#include "commands/frame_rows.h"
#include "output/csv.h"
#include "output/human.h"

namespace kparse::cli {
namespace {

/// The members of the JSON lines as columns; lists are joined by blanks.
class FrameCsv final : public FrameRows {
 public:
  FrameCsv(const CommonOptions& options, Output& out) : options_(options), csv_(out) {
    for (const char* title : {"kind", "capture", "packet", "lastPacket", "time", "conversation", "client", "server", "from",
                              "offset", "size", "apiKey", "api", "version", "correlationId", "clientId", "requestPacket",
                              "latencyNs", "topics", "partitions", "records", "errorCodes", "acks", "error"})
      csv_.text(title);
    csv_.end_row();
  }

  void request(const ConversationInfo& c, const Request& r, const FrameSummary& s, const Error& e) override {
    place("request", c, r.frame.first, r.frame.last, r.frame.completed, Side::client);
    csv_.number(r.frame.offset).number(r.frame.size).number(int{r.api_key}).text(r.api ? r.api->name : std::string_view{});
    csv_.number(int{r.version}).number(r.correlation_id).text(r.client_id).empty().empty();
    summary(s, e);
  }
  void response(const ConversationInfo& c, const Response& r, const FrameSummary& s, const Error& e) override {
    place("response", c, r.frame.first, r.frame.last, r.frame.completed, Side::server);
    csv_.number(r.frame.offset).number(r.frame.size);
    if (r.matched) {
      csv_.number(int{r.api_key}).text(r.api ? r.api->name : std::string_view{}).number(int{r.request_version});
      csv_.number(r.correlation_id).empty().number(r.request_first.packet).number(r.latency_ns);
    } else {
      csv_.empty().empty().empty().number(r.correlation_id).empty().empty().empty();
    }
    summary(s, e);
  }
  void sasl(const ConversationInfo& c, const SaslToken& t) override {
    place("sasl", c, t.frame.first, t.frame.last, t.frame.completed, t.frame.from);
    csv_.number(t.frame.offset).number(t.frame.size);
    blank(12);
    error(t.frame.error);
  }
  void gap(const ConversationInfo& c, const Gap& g) override {
    place("gap", c, g.at, g.at, g.at, g.from);
    csv_.number(g.offset).number(g.bytes);
    blank(13);
    csv_.end_row();
  }
  void other(const ConversationInfo& c, Side from, std::string_view what, Stamp at) override {
    place("other", c, at, at, at, from);
    csv_.empty().empty().empty().text(what);
    blank(11);
    csv_.end_row();
  }

 private:
  void place(std::string_view kind, const ConversationInfo& c, Stamp first, Stamp last, Stamp completed, Side from) {
    csv_.text(kind).text(first.file < options_.captures.size() ? std::string_view(options_.captures[first.file]) : std::string_view{});
    csv_.number(first.packet).number(last.packet).text(rfc3339(completed.time_ns));
    csv_.number(c.number).text(c.client).text(c.server).text(name_of(from));
  }
  void summary(const FrameSummary& s, const Error& e) {
    std::string joined;
    for (std::size_t i = 0; i < s.topic_count(); ++i) joined += (i ? " " : "") + s.topic(i);
    csv_.text(joined).number(s.partitions()).number(s.records());
    joined.clear();
    for (const std::int16_t code : s.errors()) joined += (joined.empty() ? "" : " ") + error_text(code);
    csv_.text(joined);
    if (s.acks()) {
      csv_.number(int{*s.acks()});
    } else {
      csv_.empty();
    }
    error(e);
  }
  void error(const Error& e) {
    csv_.text(e ? name_of(e.code) : std::string_view{});
    csv_.end_row();
  }
  void blank(int cells) {
    while (cells-- > 0) csv_.empty();
  }

  const CommonOptions& options_;
  Csv csv_;
};

}  // namespace

std::unique_ptr<FrameRows> make_frame_csv(const CommonOptions& options, Output& out) {
  return std::make_unique<FrameCsv>(options, out);
}

}  // namespace kparse::cli
