// SPDX-License-Identifier: MIT
#include "capture/filter.h"

#include <gtest/gtest.h>

#include "capture/timeline.h"
#include "packet_builder.h"

namespace kparse::capture {
namespace {

using namespace build;

bool passes(Filter& f, std::uint16_t link_type, const Raw& data) {
  Packet p;
  p.data = data;
  p.wire_length = static_cast<std::uint32_t>(data.size());
  p.link_type = link_type;
  return f.passes(p);
}

TEST(Filter, WorksOnEveryLinkType) {
  Filter f;
  EXPECT_TRUE(passes(f, 1, {}));
  ASSERT_EQ(f.set("tcp port 9092"), "");
  const Raw yes = ipv4(6, tcp({})), no = ipv4(6, tcp({40000, 9093}));
  EXPECT_TRUE(passes(f, 1, ethernet(0x0800, yes)));
  EXPECT_FALSE(passes(f, 1, ethernet(0x0800, no)));
  EXPECT_TRUE(passes(f, 101, yes));
  EXPECT_FALSE(passes(f, 101, no));
  EXPECT_TRUE(passes(f, 113, zeros(14) + u16(0x0800) + yes));
  EXPECT_TRUE(passes(f, 1, ethernet(0x86dd, ipv6(6, tcp({})))));
  EXPECT_FALSE(passes(f, 1, {}));
}

TEST(Filter, SaysWhatIsWrong) {
  Filter f;
  EXPECT_NE(f.set("tcp prot 9092").find("syntax error"), std::string::npos);
  EXPECT_EQ(f.set("inbound"), "");  // of cooked captures only
}

TEST(Filter, FilteredPacketsKeepTheirNumbers) {
  Folder folder;
  Timeline t({folder.write("a", pcap({{1000, ethernet(0x0800, ipv4(6, tcp({40000, 1}))), 0},
                                      {2000, ethernet(0x0800, ipv4(6, tcp({40000, 2}))), 0}}))});
  ASSERT_EQ(t.filter("port 2"), "");
  t.open();
  const Packet* p = t.next();
  ASSERT_NE(p, nullptr);
  EXPECT_EQ(p->stamp.packet, 2u);
  EXPECT_EQ(t.next(), nullptr);
  EXPECT_EQ(t.files()[0].packets, 2u);
}

}  // namespace
}  // namespace kparse::capture
