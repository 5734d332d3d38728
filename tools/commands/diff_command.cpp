// SPDX-License-Identifier: MIT
// kparse diff: what changed between two captures or reports.
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <CLI/App.hpp>

#include "commands/command.h"
#include "commands/json_document.h"
#include "diff/diff_out.h"
#include "pipeline/pipeline.h"
#include "report/report.h"

namespace kparse::cli {
namespace {

/// The whole file where it is JSON ("" otherwise): captures begin with no brace.
std::string json_of(const std::string& name) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"), std::fclose);
  std::string text;
  if (!file) return text;
  char buffer[65536];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file.get())) > 0;) {
    if (text.empty()) {
      const auto first = std::string_view(buffer, n).find_first_not_of(" \t\r\n");
      if (first == std::string_view::npos || buffer[first] != '{') return {};
    }
    text.append(buffer, n);
  }
  return text;
}

class DiffCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "What changed between two captures, or two reports (report --format json)",
            .examples =
                "  kparse diff before.pcap after.pcap\n"
                "  kparse diff java-client.pcap my-client.pcap --significance medium\n"
                "  kparse diff monday.json tuesday.json --format json | jq '.diff[] | select(.what == \"error\")'\n",
            .formats = {Format::text, Format::json},
            .takes = Takes::captures | Takes::limits};
  }

  void add_options(CLI::App& app) override {
    app.add_option("--significance", least_, "Leave out what is below: low|medium|high (default low)")
        ->type_name("low|medium|high")
        ->group("Output");
  }

  int run(Context& context) override {
    diff::Significance least = diff::Significance::low;
    if (least_ == "medium") {
      least = diff::Significance::medium;
    } else if (least_ == "high") {
      least = diff::Significance::high;
    } else if (least_ != "low") {
      return usage_error(context, "diff", fmt::format("--significance: '{}' is none of low|medium|high", least_));
    }
    const auto& names = context.options.captures;
    if (names.size() != 2) return usage_error(context, "diff", "two captures or reports are compared: OLD NEW");
    diff::Side sides[2];
    for (int i = 0; i < 2; ++i) {
      if (names[i] == "-")
        return usage_error(context, "diff", "standard input can't be compared: it would have to be read twice");
      if (const int status = read(context, names[i], sides[i]); status != status_done) return status;
    }
    auto all = diff::compare(sides[0], sides[1]);
    std::erase_if(all, [least](const diff::Difference& d) { return d.significance < least; });
    if (context.options.format == Format::json) {
      write_document(context.out, [&](JsonWriter& json) { diff::write_diff(json, all); });
    } else {
      const Painter paint(context.options.color, context.out.is_terminal());
      diff::print_diff(context.out, paint, all, sides[0].profile && sides[1].profile);
    }
    return all.empty() ? status_done : status_findings;
  }

 private:
  static int read(Context& context, const std::string& name, diff::Side& to) {
    std::string text = json_of(name);
    if (text.empty()) {
      Cluster cluster;
      report::ReportObserver observer({.max_batch = context.options.max_batch, .max_ratio = context.options.max_ratio});
      const Summary summary =
          run_pipeline(context.options, {name}, cluster, observer, Names::at_the_end, context.diagnostics);
      if (const int status = status_of(summary); status != status_done) return status;
      const report::ReportData data = observer.finish();
      JsonWriter json;
      json.begin_object();
      report::write_report(json, report::Report(data, cluster, summary));
      json.end_object();
      text = json.view();

      CommonOptions quiet = context.options;
      quiet.quiet = true;
      quiet.progress = When::never;
      Diagnostics said_already;
      said_already.set_quiet(true);
      Cluster again;
      diff::ProfileObserver profile;
      (void)run_pipeline(quiet, {name}, again, profile, Names::at_the_end, said_already);
      to.profile = profile.finish();
    }
    to.report.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
    if (!to.report.HasParseError() && to.report.IsObject() && to.report.HasMember("apis")) return status_done;
    context.diagnostics.error(name, to.report.HasParseError()
                                        ? fmt::format("not JSON at byte {}: {}", to.report.GetErrorOffset(),
                                                      rapidjson::GetParseError_En(to.report.GetParseError()))
                                        : std::string("neither a capture nor a report (report --format json)"));
    return status_input;
  }

  std::string least_ = "low";
};

}  // namespace

std::unique_ptr<Command> make_diff_command() { return std::make_unique<DiffCommand>(); }

}  // namespace kparse::cli
