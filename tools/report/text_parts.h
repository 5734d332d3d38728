// SPDX-License-Identifier: MIT
// Wording and layout that several sections of the text share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capture/file_info.h"
#include "output/output.h"
#include "output/text.h"
#include "report/histogram.h"
#include "report/names.h"
#include "report/report.h"

namespace kparse::report {

/// Nothing was observed.
inline constexpr std::string_view none = "–";

/// "1 packet", "285,568 packets".
[[nodiscard]] std::string plural(std::uint64_t n, std::string_view one, std::string_view many = {});

/// The name of one capture; of several what they have in common: "node1-*.pcap".
[[nodiscard]] std::string files_shown(const std::vector<capture::FileInfo>&);

/// The name of the capture that a stamp means, without the folder that all captures share.
[[nodiscard]] std::string capture_shown(const Report&, const Stamp&);

/// Client ids, whatever their software and principal.
[[nodiscard]] std::uint64_t distinct_clients(const Report&);

/// An empty line and the section's title, with what is worth saying of all of it.
void title(cli::Output&, const cli::Painter&, std::string_view name, std::string_view remark = {});

/// "… 12 more (--format json has all)" when some rows aren't shown.
void and_more(cli::Output&, const cli::Painter&, std::size_t shown, std::size_t all, std::string_view what);

/// Short, for columns: "850ns", "1.25ms", "2.4s".
[[nodiscard]] std::string brief_duration(std::int64_t ns);
/// Of a percentile; "–" of no values.
[[nodiscard]] std::string brief_percentile(const Histogram&, unsigned percent);
/// "0" is "–" too: a count of nothing seen.
[[nodiscard]] std::string brief_count(std::uint64_t);

/// A client id for people: quoted only where it is empty or null.
[[nodiscard]] std::string shown(const ClientName&);
/// Any name from the capture, harmless to a terminal, at most `width` columns.
[[nodiscard]] std::string shown(std::string_view name, std::size_t width = 60);

/// "a, b, c and 4 more", at most `limit` of them.
[[nodiscard]] std::string listed(const std::vector<std::string>& items, std::size_t limit);

/// Writes `words` after `label`, separated by " · ", in lines of at most 110 columns that begin under one another.
void flow(cli::Output&, std::size_t indent, std::string_view label, const std::vector<std::string>& words);

/// "packet 10,233 of node1-2.pcap", without the file where there is just one.
[[nodiscard]] std::string place(const Report&, const Stamp&);

}  // namespace kparse::report
