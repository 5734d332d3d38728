// SPDX-License-Identifier: MIT
#include <algorithm>

#include "output/human.h"
#include "trace/trace_observer.h"
#include "trace/trace_out.h"

namespace kparse::trace {
namespace {

void actor(JsonWriter& json, const Actor& a) {
  story::text_or_null(json, "group", a.group);
  json.key("client");
  a.who.client_id_null ? json.null() : static_cast<void>(json.string(a.who.client_id));
  story::text_or_null(json, "host", a.who.address);
}

void way(JsonWriter& json, const TraceSeen& seen, const Show& show, const Way& w, std::int64_t mark) {
  json.begin_object();
  story::topic(json, seen.names.label(w.partition.topic));
  story::number(json, "partition", w.partition.partition);
  story::number(json, "offset", w.offset);
  if (mark >= 0) story::text(json, "mark", seen.marks[static_cast<std::size_t>(mark)]);
  json.key("produced");
  if (w.written) {
    const Written& x = *w.written;
    json.begin_object();
    const Actor& a = seen.actors[x.actor];
    json.key("client");
    a.who.client_id_null ? json.null() : static_cast<void>(json.string(a.who.client_id));
    story::text_or_null(json, "host", a.who.address);
    story::place(json, x.first, x.at, show.captures);
    story::milliseconds(json, "answeredMs",
                        x.answered_ns < 0 ? -1 : std::max<std::int64_t>(0, x.answered_ns - x.at.time_ns));
    if (!x.whole) {
      json.key("complete");
      json.boolean(false);
    }
    json.end_object();
  } else {
    json.null();
  }
  json.key("fetched");
  json.begin_array();
  for (const Read* r : w.read) {
    json.begin_object();
    actor(json, seen.actors[r->actor]);
    story::place(json, r->first, r->at, show.captures);
    json.key("delayMs");
    w.written&& w.written->whole && r->whole
        ? json.float64(static_cast<double>(r->at.time_ns - w.written->at.time_ns) / 1e6)
        : json.null();
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void delays(JsonWriter& json, const TraceSeen& seen) {
  json.key("delays");
  json.begin_array();
  for (const Delay& d : seen.delays) {
    json.begin_object();
    story::topic(json, seen.names.label(d.topic));
    actor(json, seen.actors[d.actor]);
    json.key("records");
    json.unsigned_integer(d.records);
    json.key("matched");
    json.unsigned_integer(d.matched);
    json.key("delayMs");
    json.begin_object();
    const auto member = [&](std::string_view name, double ns) {
      json.key(name);
      d.ns.count() == 0 ? json.null() : json.float64(ns / 1e6);
    };
    member("p50", static_cast<double>(d.ns.percentile(50)));
    member("p90", static_cast<double>(d.ns.percentile(90)));
    member("p99", static_cast<double>(d.ns.percentile(99)));
    member("max", static_cast<double>(d.ns.max()));
    member("mean", d.ns.mean());
    json.end_object();
    json.end_object();
  }
  json.end_array();
}

void topics(JsonWriter& json, const TraceSeen& seen) {
  json.key("topics");
  json.begin_array();
  for (const auto& [n, t] : seen.topics) {
    json.begin_object();
    story::topic(json, seen.names.label(n));
    const auto side = [&](std::string_view name, const TopicShare::Side& s) {
      json.key(name);
      json.begin_object();
      json.key("records");
      json.unsigned_integer(s.records);
      json.key("withTraceContext");
      json.unsigned_integer(s.with_context);
      json.key("validTraceContext");
      json.unsigned_integer(s.valid);
      json.end_object();
    };
    side("produced", t.written);
    side("fetched", t.read);
    const TopicShare::Side& s = t.written.records > 0 ? t.written : t.read;
    json.key("validShare");
    s.records == 0 ? json.null() : json.float64(static_cast<double>(s.valid) / static_cast<double>(s.records));
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void write_trace(cli::Output& out, const TraceSeen& seen, const Show& show) {
  JsonWriter json;
  out.write(",\"trace\":[");
  bool first = true;
  const std::uint64_t left_out = each_listed(seen, show, [&](const Way& w, std::int64_t mark) {
    json.clear();
    way(json, seen, show, w, mark);
    if (!first) out.write(",\n");
    first = false;
    out.write(json.view());
  });
  out.write("]");
  json.clear();
  json.begin_object();
  delays(json, seen);
  topics(json, seen);
  story::number(json, "withoutOffset", static_cast<std::int64_t>(seen.without_offset));
  story::number(json, "refused", static_cast<std::int64_t>(seen.failed));
  std::vector<story::Limit> limits = seen.limits;
  limits.push_back({"records listed", show.most, left_out});
  story::limits(json, limits);
  json.end_object();
  out.write(",");
  out.write(json.view().substr(1));
}

}  // namespace kparse::trace
