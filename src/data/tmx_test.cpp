#include "data/tmx.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "data/testing/test_corpus.h"

namespace dhyan {
namespace {

using Shown = std::vector<std::string>;

ReadOptions hi_en() { return {.source_language = "hi", .target_language = "en"}; }

Shown read(std::string_view xml, const ReadOptions& options = hi_en(), std::size_t step = 1 << 20) {
  return shown(*read_tmx(std::make_unique<MemoryBytes>(xml, step), "m.tmx", options));
}

std::string tmx_refusal(std::string_view xml, const ReadOptions& options = hi_en()) {
  return thrown<DataError>([&] { read(xml, options); });
}

std::string tuv(std::string_view language, std::string_view segment) {
  return cat("<tuv xml:lang=\"", language, "\"><seg>", segment, "</seg></tuv>");
}

std::string tmx(std::string_view units, std::string_view encoding = "UTF-8") {
  return cat("<?xml version=\"1.0\" encoding=\"", encoding,
             "\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n<tmx version=\"1.4\">\n", "<header srclang=\"en\"/><body>\n",
             units, "</body></tmx>\n");
}

std::string unit(std::string_view hindi, std::string_view english) {
  return cat("<tu>", tuv("hi", hindi), tuv("en", english), "</tu>\n");
}

TEST(Tmx, ReadsThePairsOfTwoLanguages) {
  const std::string xml =
      tmx(cat("<tu>", tuv("EN-us", "I &amp; you"), tuv("fr", "je"), tuv("hi", "मैं"), "</tu>\n",
              "<tu><prop>note</prop><tuv lang='hi_IN'><note>x</note><seg>तुम</seg></tuv>", tuv("en", "you"), "</tu>"));
  for (const std::size_t step : {1, 7, 1000}) {
    EXPECT_EQ(read(xml, hi_en(), step), (Shown{"5: मैं | I & you", "6: तुम | you"})) << step;
  }
  EXPECT_EQ(read(xml, {.source_language = "fr", .target_language = "en-US"}), Shown{"5: je | I & you"});
}

TEST(Tmx, KeepsTheTextOfASegmentAndDropsItsCodes) {
  const auto kept = [](std::string_view segment) { return read(tmx(unit(segment, "x"))).front(); };
  EXPECT_EQ(kept("a <bpt i='1'>&lt;b></bpt>bold<ept i='1'>&lt;/b></ept> c"), "5: a bold c | x");
  EXPECT_EQ(kept("a <hi>high <hi>er</hi></hi> b<ph>{1}</ph><it>i</it><ut>u</ut>"), "5: a high er b | x");
  EXPECT_EQ(kept("a<ph>code <sub>of <ph>code</ph></sub> more</ph>b"), "5: ab | x");
  EXPECT_EQ(kept("\n   one\n\t two\r\nthree  four\n"), "5: one two three  four | x");
  EXPECT_EQ(kept("<![CDATA[a < b]]><!-- not this -->&#x915;"), "5: a < bक | x");
}

TEST(Tmx, CountsUnitsWithoutBothLanguages) {
  const auto pairs =
      read_tmx(std::make_unique<MemoryBytes>(tmx(cat("<tu>", tuv("hi", "a"), "</tu>", unit("b", "c"), "<tu/>"))),
               "m.tmx", hi_en());
  EXPECT_EQ(shown(*pairs), Shown{"5: b | c"});
  EXPECT_EQ(pairs->report().lines, 3U);
  EXPECT_EQ(pairs->report().pairs, 1U);
  EXPECT_EQ(pairs->report().other_language, 2U);
  EXPECT_EQ(tmx_refusal(tmx(cat("<tu>", tuv("de", "a"), tuv("hi", "b"), "</tu>"))),
            "m.tmx: none of 1 units has both hi and en; there is de, hi");
  EXPECT_EQ(read(tmx("")), Shown{}) << "nothing is not wrong";
}

TEST(Tmx, PrefersTheLanguageItselfToItsVarieties) {
  EXPECT_EQ(read(tmx(cat("<tu>", tuv("en-GB", "lorry"), tuv("en-US", "truck"), tuv("hi", "a"), "</tu>"))),
            Shown{"5: a | lorry"});
  EXPECT_EQ(read(tmx(cat("<tu>", tuv("en-GB", "lorry"), tuv("en", "truck"), tuv("hi", "a"), "</tu>"))),
            Shown{"5: a | truck"});
  EXPECT_TRUE(matches_language("EN_us", "en-US"));
  EXPECT_FALSE(matches_language("en", "en-US"));
  EXPECT_FALSE(matches_language("eng", "en"));
  EXPECT_FALSE(matches_language("", "en"));
}

TEST(Tmx, ReadsOtherEncodings) {
  EXPECT_EQ(read(tmx(unit("\xe9", "x"), "ISO-8859-1")), Shown{"5: é | x"});
  std::string wide = "\xff\xfe";
  for (const char c : tmx(unit("a", "b"), "UTF-16")) {
    wide += c;
    wide += '\0';
  }
  EXPECT_EQ(read(wide), Shown{"5: a | b"});
}

TEST(Tmx, NamesTheLineThatIsNotWellFormed) {
  EXPECT_EQ(tmx_refusal(tmx("<tu>\n<tuv></tu>")), "m.tmx:6: mismatched tag; expected well-formed XML");
  EXPECT_EQ(tmx_refusal("<tmx>\n<body>"), "m.tmx:2: no element found; expected well-formed XML");
  EXPECT_EQ(tmx_refusal(""), "m.tmx:1: no element found; expected well-formed XML");
  EXPECT_EQ(tmx_refusal("plain text\n"), "m.tmx:1: syntax error; expected well-formed XML");
  EXPECT_EQ(tmx_refusal("<html/>"), "m.tmx:1: the first element is <html>; expected <tmx>");
  EXPECT_EQ(tmx_refusal(tmx(unit("a\xff", "b"))), "m.tmx:5: not well-formed (invalid token); expected well-formed XML");
  EXPECT_EQ(tmx_refusal(tmx(unit("&nbsp;", "b"))), "m.tmx:5: the entity 'nbsp' is not defined");
}

TEST(Tmx, RefusesDeclaredEntities) {
  std::string laughs = "<?xml version='1.0'?>\n<!DOCTYPE tmx [\n<!ENTITY a0 'ha'>\n";
  for (int i = 1; i < 20; ++i) laughs += cat("<!ENTITY a", i, " '&a", i - 1, ";&a", i - 1, ";'>\n");
  EXPECT_EQ(tmx_refusal(cat(laughs, "]><tmx><body>", unit("&a19;", "b"), "</body></tmx>")),
            "m.tmx:2: the file declares entities or elements of its own; refused");
}

TEST(Tmx, BoundsDepthAndLengths) {
  std::string deep = "<tmx>";
  for (int i = 0; i < 100'000; ++i) deep += "<x>";
  EXPECT_EQ(tmx_refusal(deep), "m.tmx:1: elements are nested more than 64 deep");
  ReadOptions options = hi_en();
  options.max_line_bytes = 1000;
  EXPECT_EQ(tmx_refusal(tmx(unit(std::string(1001, 'a'), "b")), options),
            "m.tmx:5: the segment is longer than 1000 bytes");
  EXPECT_EQ(tmx_refusal(cat("<tmx><tu x='", std::string(1'000'000, 'a')), options),
            "m.tmx:1: a tag is longer than 1000 bytes");
  EXPECT_EQ(tmx_refusal(cat("<tmx><!--", std::string(1'000'000, 'a')), options),
            "m.tmx:1: a tag is longer than 1000 bytes");
}

}  // namespace
}  // namespace dhyan
