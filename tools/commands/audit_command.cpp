// SPDX-License-Identifier: MIT
// kparse audit: which clients break on a broker upgrade.
#include <memory>
#include <optional>
#include <string>

#include <CLI/App.hpp>
#include <fmt/format.h>

#include "audit/audit.h"
#include "audit/audit_observer.h"
#include "commands/command.h"
#include "commands/json_document.h"
#include "commands/lint_setup.h"
#include "kparse/releases.h"
#include "pipeline/pipeline.h"

namespace kparse::cli {
namespace {

std::int64_t span_of(const Summary& summary) {
  std::int64_t first = 0, last = -1;
  for (const capture::FileInfo& file : summary.inputs) {
    if (!file.first_time || !file.last_time) continue;
    if (last < 0 || *file.first_time < first) first = *file.first_time;
    if (last < 0 || *file.last_time > last) last = *file.last_time;
  }
  return last < 0 ? -1 : last - first;
}

class AuditCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "Which clients break on a broker upgrade (KIP-896), and what to do",
            .examples =
                "  kparse audit *.pcap                      against Kafka 4.4\n"
                "  kparse audit --target 4.0 --fail-on refused day.pcap.zst\n"
                "  kparse audit --target 3.0 new-clients.pcap     the other way round: new clients, old brokers\n"
                "  kparse audit --format csv --output clients.csv *.pcap\n"
                "  kparse audit --format json *.pcap | jq '.clients[] | select(.verdict == \"refused\") | [.clientId, .fix]'\n",
            .formats = {Format::text, Format::json, Format::csv},
            .takes = Takes::captures};
  }

  void add_options(CLI::App& app) override {
    app.add_option("--target", target_, "The release that the brokers are to be (default: the newest that is known)")
        ->type_name("RELEASE")
        ->group("Upgrade");
    app.add_option("--fail-on", fail_on_, "Exit status 1 if a client is refused, or if that can't be told: refused|unknown|never")
        ->type_name("VERDICT")
        ->group("Upgrade");
    config_.add(app);
  }

  int run(Context& context) override {
    findings::Config config;
    if (!config_.load(context, config)) return status_usage;
    const std::string& target = target_ ? *target_ : config.audit_target;
    const std::string& fail_on = fail_on_ ? *fail_on_ : config.audit_fail_on;
    std::size_t release = current_release();
    if (target_ || !target.empty()) {
      const auto found = find_release(target);
      if (!found) return usage_error(context, "audit", fmt::format("--target: there is no Kafka release '{}' here", target));
      release = *found;
    }
    // lint's word for what makes it fail is a severity: the same here.
    const bool on_unknown = fail_on == "unknown" || fail_on == "notice" || fail_on == "info";
    const bool on_refused = on_unknown || fail_on == "refused" || fail_on == "error" || fail_on == "warning";
    if (!on_refused && fail_on_ && fail_on != "never")
      return usage_error(context, "audit", fmt::format("--fail-on: '{}' is none of refused|unknown|never", fail_on));

    Cluster cluster;
    audit::AuditObserver observer(cluster);
    const Summary summary = run_pipeline(context.options, context.options.captures, cluster, observer, Names::at_the_end,
                                         context.diagnostics);
    if (summary.bad_filter) return status_of(summary);
    if (read_nothing(summary)) return status_of(summary);
    const audit::Seen seen = observer.finish();
    const audit::Audit audit = audit::judge_all(seen, release, span_of(summary));
    if (context.options.format == Format::json) {
      write_document(context.out, [&](JsonWriter& json) { audit::write_audit(json, audit); });
    } else if (context.options.format == Format::csv) {
      audit::write_csv(context.out, audit);
    } else {
      audit::print_audit(context.out, Painter(context.options.color, context.out.is_terminal()), audit);
    }
    if (const int status = status_of(summary)) return status;
    const audit::Verdict bad = audit::worst(audit);
    const bool fails = (on_refused && bad == audit::Verdict::refused) || (on_unknown && bad == audit::Verdict::unknown);
    return fails ? status_findings : status_done;
  }

 private:
  std::optional<std::string> target_, fail_on_;
  ConfigOptions config_;
};

}  // namespace

std::unique_ptr<Command> make_audit_command() { return std::make_unique<AuditCommand>(); }

}  // namespace kparse::cli
