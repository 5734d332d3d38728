// SPDX-License-Identifier: MIT
// TLS from outside: where secrets come from, what is said when they are missing, what `decrypt` writes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "captures.h"
#include "process.h"

namespace kparse::test {
namespace {

fs::path tls(std::string_view name) { return fs::path(KPARSE_SOURCE_DIR) / "samples/tls" / name; }

const std::string capture = tls("tls13.pcap"), key_log = tls("tls13.keylog.txt"),
                  embedded = tls("tls12-embedded-secrets.pcapng");

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
  return n;
}

/// "decrypted":true, "decrypted":false, requests and responses of a dump.
std::string outline(const Result& r) {
  return std::to_string(count(r.out, "\"decrypted\":true")) + " opened, " +
         std::to_string(count(r.out, "\"decrypted\":false")) + " closed, " +
         std::to_string(count(r.out, "\"kind\":\"request\"")) + " requests, " +
         std::to_string(count(r.out, "\"kind\":\"response\"")) + " responses";
}
constexpr const char* all_opened = "4 opened, 0 closed, 13 requests, 13 responses";

Result dump(std::vector<std::string> more) {
  std::vector<std::string> call{"dump", "--format", "ndjson", "--records", "none"};
  call.insert(call.end(), more.begin(), more.end());
  return run(call);
}

TEST(Tls, closed_without_secrets_and_opened_with_them) {
  const Result closed = dump({capture});
  EXPECT_EQ(outline(closed), "0 opened, 4 closed, 0 requests, 0 responses");
  EXPECT_EQ(count(closed.out, "\"sealed\":\"noSecret\""), 4u);
  const Result opened = dump({"--keylog", key_log, capture});
  EXPECT_EQ(outline(opened), all_opened);
  EXPECT_EQ(count(opened.out, R"("version":"TLS 1.3","cipher":"TLS_AES_256_GCM_SHA384")"), 4u);
  EXPECT_EQ(outline(dump({embedded})), all_opened);
}

TEST(Tls, the_environment_names_a_key_log) {
  Process process({.arguments = {"dump", "--format", "ndjson", "--records", "none", capture},
                   .in_child = [] { ::setenv("SSLKEYLOGFILE", key_log.c_str(), 1); }});
  EXPECT_EQ(outline(process.finish()), all_opened);
  Process missing({.arguments = {"dump", "--format", "ndjson", capture},
                   .in_child = [] { ::setenv("SSLKEYLOGFILE", "/no/such/file", 1); }});
  const Result r = missing.finish();
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.err.find("/no/such/file: the key log can't be read"), std::string::npos) << r.err;
}

TEST(Tls, odd_key_logs_are_taken_and_broken_lines_named) {
  const Folder folder;
  std::string text = "\xef\xbb\xbf# comment\r\n\r\n", line;
  std::istringstream lines(read_file(key_log));
  while (std::getline(lines, line)) {
    for (char& c : line) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    text += line + "\r\n" + line + "\r\nCLIENT_RANDOM " + std::string(64, 'e') + " " + std::string(96, '0') + "\r\n";
  }
  write_file(folder / "odd", text + "CLIENT_RANDOM 1234");
  const Result r = dump({"--keylog", folder / "odd", capture});
  EXPECT_EQ(outline(r), all_opened);
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.err.find("odd: line 66 of the key log is left out"), std::string::npos) << r.err;

  write_file(folder / "binary", std::string("\x16\x03\x01\0\n", 5) + std::string(100'000, 'x'));
  EXPECT_EQ(dump({"--keylog", folder / "binary", "--keylog", key_log, capture}).status, 0);
  const Result missing = dump({"--keylog", folder / "none", capture});
  EXPECT_EQ(missing.status, 3);
  EXPECT_EQ(outline(missing), "0 opened, 4 closed, 0 requests, 0 responses");
  EXPECT_EQ(dump({"--keylog", folder / "", capture}).status, 3);
}

TEST(Tls, secrets_are_never_printed) {
  std::string said;
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"report", "-v", "--keylog", key_log, capture},
                                             {"report", "--format", "json", "--keylog", key_log, capture},
                                             {"dump", "--secrets", "show", "--keylog", key_log, capture},
                                             {"decrypt", "-v", "--keylog", key_log, capture, "-"},
                                             {"dump", "--format", "ndjson", "-v", embedded}}) {
    const Result r = run(call);
    EXPECT_EQ(r.status, 0);
    said += r.out + r.err;
  }
  std::istringstream words(read_file(key_log));
  std::size_t secrets = 0;
  for (std::string word; words >> word;) {
    if (word.size() != 96) continue;
    ++secrets;
    EXPECT_EQ(said.find(word), std::string::npos);
  }
  EXPECT_GT(secrets, 10u);
}

/// Little-endian pcapng taken apart.
std::vector<std::string> blocks(const std::string& file) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at + 12 <= file.size();) {
    const auto u = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(file[at + i])); };
    const std::uint32_t n = u(4) | u(5) << 8 | u(6) << 16 | u(7) << 24;
    all.push_back(file.substr(at, n));
    at += n;
  }
  return all;
}
bool is_secrets(const std::string& block) { return block.starts_with(std::string("\n\0\0\0", 4)); }
bool is_head(const std::string& block) { return block.starts_with("\n\r\r\n") || block[0] == 1; }

TEST(Tls, secrets_behind_the_packets_of_a_pcapng_and_in_another_file) {
  const Folder folder;
  std::string head, packets, secrets;
  for (const std::string& b : blocks(read_file(embedded))) (is_secrets(b) ? secrets : is_head(b) ? head : packets) += b;
  ASSERT_FALSE(secrets.empty());
  ASSERT_FALSE(packets.empty());
  write_file(folder / "behind.pcapng", head + packets + secrets);
  EXPECT_EQ(outline(dump({folder / "behind.pcapng"})), all_opened);
  write_file(folder / "without.pcapng", head + packets);
  write_file(folder / "only.pcapng", head + secrets);
  EXPECT_EQ(outline(dump({folder / "without.pcapng"})), "0 opened, 4 closed, 0 requests, 0 responses");
  EXPECT_EQ(outline(dump({folder / "without.pcapng", folder / "only.pcapng"})), all_opened);
  // Of a pipe only what went before can be had.
  const std::vector<std::string> from_pipe{"dump", "--format", "ndjson", "--records", "none", "-"};
  EXPECT_EQ(outline(run(from_pipe, head + secrets + packets)), all_opened);
}

TEST(Tls, a_big_endian_section) {
  const Folder folder;
  // The packets of the pcap file as big-endian pcapng, with the key log in front of them.
  const auto padded = [](std::string s) {
    s.resize((s.size() + 3) / 4 * 4, '\0');
    return s;
  };
  const auto block = [&](std::uint32_t type, const std::string& body) {
    const std::string size = be32(static_cast<std::uint32_t>(body.size() + 12));
    return be32(type) + size + body + size;
  };
  const std::string log = read_file(key_log);
  std::string file = block(0x0a0d0d0a, be32(0x1a2b3c4d) + be16(1) + be16(0) + be64(~0ull)) +
                     block(1, be16(1) + be16(0) + be32(0)) +
                     block(10, be32(0x544c534b) + be32(static_cast<std::uint32_t>(log.size())) + padded(log));
  for (const std::string& r : Pcap::parse(read_file(capture)).records) {
    const auto u32 = [&r](std::size_t at) {
      std::uint32_t v = 0;
      for (std::size_t i = 4; i-- > 0;) v = v << 8 | static_cast<unsigned char>(r[at + i]);
      return v;
    };
    const std::uint64_t time = u32(0) * 1'000'000ull + u32(4);
    file += block(6, be32(0) + be64(time) + be32(u32(8)) + be32(u32(12)) + padded(r.substr(16)));
  }
  write_file(folder / "big.pcapng", file);
  EXPECT_EQ(outline(dump({folder / "big.pcapng"})), all_opened);
  // The same again with its secrets: nothing to add.
  EXPECT_EQ(run({"decrypt", "--embed-secrets", folder / "big.pcapng", folder / "again.pcapng"}).status, 0);
  EXPECT_EQ(read_file(folder / "again.pcapng"), file);
}

/// What frames are, without where they are.
std::string frames_only(const std::string& ndjson) {
  std::string all;
  std::istringstream lines(ndjson);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"kind\":\"other\"") != std::string::npos) continue;
    line = std::regex_replace(line, std::regex(R"x("(capture|packet|lastPacket|requestPacket)":("[^"]*"|\d+),)x"), "");
    all += line + "\n";
  }
  return all;
}

TEST(Decrypt, the_inside_as_a_plain_capture) {
  const Folder folder;
  const Result r = run({"decrypt", "--keylog", key_log, capture, folder / "out.pcapng"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "");
  const std::string file = read_file(folder / "out.pcapng");
  EXPECT_NE(file.find("Written by kparse decrypt: what was inside TLS in " + capture), std::string::npos);
  const std::string inside = frames_only(dump({"--keylog", key_log, capture}).out),
                    plain = frames_only(dump({folder / "out.pcapng"}).out);
  EXPECT_EQ(count(inside, "\n"), 26u);
  EXPECT_EQ(plain, inside);
  EXPECT_EQ(run({"decrypt", "--keylog", key_log, "--output", folder / "too.pcapng", capture}).status, 0);
  EXPECT_EQ(read_file(folder / "too.pcapng"), file);
  EXPECT_EQ(run({"decrypt", "--keylog", key_log, capture, "-"}).out, file);
}

TEST(Decrypt, streams) {
  const Folder folder;
  EXPECT_EQ(run({"decrypt", "--keylog", key_log, "--streams", folder / "new/deep", capture}).status, 0);
  const fs::path streams = folder / "new/deep";
  const std::string client = read_file(streams / "0-client.bin");
  ASSERT_GT(client.size(), 8u);
  EXPECT_EQ(client.substr(4, 4), be16(18) + be16(4));  // ApiVersions, version 4
  std::size_t files = 0;
  for (const auto& e : fs::directory_iterator(streams)) files += e.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 8u);
  EXPECT_EQ(run({"decrypt", "--keylog", key_log, "--streams", folder / "more", "--conversation", "2", capture,
                 folder / "out.pcapng"})
                .status,
            0);
  EXPECT_EQ(read_file(folder / "more/2-client.bin"), read_file(streams / "2-client.bin"));
  EXPECT_FALSE(fs::exists(folder / "more/0-client.bin"));
  EXPECT_GT(read_file(folder / "out.pcapng").size(), 500u);
  EXPECT_EQ(run({"decrypt", "--keylog", key_log, "--streams", key_log, capture}).status, 3);
}

TEST(Decrypt, secrets_inside_the_capture) {
  const Folder folder;
  EXPECT_EQ(run({"decrypt", "--embed-secrets", "--keylog", key_log, capture, folder / "a.pcapng"}).status, 0);
  const Result with_secrets = dump({folder / "a.pcapng"});
  EXPECT_EQ(outline(with_secrets), all_opened);
  const std::string file = read_file(folder / "a.pcapng");
  EXPECT_EQ(count(file, "EXPORTER_SECRET"), 0u) << "only what is needed";
  // A pcapng file is copied as it is: its own blocks, and nothing twice.
  EXPECT_EQ(run({"decrypt", "--embed-secrets", folder / "a.pcapng", folder / "b.pcapng"}).status, 0);
  EXPECT_EQ(read_file(folder / "b.pcapng"), file);
  const Result without = run({"decrypt", "--embed-secrets", capture, folder / "c.pcapng"});
  EXPECT_EQ(without.status, 3);
  EXPECT_FALSE(fs::exists(folder / "c.pcapng"));
}

TEST(Decrypt, wrong_calls) {
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"decrypt"},
                                             {"decrypt", capture},
                                             {"decrypt", "--embed-secrets", "--streams", "x", capture, "y"},
                                             {"decrypt", "--api", "Fetch", capture, "y"},
                                             {"decrypt", "--embed-secrets", "-", "y"},
                                             {"decrypt", "--embed-secrets", capture, embedded, "y"}})
    EXPECT_EQ(run(call).status, 2) << testing::PrintToString(call);
}

// A result must never take the place of what it is made from.
TEST(Decrypt, what_is_read_is_not_overwritten) {
  const Folder folder;
  const std::string mine = folder / "mine.pcap", keys = folder / "keys.txt", link = folder / "link.pcap";
  fs::copy_file(capture, mine);
  fs::copy_file(key_log, keys);
  fs::create_symlink(mine, link);
  const auto size = fs::file_size(mine), size_of_keys = fs::file_size(keys);
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"decrypt", mine, mine},
                                             {"decrypt", "--keylog", key_log, mine, link},
                                             {"decrypt", "--keylog", keys, mine, keys},
                                             {"decrypt", "--embed-secrets", "--keylog", key_log, mine, mine},
                                             {"extract", "--conversation", "0", mine, mine},
                                             {"report", "--output", mine, mine},
                                             {"report", "--output", keys, "--keylog", keys, mine}}) {
    const Result r = run(call);
    EXPECT_EQ(r.status, 2) << testing::PrintToString(call);
    EXPECT_NE(r.err.find("needs another name"), std::string::npos) << r.err;
    EXPECT_EQ(fs::file_size(mine), size) << testing::PrintToString(call);
    EXPECT_EQ(fs::file_size(keys), size_of_keys) << testing::PrintToString(call);
  }
}

TEST(Decrypt, closed_conversations_are_told) {
  const Folder folder;
  const Result r = run({"decrypt", capture, folder / "out.pcapng"});
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.err.find("4 TLS conversations stayed closed: no secret for it in the key log"), std::string::npos)
      << r.err;
}

TEST(TlsReport, says_what_was_opened) {
  const Result text = run({"report", "--keylog", key_log, capture});
  EXPECT_NE(text.out.find("TLS 1.3  TLS_AES_256_GCM_SHA384"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("Not Kafka"), std::string::npos);
  EXPECT_NE(text.out.find("Nothing is missing"), std::string::npos) << text.out;
  const Result closed = run({"report", capture});
  EXPECT_NE(closed.out.find("Not Kafka: 4 TLS (encrypted)"), std::string::npos) << closed.out;
  EXPECT_NE(closed.out.find("the inside of 4 TLS conversations: no secret for it in the key log"), std::string::npos)
      << closed.out;
}

}  // namespace
}  // namespace kparse::test
