// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "commands/batch.h"
#include "commands/encode_command.h"
#include "commands/message_name.h"

namespace kparse::cli {
namespace {

std::string path(const FieldPlace& place) {
  char buffer[512];
  return std::string(path_of(place, buffer));
}

}  // namespace

std::string JobEncoder::run(const EncodeJob& job, const rapidjson::Value& json, Writer& out) {
  error_ = {};
  notes_.clear();
  const Message* m = nullptr;
  if (std::string wrong = resolve_message(job.name, job.version, m); !wrong.empty()) return wrong;
  if (job.header || job.frame) return with_header(job, *m, json, out);
  part(*m, job.version, json, out);
  return "";
}

bool JobEncoder::part(const Message& m, int version, const rapidjson::Value& json, Writer& out) {
  error_ = encoder_.message(m, version, JsonSource::value(json), out);
  for (const Ignored& i : encoder_.ignored()) {
    std::string field = path(i.place);
    if (i.known) {
      notes_.push_back(
          {"notInVersion", std::move(field), fmt::format("left out: version {} does not have it", version)});
    } else {
      notes_.push_back({"unknownMember", fmt::format("{}{}{}", field, field.empty() ? "" : ".", i.name),
                        fmt::format("left out: {} has no such field", m.name)});
    }
  }
  if (const auto more = encoder_.all_ignored() - encoder_.ignored().size(); more > 0)
    notes_.push_back({"unknownMember", "", fmt::format("{} more members were left out", more)});
  return !error_;
}

std::string JobEncoder::with_header(const EncodeJob& job, const Message& m, const rapidjson::Value& json, Writer& out) {
  HeaderOf of;
  if (std::string wrong = resolve_header(m, job.version, of); !wrong.empty()) return wrong;
  if (!json.IsObject() || !json.HasMember("header") || !json.HasMember("body"))
    return "with a header the JSON is {\"header\":{...},\"body\":{...}}";
  int header_version = of.version;
  if (std::string wrong = take_number(json, "headerVersion", header_version); !wrong.empty()) return wrong;
  if (header_version != of.version)
    return fmt::format("'headerVersion' is {}, but {} version {} has header version {}", header_version, m.name,
                       job.version, of.version);

  const std::size_t before = out.size();
  const std::size_t begun = job.frame ? begin_frame(out) : before;
  const std::size_t header_at = out.size();
  const Message& header = *find_message(of.request ? "RequestHeader" : "ResponseHeader");
  std::string wrong;
  bool whole = part(header, of.version, json["header"], out);
  if (whole && of.request) {
    const std::uint8_t* h = out.view().data() + header_at;
    const auto key = load_be<std::int16_t>(h), version = load_be<std::int16_t>(h + 2);
    if (key != m.api_key || version != job.version)
      wrong = fmt::format("the header says API {} version {}, not {} version {}", key, version, m.api_key, job.version);
  }
  whole = whole && wrong.empty() && part(m, job.version, json["body"], out);
  if (whole && job.frame && !end_frame(out, begun)) wrong = "a frame can't have more than 2147483647 bytes";
  if (!whole || !wrong.empty()) out.truncate(before);
  return wrong;
}

}  // namespace kparse::cli
