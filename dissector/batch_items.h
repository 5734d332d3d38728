// SPDX-License-Identifier: GPL-2.0-or-later
// The header of a batch, or of a message of magic 0 or 1, as items.
#pragma once

#include "item_writer.h"
#include "kparse/records.h"
#include "record_items.h"

namespace kparse::dissector {

/// "[0] offsets 5-7: 3 records, gzip", in packet scope.
[[nodiscard]] const char* batch_label(const Batch&, unsigned index, packet_info*);

/// `entry`: all bytes of the batch, which stand at `at`.
void add_batch_header(const ItemWriter&, const Batch&, Bytes entry, int at);
/// What is known once the batch is opened.
void add_sizes(const ItemWriter&, const Batch&, int at);
/// A message that isn't compressed is its only record. `set`: what the record's views point into, at `set_at`.
void add_outer_record(const RecordWants&, const Batch&, const Record&, const RecordPlace&, Bytes set, int set_at,
                      proto_tree*);

}  // namespace kparse::dissector
