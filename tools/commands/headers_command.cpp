// SPDX-License-Identifier: MIT
// kparse headers: header names and wrappers that are recognised, with their rules; the register of integer keys.
#include <fmt/format.h>
#include <CLI/App.hpp>

#include "commands/command.h"
#include "commands/header_setup.h"
#include "kparse/carriers.h"
#include "kparse/json.h"
#include "output/table.h"
#include "output/text.h"
#include "output/version.h"

namespace kparse::cli {
namespace {

void member(JsonWriter& w, std::string_view name, std::string_view value) {
  w.key(name);
  (void)w.string(value);
}

void begin_list(JsonWriter& w, std::string_view name) {
  w.key(name);
  w.begin_array();
}

std::string where_of(const CarrierInfo& c) { return c.in_value ? "value" : "headers"; }

std::string text_of_scheme(const KeyRange& r, std::int64_t key) {
  return r.scheme == KeyScheme::classes ? fmt::format("0x{:08x}", key) : std::to_string(key);
}

class HeadersCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "Header names and wrappers that are recognised; the key register",
            .examples =
                "  kparse headers\n"
                "  kparse headers --register\n"
                "  kparse headers --register --header-register ours.txt\n"
                "\n"
                "  a register file has lines like:\n"
                "    key     4711      acme.tenant  whom a message belongs to   # an integer key of the drafts\n"
                "    header  x-acme-*  acme         our gateway's               # the kind of header names\n",
            .formats = {Format::text, Format::json},
            .takes = Takes::register_file};
  }

  void add_options(CLI::App& app) override {
    app.add_flag("--register", register_, "The register of integer keys that KIP-82's drafts had, and your own");
  }

  int run(Context& context) override {
    HeaderSetup headers;
    if (const int wrong = headers.load(context)) return wrong;
    if (context.options.format == Format::json) {
      JsonWriter w;
      w.begin_object();
      w.key("schemaVersion");
      w.integer(schema_version);
      register_ ? write_register(w, headers.names) : write_conventions(w, headers.names);
      w.end_object();
      w.newline();
      context.out.write(w.view());
      return status_done;
    }
    const Painter paint(context.options.color, context.out.is_terminal());
    register_ ? print_register(context.out, paint, headers.names)
              : print_conventions(context.out, paint, headers.names);
    return status_done;
  }

 private:
  static void write_user_headers(JsonWriter& w, const HeaderRegister& names) {
    for (const auto& h : names.headers()) {
      w.begin_object();
      member(w, "name", h.pattern);
      member(w, "kind", h.kind);
      member(w, "about", h.about);
      w.key("yours");
      w.boolean(true);
      w.end_object();
    }
  }

  static void write_conventions(JsonWriter& w, const HeaderRegister& names) {
    begin_list(w, "headers");
    write_user_headers(w, names);
    for (const HeaderConvention& c : header_conventions()) {
      w.begin_object();
      member(w, "name", c.pattern);
      member(w, "kind", name_of(c.carrier));
      w.end_object();
    }
    w.end_array();
    begin_list(w, "carriers");
    for (const CarrierInfo& c : carriers()) {
      w.begin_object();
      member(w, "kind", c.name);
      member(w, "title", c.title.empty() ? c.name : c.title);
      member(w, "where", where_of(c));
      member(w, "confidence", name_of(c.confidence));
      member(w, "rule", c.rule);
      w.end_object();
    }
    w.end_array();
    begin_list(w, "draftProfiles");
    for (const DraftProfileInfo& p : draft_profiles()) {
      w.begin_object();
      member(w, "profile", p.name);
      member(w, "about", p.about);
      w.end_object();
    }
    w.end_array();
  }

  static void write_register(JsonWriter& w, const HeaderRegister& names) {
    begin_list(w, "ranges");
    for (const KeyRange& r : key_ranges()) {
      w.begin_object();
      member(w, "scheme", name_of(r.scheme));
      w.key("first");
      w.integer(r.first);
      w.key("last");
      w.integer(r.last);
      member(w, "what", r.what);
      w.end_object();
    }
    w.end_array();
    begin_list(w, "keys");
    for (const auto& [keys, yours] : {std::pair{names.keys(), true}, {sample_keys(), false}}) {
      for (const RegisteredKey& k : keys) {
        w.begin_object();
        w.key("key");
        w.integer(k.key);
        member(w, "name", k.name);
        begin_list(w, "schemes");
        if (k.in_signs) (void)w.string(name_of(KeyScheme::signs));
        if (k.in_classes) (void)w.string(name_of(KeyScheme::classes));
        w.end_array();
        if (!k.by.empty()) member(w, "by", k.by);
        member(w, "about", k.about);
        w.key("yours");
        w.boolean(yours);
        w.end_object();
      }
    }
    w.end_array();
    begin_list(w, "headers");
    write_user_headers(w, names);
    w.end_array();
  }

  static void print_conventions(Output& out, const Painter& paint, const HeaderRegister& names) {
    out.print("{}\n", paint(Style::bold, "Header names"));
    Table headers({{"name"}, {"kind"}, {"what"}});
    for (const auto& h : names.headers()) headers.row({printable(h.pattern), printable(h.kind), printable(h.about)});
    for (const HeaderConvention& c : header_conventions())
      headers.row({std::string(c.pattern), std::string(name_of(c.carrier)), std::string(info_of(c.carrier).title)});
    headers.print(out, paint);
    out.print("\n{}\n", paint(Style::bold, "What records are recognised by"));
    Table rules({{"kind"}, {"where"}, {"one record is"}, {"what must hold"}});
    for (const CarrierInfo& c : carriers())
      rules.row({std::string(c.name), where_of(c), std::string(name_of(c.confidence)), std::string(c.rule)});
    rules.print(out, paint);
    out.print("\n{}\n", paint(Style::bold, "Drafts of KIP-82, for --draft-headers"));
    Table profiles({{"profile"}, {"what"}});
    for (const DraftProfileInfo& p : draft_profiles()) profiles.row({std::string(p.name), std::string(p.about)});
    profiles.print(out, paint);
  }

  static void print_register(Output& out, const Painter& paint, const HeaderRegister& names) {
    for (const KeyScheme scheme : {KeyScheme::signs, KeyScheme::classes}) {
      out.print("{}\n",
                paint(Style::bold, scheme == KeyScheme::signs ? "Ranges of integer keys, to version 29 of KIP-82"
                                                              : "Ranges since version 30, by hexadecimal classes"));
      Table ranges({{"first", Align::right}, {"last", Align::right}, {"what"}});
      for (const KeyRange& r : key_ranges()) {
        if (r.scheme == scheme)
          ranges.row({text_of_scheme(r, r.first), text_of_scheme(r, r.last), std::string(r.what)});
      }
      ranges.print(out, paint);
      out.write('\n');
    }
    out.print("{}\n", paint(Style::bold, "Keys"));
    Table keys({{"key", Align::right}, {"name"}, {"by"}, {"range"}, {"about"}});
    for (const RegisteredKey& k : names.keys())
      keys.row({std::to_string(k.key), printable(k.name), "your file", "", printable(k.about)});
    for (const RegisteredKey& k : sample_keys()) {
      const KeyScheme scheme = k.in_signs ? KeyScheme::signs : KeyScheme::classes;
      keys.row({std::to_string(k.key), std::string(k.name), std::string(k.by), std::string(range_of(k.key, scheme)),
                std::string(k.about)});
    }
    keys.print(out, paint);
    if (names.headers().empty()) return;
    out.print("\n{}\n", paint(Style::bold, "Header names of your file"));
    Table headers({{"name"}, {"kind"}, {"about"}});
    for (const auto& h : names.headers()) headers.row({printable(h.pattern), printable(h.kind), printable(h.about)});
    headers.print(out, paint);
  }

  bool register_ = false;
};

}  // namespace

std::unique_ptr<Command> make_headers_command() { return std::make_unique<HeadersCommand>(); }

}  // namespace kparse::cli
