// SPDX-License-Identifier: MIT
#include <utility>

#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class HdrSpringQuoted final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  bool wants_header(std::string_view name) override { return name == "spring_json_header_types"; }
  void on_header(const RecordsSeen&, const Batch&, const HeaderSeen& h) override { types_ = text(h.header.value); }
  void end_record(const RecordsSeen& r, const Batch&, const Record& record) override {
    const std::string_view types = std::exchange(types_, {});
    if (types.empty()) return;
    HeaderReader reader(record);
    RecordHeader h;
    for (int looked_at = 0; looked_at < 64 && reader.next(h);) {
      const std::string_view value = text(h.value);
      const bool quoted = is_quoted(value);
      if (!quoted && !is_list(value)) continue;
      ++looked_at;
      if (!is_string(types, h.name)) continue;
      found(
          r,
          [&](Text& t, const Partition& at) {
            t << Quoted{at.topic} << ": header \"" << Quoted{h.name} << "\" has a value "
              << (quoted ? "in JSON quotes." : "that is a list of its bytes in decimal.");
          },
          1, h.name);
    }
  }

 private:
  static bool is_quoted(std::string_view v) noexcept { return v.size() >= 2 && v.front() == '"' && v.back() == '"'; }
  /// "65,66,67"
  static bool is_list(std::string_view v) noexcept {
    return v.size() >= 3 && v.find(',') != v.npos && v.front() != ',' && v.back() != ',' &&
           v.find_first_not_of("0123456789,") == v.npos && v.find(",,") == v.npos;
  }
  /// Does the JSON object say so? Blanks count for nothing.
  static bool is_string(std::string_view types, std::string_view name) noexcept {
    for (std::size_t at = types.find(name); !name.empty() && at != types.npos; at = types.find(name, at + 1)) {
      std::string_view rest = types.substr(at + name.size());
      if (at == 0 || types[at - 1] != '"' || !take(rest, "\"") || !take(rest, ":") || !take(rest, "\"")) continue;
      return rest.starts_with("java.lang.String\"");
    }
    return false;
  }
  static bool take(std::string_view& rest, std::string_view what) noexcept {
    while (rest.starts_with(' ') && what != "\"") rest.remove_prefix(1);
    if (!rest.starts_with(what)) return false;
    rest.remove_prefix(what.size());
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    return true;
  }

  std::string_view types_;
};

}  // namespace

KPARSE_RULE(kp_hdr_spring_quoted, HdrSpringQuoted, .id = "KP-HDR-SPRING-QUOTED", .severity = Severity::notice,
            .scope = RuleScope::topic,
            .condition =
                "A header that spring_json_header_types lists as java.lang.String has a value in JSON "
                "quotes, or one like \"65,66,67\".",
            .why = "Other readers see the quotes; trace ids don't match.",
            .fix = "Let Spring map it as a raw header (setRawMappedHeaders).",
            .example = "orders: header \"kind\" has a value in JSON quotes.",
            .sources = "spring-kafka#1013; spring-kafka#1346; brave#829", .healthy = true);

}  // namespace kparse::lint
