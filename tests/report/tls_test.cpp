// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "report/report.h"
#include "support.h"

namespace kparse::report {
namespace {

TlsInfo info(std::uint16_t version, std::uint16_t suite, std::uint64_t opened, TlsSealed why) {
  TlsInfo i;
  i.version = version;
  i.suite = suite;
  i.sni = "broker-1";
  i.client.opened = opened;
  i.client.why = why;
  i.fingerprint = "c1e58b5fa361cf5bfc0635a61bd8573c";
  return i;
}

ReportData two_opened_one_closed(bool apart) {
  ReportObserver first({}), second({});
  Script script(first), other(second);
  const TlsInfo open_info = info(0x0304, 0x1301, 100, TlsSealed::no),
                closed_info = info(0x0304, 0x1301, 0, TlsSealed::noSecret);
  int n = 0;
  for (const TlsInfo* i : {&open_info, &open_info, &closed_info}) {
    Script& s = apart && n == 1 ? other : script;
    auto t = s.talk(static_cast<std::uint64_t>(n));
    t.info.tls = i;
    (&s == &other ? second : first).on_other(t.info, Side::client, "TLS", at(0, 1));
    s.close(t);
    ++n;
  }
  ReportData d = first.finish();
  if (apart) d.merge(second.finish());
  return d;
}

TEST(ReportTls, conversations_of_a_kind_are_one_row) {
  for (const bool apart : {false, true}) {
    const ReportData d = two_opened_one_closed(apart);
    ASSERT_EQ(d.tls.size(), 1u);
    const TlsRow& row = d.tls.sorted()[0]->row;
    EXPECT_EQ(row.conversations, 3u);
    EXPECT_EQ(row.opened, 2u);
    EXPECT_EQ(row.opened_bytes, 200u);
    EXPECT_EQ(row.sealed.at(TlsSealed::noSecret), 1u);
    EXPECT_EQ(row.fingerprints.items().size(), 1u);
    EXPECT_EQ(d.seen.tls_opened, 2u);
    EXPECT_EQ(d.seen.others.at("TLS"), 3u);
  }
}

TEST(ReportTls, json) {
  const ReportData d = two_opened_one_closed(false);
  JsonWriter json;
  json_tls(json, Report(d, Cluster(), {}));
  EXPECT_EQ(
      json.view(),
      R"([{"server":"10.1.0.1:9092","version":"TLS 1.3","cipher":"TLS_AES_128_GCM_SHA256","alpn":null,"sni":"broker-1",)"
      R"("conversations":3,"opened":2,"resumed":0,"sealed":{"noSecret":1},"openedBytes":200,"sealedBytes":0,"failedRecords":0,)"
      R"("foundAgain":0,"earlyDataBytes":0,"keyUpdates":0,"alerts":{},"ja3":["c1e58b5fa361cf5bfc0635a61bd8573c"],)"
      R"("certificates":[],"clientCertificates":[]}])");
}

}  // namespace
}  // namespace kparse::report
