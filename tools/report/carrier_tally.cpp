// SPDX-License-Identifier: MIT
#include "report/carrier_tally.h"

#include <algorithm>
#include <tuple>

namespace kparse::report {
namespace {

std::uint64_t bit(Carrier c) noexcept { return std::uint64_t{1} << static_cast<unsigned>(c); }

bool ids_are_numbers(Carrier c) noexcept { return c == Carrier::confluent || c == Carrier::apicurio; }

}  // namespace

void CarrierTally::add(const ValueFinding& f) {
  ++counts_[static_cast<std::size_t>(f.carrier)];
  if (info_of(f.carrier).same_id) add_id(f.carrier, f.id, 1);
}

void CarrierTally::add_id(Carrier carrier, std::uint64_t id, std::uint64_t count) {
  if (too_many_ & bit(carrier)) return;
  std::size_t of_carrier = 0;
  for (Id& known : ids_) {
    if (known.carrier != carrier) continue;
    if (known.id == id) {
      known.count += count;
      return;
    }
    ++of_carrier;
  }
  if (of_carrier < most_seen) {
    ids_.push_back({carrier, id, count});
    return;
  }
  too_many_ |= bit(carrier);
  std::erase_if(ids_, [carrier](const Id& i) { return i.carrier == carrier; });
}

void CarrierTally::merge(const CarrierTally& o) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += o.counts_[i];
  for (const Id& i : o.ids_) add_id(i.carrier, i.id, i.count);
  too_many_ |= o.too_many_;
  std::erase_if(ids_, [this](const Id& i) { return (too_many_ & bit(i.carrier)) != 0; });
}

std::vector<CarrierTally::Agreed> CarrierTally::agreed(std::uint64_t records, std::uint64_t values) const {
  std::vector<Agreed> out;
  for (const CarrierInfo& info : carriers()) {
    Agreed a{info.carrier, counts_[static_cast<std::size_t>(info.carrier)], info.in_value ? values : records, {}};
    if (a.of < least_records || a.records * 100 < a.of * percent) continue;
    if (info.same_id) {
      std::vector<Id> ids;
      std::copy_if(ids_.begin(), ids_.end(), std::back_inserter(ids),
                   [&](const Id& i) { return i.carrier == info.carrier; });
      std::sort(ids.begin(), ids.end(),
                [](const Id& x, const Id& y) { return std::tie(y.count, x.id) < std::tie(x.count, y.id); });
      if (ids.size() > most_ids) ids.resize(most_ids);
      a.records = 0;
      for (const Id& i : ids) {
        a.records += i.count;
        if (ids_are_numbers(info.carrier)) a.ids.push_back(i.id);
      }
      if (a.records * 100 < a.of * percent) continue;
    }
    out.push_back(std::move(a));
  }
  return out;
}

}  // namespace kparse::report
