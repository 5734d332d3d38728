// SPDX-License-Identifier: MIT
#include "report/record_workers.h"

#include <array>
#include <cstring>
#include <utility>

#include "report/report_observer.h"

namespace kparse::report {

/// Records fields with what belongs to them, in one piece of memory that is used again.
struct RecordWorkers::Pack {
  struct Item {
    Via via;
    bool has_id;
    std::int32_t partition;
    std::array<std::uint8_t, 16> id;
    std::uint64_t unread;
    std::size_t name, records, end;  ///< in `bytes`; the records end where the item does
  };
  std::vector<Item> items;
  std::vector<std::uint8_t> bytes;

  void add(const RecordsSeen& r) {
    Item i{.via = r.via,
           .has_id = r.topic.id != nullptr,
           .partition = r.partition,
           .id = {},
           .unread = r.unread,
           .name = bytes.size(),
           .records = bytes.size() + r.topic.name.size(),
           .end = bytes.size() + r.topic.name.size() + r.records.size()};
    if (i.has_id) std::memcpy(i.id.data(), r.topic.id, i.id.size());
    bytes.insert(bytes.end(), r.topic.name.begin(), r.topic.name.end());
    bytes.insert(bytes.end(), r.records.begin(), r.records.end());
    items.push_back(i);
  }
  void clear() {
    items.clear();
    bytes.clear();
    if (bytes.capacity() > 4 * pack_bytes) bytes.shrink_to_fit();
  }
};

/// What one thread has counted.
struct RecordWorkers::Counts {
  Counts(const RecordOptions& options, const HeaderRegister& names) : counter(options, names) {}

  void count(const Pack& p) {
    for (const Pack::Item& i : p.items) {
      const char* const text = reinterpret_cast<const char*>(p.bytes.data());
      const RecordsSeen seen{.via = i.via,
                             .topic = {.name = {text + i.name, i.records - i.name}, .id = i.has_id ? i.id.data() : nullptr},
                             .partition = i.partition,
                             .records = Bytes(p.bytes).subspan(i.records, i.end - i.records),
                             .unread = i.unread};
      TopicTable::Slot* slot = nullptr;
      if (i.via != Via::snapshot) {
        key.clear();
        add_topic(key, seen.topic);
        slot = data.topics.find_or_add(key.view(), 0);
      }
      counter.count(seen, slot ? &slot->row : nullptr, data.headers, data.seen);
    }
  }

  RecordCounter counter;
  KeyBuilder key;
  ReportData data;
};

RecordWorkers::RecordWorkers(unsigned threads, const RecordOptions& options, const HeaderRegister& names)
    : max_waiting_(threads + 1), own_(std::make_unique<Counts>(options, names)), filling_(std::make_unique<Pack>()) {
  for (unsigned n = 0; n < threads; ++n) counts_.push_back(std::make_unique<Counts>(options, names));
  for (auto& c : counts_) threads_.emplace_back([this, &c] { work(*c); });
}

RecordWorkers::~RecordWorkers() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  more_.notify_all();
  for (std::thread& t : threads_)
    if (t.joinable()) t.join();
}

void RecordWorkers::add(const RecordsSeen& r) {
  filling_->add(r);
  if (filling_->bytes.size() >= pack_bytes) hand_on();
}

void RecordWorkers::hand_on() {
  std::unique_ptr<Pack> next;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() < max_waiting_) {
      waiting_.push_back(std::move(filling_));
      if (!spare_.empty()) {
        next = std::move(spare_.back());
        spare_.pop_back();
      }
    }
  }
  if (filling_) {  // all are busy: so is this thread, then
    own_->count(*filling_);
    filling_->clear();
    return;
  }
  more_.notify_one();
  filling_ = next ? std::move(next) : std::make_unique<Pack>();
}

std::unique_ptr<RecordWorkers::Pack> RecordWorkers::take(bool wait) {
  std::unique_lock lock(mutex_);
  if (wait) more_.wait(lock, [this] { return over_ || !waiting_.empty(); });
  if (waiting_.empty()) return nullptr;
  std::unique_ptr<Pack> p = std::move(waiting_.front());
  waiting_.pop_front();
  return p;
}

void RecordWorkers::work(Counts& counts) {
  while (std::unique_ptr<Pack> p = take(true)) {
    counts.count(*p);
    p->clear();
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(p));
  }
}

void RecordWorkers::finish(ReportData& data) {
  own_->count(*filling_);
  filling_->clear();
  while (std::unique_ptr<Pack> p = take(false)) own_->count(*p);
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  more_.notify_all();
  for (std::thread& t : threads_) t.join();
  threads_.clear();
  data.merge(std::move(own_->data));
  for (auto& c : counts_) data.merge(std::move(c->data));
}

}  // namespace kparse::report
