// SPDX-License-Identifier: MIT
// What every command can be asked: the common options, parsed and checked. Plain data: whoever reads it needs no
// command line library. commands/options.h fills it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "output/when.h"

namespace kparse::cli {

enum class Format : std::uint8_t { text, json, ndjson, csv, sarif, markdown };
enum class BytesMode : std::uint8_t { automatic, base64, hex, none };  ///< how keys, values and header values are shown
enum class NamesMode : std::uint8_t { first, all };                    ///< all: topic ids are learnt in a first pass
enum class RecordsMode : std::uint8_t { none, batches, full };

/// An empty list lets everything through; within a list one match suffices; lists must all agree.
struct FilterOptions {
  std::vector<std::string> apis;    ///< names or keys
  std::vector<std::string> topics;  ///< names, or ids in base64url
  std::vector<std::string> groups;
  std::vector<std::string> clients;  ///< client ids
  std::vector<std::string> hosts;    ///< "ip" or "ip:port", of either side
  std::vector<std::uint64_t> conversations;

  [[nodiscard]] bool any() const noexcept {
    return !(apis.empty() && topics.empty() && groups.empty() && clients.empty() && hosts.empty() &&
             conversations.empty());
  }
};

/// TCP ports as `--port 9092,19092-19094` names them.
class PortSet {
 public:
  void add(std::uint16_t first, std::uint16_t last) { ranges_.emplace_back(first, last); }
  [[nodiscard]] bool empty() const noexcept { return ranges_.empty(); }
  [[nodiscard]] bool has(std::uint16_t port) const noexcept {
    for (const auto& [first, last] : ranges_)
      if (first <= port && port <= last) return true;
    return false;
  }

 private:
  std::vector<std::pair<std::uint16_t, std::uint16_t>> ranges_;
};

/// `--topic-id ID=NAME`.
struct NamedTopicId {
  std::array<std::uint8_t, 16> id;
  std::string name;
};

struct CommonOptions {
  std::vector<std::string> captures;  ///< as given; "-" is standard input
  Format format = Format::text;
  std::string output;    ///< "" = standard output
  unsigned threads = 0;  ///< 0 = as many as there are
  BytesMode bytes = BytesMode::automatic;
  NamesMode names = NamesMode::first;
  RecordsMode records = RecordsMode::full;
  bool show_secrets = false;
  std::uint64_t max_batch = 256u << 20;  ///< largest uncompressed batch, bytes
  std::uint32_t max_ratio = 2000;
  FilterOptions filter;
  std::string packet_filter;  ///< --filter, in libpcap's language; "" = all
  std::optional<std::int64_t> from_ns,
      to_ns;  ///< frames that were complete in this time, both ends included; ns since 1970
  std::vector<NamedTopicId> topic_ids;
  std::vector<std::string> key_logs;  ///< --keylog
  std::string draft_headers;    ///< profile of --draft-headers, one that there is; "" = none
  std::string header_register;  ///< file of --header-register
  PortSet ports;           ///< empty: any
  bool port_only = false;  ///< what is on these ports is Kafka, no detection
  bool separate = false;   ///< each capture is an observation of its own
  When color = When::automatic;
  When progress = When::automatic;
  bool quiet = false;
  bool verbose = false;
};

}  // namespace kparse::cli
