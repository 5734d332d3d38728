// SPDX-License-Identifier: MIT
// kparse groups: the story of each group.
#include <memory>

#include <CLI/App.hpp>

#include "commands/command.h"
#include "commands/json_document.h"
#include "groups/group_observer.h"
#include "groups/group_out.h"
#include "pipeline/pipeline.h"

namespace kparse::cli {
namespace {

class GroupsCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "What happened to groups: who joined and left and why, assignments, commits, lag",
            .examples =
                "  kparse groups capture.pcap\n"
                "  kparse groups --group orders --all node*.pcap\n"
                "  kparse groups --format json *.pcap | jq '.groups[] | [.group, .standstillMs]'\n",
            .formats = {Format::text, Format::json},
            .takes = Takes::captures};
  }

  void add_options(CLI::App& app) override {
    app.add_flag("--all", all_, "All events, members and partitions in text, however many")->group("Output");
  }

  int run(Context& context) override {
    // A group's offsets and ends come in frames that don't name it: the observer chooses, not the filter.
    CommonOptions options = context.options;
    groups::GroupObserver observer(std::move(options.filter.groups));
    options.filter.groups.clear();
    Cluster cluster;
    const Summary summary =
        run_pipeline(options, options.captures, cluster, observer, Names::at_the_end, context.diagnostics);
    if (summary.bad_filter) return status_of(summary);
    const groups::GroupsSeen seen = observer.finish(cluster);
    if (context.options.format == Format::json) {
      write_document(context.out, [&](JsonWriter& json) { groups::write_groups(json, seen, options.captures); });
    } else {
      const Painter paint(context.options.color, context.out.is_terminal());
      groups::print_groups(context.out, paint, seen, options.captures, all_);
    }
    return status_of(summary);
  }

 private:
  bool all_ = false;
};

}  // namespace

std::unique_ptr<Command> make_groups_command() { return std::make_unique<GroupsCommand>(); }

}  // namespace kparse::cli
