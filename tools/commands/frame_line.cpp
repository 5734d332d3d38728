// SPDX-License-Identifier: MIT
#include "commands/frame_line.h"

#include "output/human.h"

namespace kparse::cli {
namespace {

const std::string& file_of(const std::vector<std::string>& captures, Stamp s) {
  static const std::string none;
  return s.file < captures.size() ? captures[s.file] : none;
}

void append_place(JsonWriter& w, const std::vector<std::string>& captures, const ConversationInfo& c, std::string_view kind,
                  Stamp first, Stamp last, std::int64_t time_ns) {
  w.key("kind");
  w.string(kind);
  w.key("capture");
  w.string(file_of(captures, first));
  w.key("packet");
  w.unsigned_integer(first.packet);
  w.key("lastPacket");
  w.unsigned_integer(last.packet);
  if (last.file != first.file) {
    w.key("lastCapture");
    w.string(file_of(captures, last));
  }
  w.key("time");
  w.string(rfc3339(time_ns));
  w.key("conversation");
  w.unsigned_integer(c.number);
  w.key("client");
  w.string(c.client);
  w.key("server");
  w.string(c.server);
  if (!c.proxied.empty()) {
    w.key("proxied");
    w.string(c.proxied);
  }
  if (c.role_guessed) {
    w.key("roleGuessed");
    w.boolean(true);
  }
}

void append_offset(JsonWriter& w, std::uint64_t offset, std::uint64_t size, bool exact) {
  w.key("offset");
  w.unsigned_integer(offset);
  if (!exact) {
    w.key("offsetExact");
    w.boolean(false);
  }
  w.key("size");
  w.unsigned_integer(size);
}

void append_frame(JsonWriter& w, const std::vector<std::string>& captures, const ConversationInfo& c, std::string_view kind,
                  const Frame& f) {
  append_place(w, captures, c, kind, f.first, f.last, f.completed.time_ns);
  append_offset(w, f.offset, f.size, f.offset_exact);
}

void append_api(JsonWriter& w, const Api* api, std::int16_t key, std::int16_t version, std::int32_t correlation_id) {
  w.key("apiKey");
  w.integer(key);
  w.key("api");
  if (api) {
    w.string(api->name);
  } else {
    w.null();
  }
  w.key("version");
  w.integer(version);
  w.key("correlationId");
  w.integer(correlation_id);
}

void append_text(JsonWriter& w, const char* key, std::string_view text) {
  w.key(key);
  if (text.empty()) {
    w.null();
  } else {
    w.string(text);
  }
}

void append_names(JsonWriter& w, const char* key, const std::vector<std::string>& names) {
  if (names.empty()) return;
  w.key(key);
  w.begin_array();
  for (const std::string& name : names) w.string(name);
  w.end_array();
}

void append_tls(JsonWriter& w, const TlsInfo& t) {
  w.key("tls");
  w.begin_object();
  append_text(w, "version", tls_version_text(t.version));
  append_text(w, "cipher", t.version == 0 ? std::string() : tls_suite_text(t.suite));
  append_text(w, "alpn", t.alpn);
  append_text(w, "sni", t.sni);
  w.key("resumed");
  if (t.resumed) {
    w.boolean(*t.resumed);
  } else {
    w.null();
  }
  append_text(w, "ja3", t.fingerprint);
  append_names(w, "certificate", t.certificate);
  append_names(w, "clientCertificate", t.client_certificate);
  if (!t.alert.empty()) {
    w.key("alert");
    w.string(t.alert);
    w.key("alertFrom");
    w.string(name_of(t.alert_from_server ? Side::server : Side::client));
  }
  if (!t.opened() && t.why() != TlsSealed::no) {
    w.key("sealed");
    w.string(name_of(t.why()));
  }
  w.end_object();
}

}  // namespace

void append_request_members(JsonWriter& w, const std::vector<std::string>& captures, const ConversationInfo& c,
                            const Request& r) {
  append_frame(w, captures, c, "request", r.frame);
  append_api(w, r.api, r.api_key, r.version, r.correlation_id);
  w.key("clientId");
  if (r.client_id_null) {
    w.null();
  } else {
    w.string(r.client_id);
  }
  w.key("headerVersion");
  w.integer(r.header_version);
}

void append_response_members(JsonWriter& w, const std::vector<std::string>& captures, const ConversationInfo& c,
                             const Response& r) {
  append_frame(w, captures, c, "response", r.frame);
  if (r.matched) {
    append_api(w, r.api, r.api_key, r.request_version, r.correlation_id);
    w.key("headerVersion");
    w.integer(r.header_version);
    w.key("requestPacket");
    w.unsigned_integer(r.request_first.packet);
    if (r.request_first.file != r.frame.first.file) {
      w.key("requestCapture");
      w.string(file_of(captures, r.request_first));
    }
    w.key("latencyNs");
    w.integer(r.latency_ns);
    return;
  }
  for (const char* unknown : {"apiKey", "api", "version"}) {
    w.key(unknown);
    w.null();
  }
  w.key("correlationId");
  w.integer(r.correlation_id);
  w.key("headerVersion");
  w.null();
  w.key("requestPacket");
  w.null();
  w.key("latencyNs");
  w.null();
  if (r.guess >= 0) {
    w.key("guess");
    if (const Api* api = find_api(r.guess)) {
      w.string(api->name);
    } else {
      w.integer(r.guess);
    }
  }
}

void append_sasl_members(JsonWriter& w, const std::vector<std::string>& captures, const ConversationInfo& c,
                         const SaslToken& t, bool show_secrets) {
  append_frame(w, captures, c, "sasl", t.frame);
  w.key("from");
  w.string(name_of(t.frame.from));
  w.key("mechanism");
  if (t.mechanism.empty()) {
    w.null();
  } else {
    w.string(t.mechanism);
  }
  w.key("token");
  if (show_secrets) {
    w.base64(t.frame.data);
  } else {
    w.string("(redacted)");
  }
}

void append_gap_members(JsonWriter& w, const std::vector<std::string>& captures, const ConversationInfo& c, const Gap& g) {
  append_place(w, captures, c, "gap", g.at, g.at, g.at.time_ns);
  append_offset(w, g.offset, 0, true);
  w.key("from");
  w.string(name_of(g.from));
  w.key("bytes");
  w.unsigned_integer(g.bytes);
  w.key("cut");
  w.boolean(g.cut);
}

void append_other_members(JsonWriter& w, const std::vector<std::string>& captures, const ConversationInfo& c, Side from,
                          std::string_view what, Stamp at) {
  append_place(w, captures, c, "other", at, at, at.time_ns);
  append_offset(w, 0, 0, true);
  w.key("from");
  w.string(name_of(from));
  w.key("what");
  w.string(what);
  if (what == "TLS") {
    w.key("decrypted");
    w.boolean(c.tls != nullptr && c.tls->opened());
    if (c.tls != nullptr) append_tls(w, *c.tls);
  }
}

std::string other_text(const ConversationInfo& c, std::string_view what) {
  const TlsInfo* t = what == "TLS" ? c.tls : nullptr;
  if (t == nullptr) return "not Kafka: " + std::string(what);
  std::string text = t->version == 0 ? "TLS" : tls_version_text(t->version) + ", " + tls_suite_text(t->suite);
  if (t->opened()) return text + ", opened";
  text += ", closed";
  return t->why() == TlsSealed::no ? text : text + ": " + std::string(reason_of(t->why()));
}

void append_error_member(JsonWriter& w, const Error& e) {
  if (!e) return;
  w.key("error");
  write_error(w, e);
}

std::string_view name_of(Side s) noexcept { return s == Side::client ? "client" : "server"; }

}  // namespace kparse::cli
