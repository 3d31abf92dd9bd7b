#include "server/urlencoded.h"

#include <gtest/gtest.h>

#include "core/testing/thrown.h"
#include "server/bad_request.h"

namespace dhyan::server {
namespace {

TEST(Urlencoded, DecodesEscapesAndPlus) {
  EXPECT_EQ(form_decoded("a+b%20c%2B"), "a b c+");
  EXPECT_EQ(form_decoded("%e0%A4%A8"), "न");
  EXPECT_EQ(form_decoded("%00"), std::string(1, '\0'));
}

TEST(Urlencoded, KeepsBadEscapes) {
  for (const char* text : {"100%", "%4", "%zz", "%4g", "%%", "%g1"}) EXPECT_EQ(form_decoded(text), text);
  EXPECT_EQ(form_decoded("%%41"), "%A");
}

TEST(Urlencoded, GivesFieldsInOrder) {
  EXPECT_EQ(parse_urlencoded("q=a%3Db&q=c&&empty=&bare&=nameless&x=1=2"),
            (HttpFields{{"q", "a=b"}, {"q", "c"}, {"empty", ""}, {"bare", ""}, {"", "nameless"}, {"x", "1=2"}}));
  EXPECT_TRUE(parse_urlencoded("").empty());
  EXPECT_TRUE(parse_urlencoded("&&&").empty());
}

TEST(Urlencoded, BoundsTheNumberOfFields) {
  std::string text = "a";
  for (std::size_t i = 1; i < kMaxFormFields; ++i) text += "&a";
  EXPECT_EQ(parse_urlencoded(text).size(), kMaxFormFields);
  EXPECT_EQ(thrown<BadRequest>([&] { parse_urlencoded(text + "&a"); }), "the form has more than 1000 fields");
}

}  // namespace
}  // namespace dhyan::server
