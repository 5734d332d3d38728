// SPDX-License-Identifier: MIT
// kparse txns: the story of each producer.
#include <memory>

#include <CLI/App.hpp>

#include "commands/command.h"
#include "commands/json_document.h"
#include "pipeline/pipeline.h"
#include "txns/txn_observer.h"
#include "txns/txn_out.h"

namespace kparse::cli {
namespace {

class TxnsCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.summary = "Producers and transactions: what they wrote, how they ended, what is open, what is held back",
            .examples =
                "  kparse txns capture.pcap\n"
                "  kparse txns --all node*.pcap\n"
                "  kparse txns --format json *.pcap | jq '.txns[].transactions[] | select(.outcome == \"open\")'\n",
            .formats = {Format::text, Format::json},
            .takes = Takes::captures};
  }

  void add_options(CLI::App& app) override {
    app.add_flag("--all", all_, "All producers and transactions in text, however many")->group("Output");
  }

  int run(Context& context) override {
    const CommonOptions& options = context.options;
    txns::TxnObserver observer;
    Cluster cluster;
    const Summary summary =
        run_pipeline(options, options.captures, cluster, observer, Names::at_the_end, context.diagnostics);
    if (summary.bad_filter) return status_of(summary);
    const txns::TxnsSeen seen = observer.finish(cluster);
    if (context.options.format == Format::json) {
      write_document(context.out, [&](JsonWriter& json) { txns::write_txns(json, seen, options.captures); });
    } else {
      const Painter paint(context.options.color, context.out.is_terminal());
      txns::print_txns(context.out, paint, seen, all_);
    }
    return status_of(summary);
  }

 private:
  bool all_ = false;
};

}  // namespace

std::unique_ptr<Command> make_txns_command() { return std::make_unique<TxnsCommand>(); }

}  // namespace kparse::cli
