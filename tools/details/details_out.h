// SPDX-License-Identifier: MIT
// What `report --details` adds, written.
#pragma once

#include "capture/tcp.h"
#include "details/detail_observer.h"
#include "groups/group_observer.h"
#include "groups/group_out.h"
#include "output/output.h"
#include "output/text.h"
#include "story/tee.h"
#include "txns/txn_observer.h"

namespace kparse::details {

struct Everything {
  groups::GroupsSeen groups;
  txns::TxnsSeen txns;
  DetailsSeen details;
  capture::TcpStats tcp;
};

/// Reads all that the details need, in one pass with another observer.
class Reader {
 public:
  explicit Reader(Observer& other) : tee_({&other, &groups_, &txns_, &details_}) {}
  [[nodiscard]] Observer& observer() noexcept { return tee_; }
  [[nodiscard]] Everything finish(const Cluster& cluster, const capture::TcpStats& tcp) {
    return {groups_.finish(cluster), txns_.finish(cluster), details_.finish(cluster), tcp};
  }

 private:
  groups::GroupObserver groups_;
  txns::TxnObserver txns_;
  DetailObserver details_;
  story::Tee tee_;
};

/// `"details":{...}` of an open object.
void write_details(JsonWriter&, const Everything&);
/// For people: each section only where there is something.
void print_details(cli::Output&, const cli::Painter&, const Everything&);

}  // namespace kparse::details
