// SPDX-License-Identifier: MIT
// Record batches are opened and counted by several threads: they take nearly all the time of a report, and nothing that
// is counted depends on their order.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "report/record_counter.h"

namespace kparse::report {

struct ReportData;

/// The caller's thread hands records on, and counts some itself where the others don't keep up. Memory: at most
/// `max_waiting` packs, of `pack_bytes` and one records field each.
class RecordWorkers {
 public:
  static constexpr std::size_t pack_bytes = 512 * 1024;

  /// `threads`: besides the caller's, at least 1.
  RecordWorkers(unsigned threads, const RecordOptions&, const HeaderRegister& names);
  ~RecordWorkers();
  RecordWorkers(const RecordWorkers&) = delete;
  RecordWorkers& operator=(const RecordWorkers&) = delete;

  /// Copies what is to be counted.
  void add(const RecordsSeen&);
  /// After the last add: all that was counted goes into `data`.
  void finish(ReportData& data);

 private:
  struct Pack;
  struct Counts;

  void hand_on();
  void work(Counts&);
  std::unique_ptr<Pack> take(bool wait);

  const std::size_t max_waiting_;
  std::unique_ptr<Counts> own_;
  std::vector<std::unique_ptr<Counts>> counts_;
  std::unique_ptr<Pack> filling_;

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::unique_ptr<Pack>> waiting_;  ///< guarded by mutex_, as are the next two
  std::vector<std::unique_ptr<Pack>> spare_;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace kparse::report
