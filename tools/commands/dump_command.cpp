// SPDX-License-Identifier: MIT
// kparse dump: every frame decoded to the last field.
#include <fmt/format.h>

#include <string>
#include <unordered_map>

#include "commands/command.h"
#include "commands/frame_line.h"
#include "commands/header_setup.h"
#include "kparse/json.h"
#include "output/human.h"
#include "output/json_text.h"
#include "output/text.h"
#include "pipeline/pipeline.h"

namespace kparse::cli {
namespace {

JsonOptions json_options(const CommonOptions& o, DraftDecoder* draft) {
  JsonOptions j;
  j.show_secrets = o.show_secrets;
  j.records = o.records == RecordsMode::full      ? RecordsAs::full
              : o.records == RecordsMode::batches ? RecordsAs::batches
                                                  : RecordsAs::nothing;
  j.bytes = o.bytes == BytesMode::base64 ? BytesAs::base64
            : o.bytes == BytesMode::hex  ? BytesAs::hex
            : o.bytes == BytesMode::none ? BytesAs::nothing
                                         : BytesAs::text;
  j.record_limits.max_batch = o.max_batch;
  j.record_limits.max_ratio = o.max_ratio;
  j.record_limits.draft = draft;
  return j;
}

class Dump final : public Observer {
 public:
  Dump(const CommonOptions& options, const Cluster& cluster, Output& out, DraftDecoder* draft)
      : options_(options),
        cluster_(cluster),
        out_(out),
        json_(json_options(options, draft)),
        paint_(options.color, out.is_terminal()) {}

  void end_request(const ConversationInfo& c, const Request& r, const Error& error) override {
    start();
    append_request_members(w_, options_.captures, c, r);
    heading(c, r.frame, "request", r.api, r.api_key, r.version, r.correlation_id);
    if (options_.format == Format::text && !r.client_id_null) heading_ += "  " + printable(r.client_id);
    Context& context = contexts_[c.number];
    body(r.frame, r.known && r.header_whole, r.api ? r.api->request : nullptr, r.version, r.body, context, {}, error);
    if (const BodyFacts f = facts_; f.inner_api_key >= 0 && r.answer_expected)
      context.inner[r.serial] = {f.inner_api_key, f.inner_version};
    finish();
  }

  void end_response(const ConversationInfo& c, const Response& r, const Error& error) override {
    start();
    append_response_members(w_, options_.captures, c, r);
    heading(c, r.frame, "response", r.api, r.api_key, r.request_version, r.correlation_id);
    if (options_.format == Format::text && r.matched)
      heading_ += r.timed() ? fmt::format("  to packet {}, {:.3f} ms", r.request_first.packet,
                                          static_cast<double>(r.latency_ns) / 1e6)
                            : fmt::format("  to packet {}", r.request_first.packet);
    Context& context = contexts_[c.number];
    std::pair<int, int> inner{-1, -1};
    if (auto it = context.inner.find(r.serial); r.matched && it != context.inner.end()) {
      inner = it->second;
      context.inner.erase(it);
    }
    if (r.matched) {
      body(r.frame, r.known && r.header_whole, r.api ? r.api->response : nullptr, r.version, r.body, context, inner,
           error);
    } else if (r.frame.error) {
      append_error_member(w_, r.frame.error);
    }
    finish();
  }

  void on_unanswered(const ConversationInfo& c, std::uint64_t serial) override {
    if (auto it = contexts_.find(c.number); it != contexts_.end()) it->second.inner.erase(serial);
  }

  void on_sasl(const ConversationInfo& c, const SaslToken& t) override {
    start();
    append_sasl_members(w_, options_.captures, c, t, options_.show_secrets);
    heading(c, t.frame.from, t.frame.first, t.frame.completed.time_ns,
            fmt::format("SASL token, {} bytes", t.frame.size));
    append_error_member(w_, t.frame.error);
    finish();
  }

  void on_gap(const ConversationInfo& c, const Gap& g) override {
    start();
    append_gap_members(w_, options_.captures, c, g);
    heading(c, g.from, g.at, g.at.time_ns,
            fmt::format("{} bytes {} at offset {}", g.bytes, g.cut ? "cut" : "lost", g.offset));
    finish();
  }

  void on_other(const ConversationInfo& c, Side from, std::string_view what, Stamp at) override {
    start();
    append_other_members(w_, options_.captures, c, from, what, at);
    heading(c, from, at, at.time_ns, other_text(c, what));
    finish();
  }

  void on_close(const ConversationInfo& c, Stamp) override { contexts_.erase(c.number); }

  /// A line was too large for the memory there is.
  [[nodiscard]] bool lost() const noexcept { return lost_; }

 private:
  /// What earlier frames of a conversation tell about later ones.
  struct Context {
    std::string protocol_type, protocol_name, mechanism;
    std::unordered_map<std::uint64_t, std::pair<int, int>>
        inner;  ///< of Envelope requests without an answer yet, by serial
  };

  void start() {
    w_.clear();
    w_.begin_object();
    facts_ = {};
  }

  /// For text: everything about a frame but its body, in one line.
  void heading(const ConversationInfo& c, Side from, const Stamp& first, std::int64_t time_ns, std::string_view what) {
    if (options_.format != Format::text) return;
    mark_ = w_.size();
    const bool up = from == Side::client;
    heading_ = fmt::format("packet {}  {}  conversation {}  {} > {}  ", first.packet, human_time(time_ns), c.number,
                           up ? c.client : c.server, up ? c.server : c.client);
    heading_ += printable(what);
  }
  void heading(const ConversationInfo& c, const Frame& f, std::string_view kind, const Api* api, int key, int version,
               int id) {
    if (options_.format != Format::text) return;
    const std::string name = api ? std::string(api->name) : key < 0 ? "of an unknown API" : fmt::format("API {}", key);
    heading(c, f.from, f.first, f.completed.time_ns,
            fmt::format("{} {}{} #{}  {} bytes", name, kind, version < 0 ? "" : fmt::format(" v{}", version), id,
                        f.size + 4ull));
  }

  void body(const Frame& frame, bool known, const Message* message, int version, Bytes bytes, Context& context,
            std::pair<int, int> inner, Error error) {
    if (known && message) {
      w_.key("body");
      const auto name = [](const void* with, const std::uint8_t* id) noexcept {
        return static_cast<const Cluster*>(with)->topic_name(id);
      };
      const BodyContext given{
          context.protocol_type, context.protocol_name, context.mechanism, inner.first, inner.second, name, &cluster_};
      const Error stopped = json_.body(w_, *message, version, bytes, given);
      error = frame.error;
      if (!error) {
        error = stopped;
      } else if (stopped) {
        error.node = stopped.node;
        error.offset = stopped.offset;
      }
      facts_ = json_.facts();
      if (!facts_.protocol_type.empty()) context.protocol_type = facts_.protocol_type;
      if (!facts_.protocol_name.empty()) context.protocol_name = facts_.protocol_name;
      if (!facts_.mechanism.empty()) context.mechanism = facts_.mechanism;
      notes();
    }
    append_error_member(w_, error);
  }

  void notes() {
    if (json_.notes().empty()) return;
    w_.key("notes");
    w_.begin_array();
    for (const Note& n : json_.notes()) write_note(w_, n);
    w_.end_array();
  }

  void finish() {
    w_.end_object();
    if (!w_.ok()) {
      lost_ = true;
      return;
    }
    if (options_.format == Format::text) {
      std::string_view rest = w_.view().substr(mark_);
      if (rest.starts_with(',')) rest.remove_prefix(1);
      text_ = paint_(Style::bold, heading_) + '\n';
      if (rest != "}") append_json_as_text(text_, fmt::format("{{{}", rest), 2, paint_);
      text_ += '\n';
      out_.write(text_);
    } else {
      w_.newline();
      out_.write(w_.view());
    }
    w_.shrink(1u << 20);
  }

  const CommonOptions& options_;
  const Cluster& cluster_;
  Output& out_;
  JsonWriter w_;
  JsonDump json_;
  BodyFacts facts_;
  Painter paint_;
  std::string heading_, text_;
  std::size_t mark_ = 0;
  bool lost_ = false;
  std::unordered_map<std::uint64_t, Context> contexts_;
};

class DumpCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "Every frame decoded to the last field",
            .examples =
                "kparse dump node1.pcap\n"
                "kparse dump --format ndjson --records batches *.pcap | jq 'select(.error)'\n"
                "kparse dump --api JoinGroup --client checkout node1.pcap",
            .formats = {Format::text, Format::ndjson},
            .takes = Takes::captures | Takes::values | Takes::secrets | Takes::records | Takes::headers};
  }

  int run(Context& context) override {
    HeaderSetup headers;
    if (const int wrong = headers.load(context)) return wrong;
    Cluster cluster;
    Dump dump(context.options, cluster, context.out, headers.decoder());
    const Summary summary = run_pipeline(context.options, context.options.captures, cluster, dump, Names::while_reading,
                                         context.diagnostics, &context.out);
    if (dump.lost()) {
      context.diagnostics.error("", "not enough memory: some lines are missing");
      return status_input;
    }
    return status_of(summary);
  }
};

}  // namespace

std::unique_ptr<Command> make_dump_command() { return std::make_unique<DumpCommand>(); }

}  // namespace kparse::cli
