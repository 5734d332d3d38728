// SPDX-License-Identifier: MIT
// Producers and transactions, written.
#pragma once

#include <string>
#include <vector>

#include "output/output.h"
#include "output/text.h"
#include "txns/txn_rows.h"

namespace kparse::txns {

/// `"txns":[...],"heldBack":[...],"limits":[...]`, of an open object.
void write_txns(JsonWriter&, const TxnsSeen&, const std::vector<std::string>& captures);
/// For people. `all`: also what is left out when there is much of it.
void print_txns(cli::Output&, const cli::Painter&, const TxnsSeen&, bool all);

}  // namespace kparse::txns
