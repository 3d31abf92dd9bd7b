#include "markup/html_tokens.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/error.h"

namespace dhyan {
namespace {

// Each token as a letter and its source: "S<b> Tx E</b>".
std::string outline(std::string_view document) {
  std::string text;
  for (const MarkupToken& token : html_tokens(document, {})) {
    text += text.empty() ? "" : " ";
    text += "TSEVO"[static_cast<int>(token.kind)];
    text += token.source;
  }
  return text;
}

TEST(HtmlTokens, AreAllBytesOfTheDocument) {
  for (const std::string_view document :
       {"<!DOCTYPE html><p>a<p class='>'>b <br/> c</p></p><!-- > --> <?x?> </> </ x> <", "<b <i> </b", "<!--",
        "<!-->a-->", "<a href=x/>y</a>", "<script>a</b></scripty></script >z", "<TITLE>a &amp; <b></title>"}) {
    std::string sources;
    for (const MarkupToken& token : html_tokens(document, {})) sources += token.source;
    EXPECT_EQ(sources, document);
  }
}

TEST(HtmlTokens, FollowTheStandard) {
  EXPECT_EQ(outline("a<b x='>'>c</B >"), "Ta S<b x='>'> Tc E</B >");
  EXPECT_EQ(outline("<a href=x/>y</a>"), "S<a href=x/> Ty E</a>") << "the slash is part of the value";
  EXPECT_EQ(outline("<x a/>y"), "V<x a/> Ty");
  EXPECT_EQ(outline("<!-->a<!---->b<!-- --!>c"), "O<!--> Ta O<!----> Tb O<!-- --!> Tc");
  EXPECT_EQ(outline("<title><b></titles></title>"), "S<title> T<b></titles> E</title>");
  EXPECT_EQ(outline("1 < 2 <3 <b"), "T1 < 2 <3 <b");
}

TEST(HtmlTokens, EveryStartHasAnEnd) {
  EXPECT_EQ(outline("<p>a<p>b"), "S<p> Ta E S<p> Tb E");
  EXPECT_EQ(outline("<b><i>a</b></i>"), "S<b> S<i> Ta E E</b> O</i>");
  EXPECT_EQ(outline("<ul><li>a<ul><li>b</ul><li>c</ul>"), "S<ul> S<li> Ta S<ul> S<li> Tb E E</ul> E S<li> Tc E E</ul>");
  EXPECT_EQ(outline("<tr><td>a<td>b<tr>c"), "S<tr> S<td> Ta E S<td> Tb E E S<tr> Tc E");
}

TEST(HtmlTokens, EntitiesAreDecodedAsBrowsersDo) {
  EXPECT_EQ(decode_entities("&lt;&amp;lt; &eacute;&nbsp;&copy &#x41;&#66; &notit; &bogus; & &;"),
            "<&lt; é\u00a0© AB ¬it; &bogus; & &;");
  EXPECT_EQ(decode_entities("\x01&#xD800;&#0;\x02"), "\x01\ufffd\ufffd\x02");
  EXPECT_EQ(decode_entities(""), "");
}

TEST(HtmlTokens, NumbersThatNoCharacterHasAreReplaced) {
  EXPECT_EQ(decode_entities("&#0222222222222222222222222;c"), "\uFFFDc");
  EXPECT_EQ(decode_entities("a&#x8000000000000041 &#1114112;"), "a\uFFFD \uFFFD");
  EXPECT_EQ(decode_entities("&#x000000000000000041;&#000000000000000066;&#x10FFFF;"), "AB\U0010FFFF");
}

TEST(HtmlTokens, LookUpIgnoredNamesInConstantTime) {
  std::vector<std::string> ignored;
  for (int i = 0; i < 100'000; ++i) ignored.push_back(cat("X", i));
  std::string document;
  for (int i = 0; i < 100'000; ++i) document += "<b>";
  const auto copied = [](const MarkupToken& token) { return token.copied; };
  EXPECT_TRUE(std::ranges::none_of(html_tokens(document, ignored), copied));
  EXPECT_EQ(std::ranges::count_if(html_tokens("<x1>a<x2>b", ignored), copied), 2);
}

}  // namespace
}  // namespace dhyan
