// SPDX-License-Identifier: MIT
// Clients, judged, and written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/libraries.h"
#include "audit/seen.h"
#include "audit/verdict.h"
#include "kparse/json.h"
#include "output/output.h"
#include "output/text.h"

namespace kparse::audit {

struct JudgedClient {
  const Client* client = nullptr;
  Known library;
  std::vector<std::pair<const Call*, Judged>> calls;   ///< by API key and version
  Verdict verdict = Verdict::ok;                       ///< the worst of them
  std::vector<Verdict> releases;                       ///< of judged_releases()
  std::string fix;                                     ///< "" nothing to do, or not known
};

/// One thing that the capture doesn't tell.
struct Blind {
  std::string_view what;      ///< a word for scripts
  std::uint64_t count = 0;    ///< 0: of nothing countable
  std::string message;
};

struct Audit {
  std::size_t target = 0;              ///< index into releases()
  std::vector<JudgedClient> clients;   ///< the refused first, then the unknown; brokers last
  std::vector<Blind> blind;
};

/// `span_ns`: of the capture, -1 unknown. What it returns refers to `seen`.
[[nodiscard]] Audit judge_all(const Seen& seen, std::size_t target, std::int64_t span_ns);

/// The worst verdict of clients; brokers among themselves don't count.
[[nodiscard]] Verdict worst(const Audit&) noexcept;

/// "target", "clients", "blind", of an open object.
void write_audit(JsonWriter&, const Audit&);
/// One line for each client, API and version.
void write_csv(cli::Output&, const Audit&);
/// For people.
void print_audit(cli::Output&, const cli::Painter&, const Audit&);

}  // namespace kparse::audit
