// SPDX-License-Identifier: MIT
// All that `report --details` adds: plain data.
#pragma once

#include "capture/tcp.h"
#include "details/detail_observer.h"
#include "details/network_observer.h"
#include "groups/group_observer.h"
#include "txns/txn_observer.h"

namespace kparse::details {

struct Everything {
  groups::GroupsSeen groups;
  txns::TxnsSeen txns;
  DetailsSeen details;
  NetworkObserver::Rows network;
  std::uint64_t network_left_out = 0;
  capture::TcpStats tcp;
};

}  // namespace kparse::details
