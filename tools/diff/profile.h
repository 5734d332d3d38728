// SPDX-License-Identifier: MIT
// How clients ask: what they put into their requests, and in which order they call at connect.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kparse/decode.h"
#include "kparse/events.h"

namespace kparse::diff {

/// Values of one field of a request.
struct FieldValues {
  static constexpr std::size_t most = 16;
  std::uint64_t seen = 0;        ///< times
  std::set<std::string> values;  ///< as text
  bool more = false;             ///< there were others
};

struct Profile {
  /// By API and path: "Fetch", "maxWaitMs". Fields that only say what the client works on (topics, offsets, ids) are
  /// left out.
  std::map<std::pair<std::string, std::string>, FieldValues> fields;
  /// The first calls of a connection, "ApiVersions v4, Metadata v13", and how many connections began so.
  std::map<std::string, std::uint64_t> starts;
  bool starts_more = false;
};

class ProfileObserver final : public Observer {
 public:
  static constexpr std::size_t first_calls = 5;
  static constexpr std::size_t max_starts = 64;

  ProfileObserver();
  [[nodiscard]] Profile finish();

  void begin_request(const ConversationInfo&, const Request&) override;
  void on_close(const ConversationInfo&, Stamp) override;

 private:
  struct Start {
    std::string calls, last;
    std::size_t count = 0;
  };
  void settle(const Start&);

  std::vector<bool> telling_;  ///< by row of the schema
  ProgramSet programs_;
  Profile profile_;
  std::map<NodeId, FieldValues*> by_node_;
  std::map<std::uint64_t, Start> open_;
};

}  // namespace kparse::diff
