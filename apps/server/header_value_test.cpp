#include "server/header_value.h"

#include <gtest/gtest.h>

namespace dhyan::server {
namespace {

TEST(HeaderValue, HasAValueAndParameters) {
  const HeaderValue type = parse_header_value(" Text/HTML ; Charset = UTF-8;x=\"a;b\"; y=c ");
  EXPECT_EQ(type.value, "text/html");
  EXPECT_EQ(type.parameters, (HttpFields{{"charset", "UTF-8"}, {"x", "a;b"}, {"y", "c"}}));
  EXPECT_EQ(type.parameter("charset"), "UTF-8");
  EXPECT_EQ(type.parameter("boundary"), std::nullopt);
}

TEST(HeaderValue, EscapesOnlyQuotesAndBackslashes) {
  EXPECT_EQ(parse_header_value(R"(a; f="x \"y\" \\ C:\z")").parameter("f"), R"(x "y" \ C:\z)");
}

TEST(HeaderValue, SkipsWhatHasAnotherForm) {
  EXPECT_TRUE(parse_header_value("").value.empty());
  EXPECT_TRUE(parse_header_value(";;; a ; b").parameters.empty());
  EXPECT_EQ(parse_header_value("t; a; b=1;").parameters, (HttpFields{{"b", "1"}}));
  EXPECT_EQ(parse_header_value("t; a=\"open").parameter("a"), "open");
  EXPECT_EQ(parse_header_value("t; a=\"x\\").parameter("a"), "x\\");
  EXPECT_EQ(parse_header_value("t; a=").parameter("a"), "");
}

TEST(HeaderValue, AnEncodingIsAcceptedByItsNameAndWeight) {
  for (const char* header : {"gzip", "br, gzip", "GZIP;q=0.1", "identity;q=0,gzip ; q=1"}) {
    EXPECT_TRUE(accepts_encoding(header, "gzip")) << header;
  }
  for (const char* header : {"", "identity", "identity, gzip;q=0", "gzip; q=0.000", "gzipped", "gzip;q=x", "*"}) {
    EXPECT_FALSE(accepts_encoding(header, "gzip")) << header;
  }
}

}  // namespace
}  // namespace dhyan::server
