// SPDX-License-Identifier: MIT
#include "commands/options.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <thread>

#include <fmt/format.h>
#include <CLI/App.hpp>

#include "commands/parse.h"
#include "kparse/draft_headers.h"
#include "kparse/schema.h"

namespace kparse::cli {
namespace {

constexpr const char* results = "Output";
constexpr const char* reading = "Captures";
constexpr const char* selecting = "What to look at";

template <class T>
struct Choice {
  std::string_view name;
  T value;
};

constexpr Choice<Format> formats_all[] = {
    {"text", Format::text}, {"json", Format::json}, {"ndjson", Format::ndjson}, {"csv", Format::csv},
    {"sarif", Format::sarif}, {"markdown", Format::markdown}};
constexpr Choice<BytesMode> bytes_modes[] = {
    {"auto", BytesMode::automatic}, {"base64", BytesMode::base64}, {"hex", BytesMode::hex}, {"none", BytesMode::none}};
constexpr Choice<NamesMode> names_modes[] = {{"first", NamesMode::first}, {"all", NamesMode::all}};
constexpr Choice<RecordsMode> records_modes[] = {
    {"none", RecordsMode::none}, {"batches", RecordsMode::batches}, {"full", RecordsMode::full}};
constexpr Choice<When> whens[] = {{"auto", When::automatic}, {"always", When::always}, {"never", When::never}};

template <class T>
std::string names_of(const std::vector<Choice<T>>& choices) {
  std::string names;
  for (const auto& choice : choices) names += fmt::format("{}{}", names.empty() ? "" : "|", choice.name);
  return names;
}

template <class T>
CLI::Option* add_choice(CLI::App& app, const std::string& flag, T& to, std::vector<Choice<T>> choices,
                        const std::string& help, const char* group) {
  const std::string names = names_of(choices);
  return app
      .add_option_function<std::string>(
          flag,
          [&to, choices = std::move(choices), names, flag](const std::string& text) {
            const auto choice =
                std::find_if(choices.begin(), choices.end(), [&](const auto& c) { return c.name == text; });
            if (choice == choices.end())
              throw CLI::ValidationError(flag, fmt::format("'{}' is none of {}", text, names));
            to = choice->value;
          },
          help)
      ->type_name(names)
      ->group(group);
}

/// An option whose text `parse` turns into a value; it returns false when it can't.
template <class Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& flag, const std::string& type, const std::string& wanted,
                        Parse parse, const std::string& help, const char* group) {
  return app
      .add_option_function<std::string>(
          flag,
          [parse, wanted, flag](const std::string& text) {
            if (!parse(text)) throw CLI::ValidationError(flag, fmt::format("'{}' is not {}", text, wanted));
          },
          help)
      ->type_name(type)
      ->group(group);
}

/// The same, any number of times.
template <class Parse>
CLI::Option* add_list(CLI::App& app, const std::string& flag, const std::string& type, const std::string& wanted,
                      Parse parse, const std::string& help, const char* group, bool commas) {
  auto* option = app.add_option_function<std::vector<std::string>>(
      flag,
      [parse, wanted, flag](const std::vector<std::string>& texts) {
        for (const auto& text : texts)
          if (!parse(text)) throw CLI::ValidationError(flag, fmt::format("'{}' is not {}", text, wanted));
      },
      help);
  // Without this the option would take the captures after it, too.
  option->allow_extra_args(false)->type_name(type)->group(group);
  if (commas) option->delimiter(',');
  return option;
}

void add_names(CLI::App& app, const std::string& flag, const std::string& type, std::vector<std::string>& to,
               const std::string& help, bool commas) {
  add_list(
      app, flag, type, "a name",
      [&to](const std::string& text) {
        to.push_back(text);
        return true;
      },
      help, selecting, commas);
}

/// Adds the name as Kafka writes it, whatever the case, or the former one; of a key that the tables don't have, the
/// key.
bool add_api(std::string_view text, std::vector<std::string>& to) {
  const auto same = [text](std::string_view name) {
    return std::equal(text.begin(), text.end(), name.begin(), name.end(),
                      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
  };
  for (const Api& api : apis()) {
    if (!same(api.name) && (api.former_name.empty() || !same(api.former_name)) && text != std::to_string(api.key))
      continue;
    to.emplace_back(api.name);
    return true;
  }
  int key = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), key);
  if (error != std::errc{} || end != text.data() + text.size() || key < 0 || key > 32767) return false;
  to.emplace_back(text);
  return true;
}

void add_output_options(CLI::App& app, CommonOptions& o, const std::vector<Format>& formats) {
  if (!formats.empty()) {
    std::vector<Choice<Format>> choices;
    for (const Format f : formats) choices.push_back({name_of(f), f});
    o.format = formats.front();
    add_choice(app, "--format", o.format, choices,
               fmt::format("How the result is written (default {})", name_of(formats.front())), results);
  }
  app.add_option("--output,-o", o.output, "Write to FILE instead of standard output: whole, or not at all")
      ->type_name("FILE")
      ->group(results);
  add_choice(app, "--color", o.color, {std::begin(whens), std::end(whens)}, "Colours in text (NO_COLOR is heeded)",
             results);
  app.add_flag("--quiet,-q", o.quiet, "Only errors on standard error")->group(results);
  app.add_flag("--verbose,-v", o.verbose, "More on standard error")->group(results);
}

void add_capture_options(CLI::App& app, CommonOptions& o) {
  app.add_option("CAPTURE", o.captures,
                 "pcap or pcapng files, also .gz and .zst; - is standard input. Several are one observation")
      ->type_name("");
  add_list(
      app, "--port", "PORTS", "a port or a range of ports (1 to 65535)",
      [&o](const std::string& text) { return parse_ports(text, o.ports); },
      "Look only at these TCP ports: 9092,19092-19094", reading, true);
  auto* only =
      app.add_flag("--port-only", o.port_only, "What is on --port is Kafka, whatever it looks like")->group(reading);
  only->needs(app.get_option("--port"));
  add_choice(app, "--names", o.names, {std::begin(names_modes), std::end(names_modes)},
             "all: read the captures twice, so that topic ids have their names from the start", reading);
  add_list(
      app, "--topic-id", "ID=NAME", "a topic id, '=' and a name",
      [&o](const std::string& text) {
        const auto equals = text.find('=');
        const auto id =
            equals == std::string::npos ? std::nullopt : parse_topic_id(std::string_view(text).substr(0, equals));
        if (!id || equals + 1 == text.size()) return false;
        o.topic_ids.push_back({*id, text.substr(equals + 1)});
        return true;
      },
      "The name of a topic id that the capture doesn't name", reading, false);
  add_list(
      app, "--keylog", "FILE", "the name of a file",
      [&o](const std::string& text) {
        o.key_logs.push_back(text);
        return !text.empty();
      },
      "Secrets that open TLS: an NSS key log; may be given again. Also SSLKEYLOGFILE, and blocks in pcapng files", reading,
      false);
  add_parsed(
      app, "--threads", "N", "a number from 0 to 1024",
      [&o](const std::string& text) {
        const auto n = parse_size(text);
        if (!n || *n > 1024) return false;
        o.threads = static_cast<unsigned>(*n);
        return true;
      },
      "Threads to work with at most (this version works with one); 0 = as many as there are processors", reading);
  add_choice(app, "--progress", o.progress, {std::begin(whens), std::end(whens)},
             "A bar on standard error; auto: on a terminal, when it takes over a second", reading);

  auto& f = o.filter;
  add_list(
      app, "--api", "API", "the name or key of an API (kparse schema has them)",
      [&f](const std::string& text) { return add_api(text, f.apis); }, "Only these APIs, by name or key", selecting,
      true);
  add_names(app, "--topic", "TOPIC", f.topics, "Only what concerns these topics, by name or id", true);
  add_names(app, "--group", "GROUP", f.groups, "Only what concerns this group; may be given again", false);
  add_names(app, "--client", "ID", f.clients, "Only what this client id sent, and the answers; may be given again",
            false);
  add_names(app, "--host", "HOST", f.hosts, "Only conversations with this address, ip or ip:port, on either side",
            true);
  add_list(
      app, "--conversation", "N", "the number of a conversation",
      [&f](const std::string& text) {
        const auto n = parse_size(text);
        if (n) f.conversations.push_back(*n);
        return n.has_value();
      },
      "Only these conversations, by number", selecting, true);
  const auto add_time = [&](const char* flag, std::optional<std::int64_t>& to, const char* help) {
    add_parsed(
        app, flag, "TIME", "a time (2024-05-01T12:00:00Z, or seconds since 1970)",
        [&to](const std::string& text) {
          to = parse_time(text);
          return to.has_value();
        },
        help, selecting);
  };
  add_time("--from", o.from_ns,
           "Only frames that were complete at this time or later: 2024-05-01T12:00:00Z, or seconds since 1970");
  add_time("--to", o.to_ns, "Only frames that were complete up to this time");
  app.add_option("--filter", o.packet_filter, "Only packets that this pcap-filter(7) expression lets through")
      ->type_name("BPF")
      ->group(selecting);
}

void add_limit_options(CLI::App& app, CommonOptions& o) {
  add_parsed(
      app, "--max-batch", "SIZE", "a size (4096, 64K, 256M, 1G)",
      [&o](const std::string& text) {
        const auto size = parse_size(text);
        if (size) o.max_batch = *size;
        return size.has_value();
      },
      "Largest uncompressed record batch that is opened (default 256M)", results);
  add_parsed(
      app, "--max-ratio", "N", "a positive number",
      [&o](const std::string& text) {
        const auto n = parse_size(text);
        if (!n || *n == 0 || *n > std::numeric_limits<std::uint32_t>::max()) return false;
        o.max_ratio = static_cast<std::uint32_t>(*n);
        return true;
      },
      "Largest compression ratio that is believed (default 2000)", results);
}

void add_header_options(CLI::App& app, CommonOptions& o, bool drafts) {
  if (drafts) {
    std::vector<Choice<std::string>> profiles;
    for (const DraftProfileInfo& p : draft_profiles()) profiles.push_back({p.name, std::string(p.name)});
    add_choice(app, "--draft-headers", o.draft_headers, std::move(profiles),
               "Read messages of KIP-82's drafts, which no release wrote (kparse headers tells the profiles)", results)
        ->type_name("PROFILE");
  }
  app.add_option("--header-register", o.header_register, "Names of header keys and kinds of header names, from FILE")
      ->type_name("FILE")
      ->group(results);
}

}  // namespace

std::string_view name_of(Format format) noexcept {
  for (const auto& choice : formats_all)
    if (choice.value == format) return choice.name;
  return "";
}

void add_common_options(CLI::App& app, CommonOptions& options, Takes takes, const std::vector<Format>& formats) {
  add_output_options(app, options, formats);
  if (takes & Takes::bytes)
    add_choice(app, "--bytes", options.bytes, {std::begin(bytes_modes), std::end(bytes_modes)},
               "How keys, values and header values are shown", results);
  if (takes & Takes::limits) add_limit_options(app, options);
  if (takes & Takes::register_file) add_header_options(app, options, takes & Takes::drafts);
  if (takes & Takes::records)
    add_choice(app, "--records", options.records, {std::begin(records_modes), std::end(records_modes)},
               "How much of record batches is shown (default full)", results);
  if (takes & Takes::secrets)
    add_parsed(
        app, "--secrets", "show", "'show'",
        [&options](const std::string& text) { return options.show_secrets = text == "show"; },
        "Show passwords, tokens and keys, which are redacted otherwise", results);
  if (takes & Takes::captures) add_capture_options(app, options);
  if (takes & Takes::separate)
    app.add_flag("--separate", options.separate, "Each capture is an observation of its own");
}

}  // namespace kparse::cli
