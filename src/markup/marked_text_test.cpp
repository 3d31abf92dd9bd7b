#include "markup/marked_text.h"

#include <gtest/gtest.h>

#include "markup/testing/word_links.h"

namespace dhyan {
namespace {

using Links = std::vector<std::pair<int, int>>;

std::vector<std::string> sentences_of(const MarkedText& text) {
  return {text.sentences().begin(), text.sentences().end()};
}

std::vector<std::string> sentences_of(std::string_view document, MarkupFormat format = MarkupFormat::kHtml) {
  return sentences_of(MarkedText(document, {format, {}}));
}

template <class Translate>
std::string translated_document(std::string_view document, const MarkupOptions& options, const Translate& translate) {
  const MarkedText text(document, options);
  std::vector<TranslatedSentence> translations;
  for (const std::string& sentence : text.sentences()) translations.push_back(translate(sentence));
  return text.restored(translations);
}

std::string same(std::string_view document, const MarkupOptions& options = {MarkupFormat::kHtml, {}}) {
  return translated_document(document, options, same_words);
}

std::string reversed(std::string_view document, const MarkupOptions& options = {MarkupFormat::kHtml, {}}) {
  return translated_document(document, options, reversed_words);
}

// An HTML document of one sentence with this translation.
std::string translated_as(std::string_view document, const std::string& text, const Links& links) {
  const MarkedText marked(document, {MarkupFormat::kHtml, {}});
  EXPECT_EQ(marked.sentences().size(), 1u) << document;
  return marked.restored(std::vector{translated(marked.sentences()[0], text, links)});
}

TEST(MarkedText, TagsGoToTheWordsAlignedWithTheirs) {
  EXPECT_EQ(translated_as("<p>A <b>red</b> car.</p>", "Une voiture rouge.", {{0, 0}, {1, 2}, {2, 1}}),
            "<p>Une voiture <b>rouge</b>.</p>");
  EXPECT_EQ(translated_as("<b>red</b> <i>car</i>", "voiture rouge", {{0, 1}, {1, 0}}), "<i>voiture</i> <b>rouge</b>");
  EXPECT_EQ(translated_as("I <em>do not</em> know", "je ne sais pas", {{0, 0}, {1, 1}, {2, 3}, {3, 2}}),
            "je <em>ne sais pas</em>");
}

TEST(MarkedText, PunctuationStaysInsideOrOutsideOfAnElement) {
  EXPECT_EQ(translated_as("Hello <b>world</b>!", "Bonjour monde !", {{0, 0}, {1, 1}, {1, 2}}),
            "Bonjour <b>monde</b> !");
  EXPECT_EQ(translated_as("Hello <b>world</b>!", "Hallo Welt!", {{0, 0}, {1, 1}}), "Hallo <b>Welt</b>!");
  EXPECT_EQ(translated_as("Hello <b>world!</b>", "Hallo Welt!", {{0, 0}, {1, 1}}), "Hallo <b>Welt!</b>");
  EXPECT_EQ(translated_as("say (<b>yes</b>) now", "jetzt (ja) sagen", {{0, 2}, {1, 1}, {2, 0}}),
            "jetzt (<b>ja</b>) sagen");
}

TEST(MarkedText, TagsNeverStandInsideAWord) {
  EXPECT_EQ(same("beau<b>ti</b>ful day"), "<b>beautiful</b> day");
  EXPECT_EQ(same("<b>beau</b><i>tiful</i> day"), "<b>beautiful</b><i></i> day");
  EXPECT_EQ(same("super<wbr>cali"), "supercali<wbr>");
}

TEST(MarkedText, NestedAndLineBrokenElementsAreOneSentence) {
  const std::string document = "<p>Hello <b>beautiful\n <i>world</i></b>!</p>";
  EXPECT_EQ(sentences_of(document), std::vector<std::string>{"Hello beautiful world!"});
  EXPECT_EQ(same(document), "<p>Hello <b>beautiful <i>world</i></b>!</p>");
  EXPECT_EQ(translated_as(document, "Bonjour monde magnifique !", {{0, 0}, {1, 2}, {2, 1}, {2, 3}}),
            "<p>Bonjour <b><i>monde</i> magnifique</b> !</p>");
}

TEST(MarkedText, SiblingsDoNotOverlap) {
  EXPECT_EQ(translated_as("<b>a b</b> <i>c</i>", "x y z", {{0, 0}, {1, 2}, {2, 1}}), "<b>x</b> <i>y</i> z");
  EXPECT_EQ(translated_as("<b>a</b> <i>b</i>", "x", {{0, 0}, {1, 0}}), "<b>x</b><i></i>");
}

TEST(MarkedText, AnElementWithoutLinksIsBesideItsNeighbours) {
  EXPECT_EQ(translated_as("one <b>two</b> three", "eins drei", {{0, 0}, {2, 1}}), "eins <b></b>drei");
  EXPECT_EQ(translated_as("one <b>two</b>", "eins", {{0, 0}}), "eins<b></b>");
}

TEST(MarkedText, WithoutAnyLinkWordsFollowTheSource) {
  EXPECT_EQ(translated_as("one <b>two</b> three", "eins zwei drei", {}), "eins <b>zwei</b> drei");
}

TEST(MarkedText, AnElementOfSeveralSentencesStaysOneElement) {
  const std::string document = "One two. <b>Three four. Five six.</b> Seven <i>eight. Nine</i> ten.";
  EXPECT_EQ(sentences_of(document),
            (std::vector<std::string>{"One two.", "Three four.", "Five six.", "Seven eight.", "Nine ten."}));
  EXPECT_EQ(same(document), document);
  EXPECT_EQ(reversed(document), "two. One <b>four. Three six. Five</b> <i>eight. Seven ten. Nine</i>");
}

TEST(MarkedText, AnElementAroundWholeSentencesCoversTheirWholeTranslations) {
  EXPECT_EQ(translated_as("<a href=x>वे चाय लाते हैं।</a>", "They bring tea.", {{0, 0}, {1, 2}, {2, 1}}),
            "<a href=x>They bring tea.</a>");
  EXPECT_EQ(translated_as("<i><b>one</b> two.</i>", "Ja, eins zwei!", {{0, 1}, {1, 2}}),
            "<i>Ja, <b>eins</b> zwei!</i>");
  EXPECT_EQ(translated_as("<b>one two</b> three.", "Ja, drei eins zwei!", {{0, 2}, {1, 3}, {2, 1}}),
            "Ja, drei <b>eins zwei</b>!");
  EXPECT_EQ(translated_document("<a>One. Two.</a> Three.", {MarkupFormat::kHtml, {}},
                                [](const std::string& sentence) {
                                  return translated(sentence, "Oh, " + sentence + " So!", {{0, 1}});
                                }),
            "<a>Oh, One. So! Oh, Two. So!</a> Oh, Three. So!");
}

TEST(MarkedText, WhatStandsBeforeOrBehindASentenceStaysThere) {
  EXPECT_EQ(translated_as("<img> one <b>two</b>. <code>x</code>", "zwei eins.", {{0, 1}, {1, 0}}),
            "<img> <b>zwei</b> eins. <code>x</code>");
  EXPECT_EQ(translated_as("<code>x</code> is red", "rot ist", {{0, 1}, {1, 0}}), "<code>x</code> rot ist");
  EXPECT_EQ(reversed("One two. <img> Three four."), "two. One <img> four. Three");
}

TEST(MarkedText, CopiedTextNeverTouchesAWord) {
  EXPECT_EQ(translated_as("two one <code>x</code>", "one two", {{0, 1}, {1, 0}}), "one <code>x</code> two");
  EXPECT_EQ(translated_as("one <b>two <code>x</code></b>", "zwei eins", {{0, 1}, {1, 0}}),
            "<b>zwei <code>x</code></b> eins");
}

TEST(MarkedText, CopiedTextNeverTouchesAWordWhenItsMarkIsLost) {
  EXPECT_EQ(translated_as("<code>%s</code>: one two", "zwei eins", {{1, 1}, {2, 0}}), "<code>%s</code> zwei eins");
  EXPECT_EQ(translated_as("one (<code>x</code>) two", "zwei eins", {{0, 1}, {2, 0}}), "zwei eins <code>x</code>");
  EXPECT_EQ(translated_as("<code>x</code>-one", "eins", {{0, 0}}), "<code>x</code> eins");
}

TEST(MarkedText, BlocksEndSentences) {
  const std::string document = "<ul><li>one<li>two</ul><h1>three</h1>four<br>five<table><tr><td>six<td>seven</table>";
  EXPECT_EQ(sentences_of(document), (std::vector<std::string>{"one", "two", "three", "four", "five", "six", "seven"}));
  EXPECT_EQ(same(document), document);
}

TEST(MarkedText, AnElementAroundBlocksIsOpenAtTheirEdges) {
  EXPECT_EQ(same("<a href=x><div>one two</div></a>"), "<a href=x><div>one two</div></a>");
  EXPECT_EQ(same("a <b>b<br>c</b> d"), "a <b>b<br>c</b> d");
  EXPECT_EQ(same("a <b><i>b<br>c</i> d</b> e"), "a <b><i>b<br>c</i> d</b> e");
  EXPECT_EQ(reversed("a <b>b<br>c</b> d"), "<b>b a<br>d c</b>");
}

TEST(MarkedText, MentionsAndAddressesOfPosts) {
  const std::string post =
      "<p>Thanks <span class=\"h-card\"><a href=\"https://m.example/@user\" class=\"u-url "
      "mention\">@<span>user</span></a>"
      "</span> for this!<br>See <a href=\"https://x.example/a?b=1&amp;c=2\"><span class=\"invisible\">https://</span>"
      "<span class=\"ellipsis\">x.example/a</span></a></p>";
  EXPECT_EQ(sentences_of(post), (std::vector<std::string>{"Thanks @user for this!", "See https://x.example/a"}));
  EXPECT_EQ(translated_as("<p>Thanks <a href=m>@<span>user</span></a>!</p>", "@user danke!", {{0, 1}, {1, 0}}),
            "<p><a href=m>@<span>user</span></a> danke!</p>");
}

TEST(MarkedText, CodeIsCopiedAndStandsBetweenWords) {
  const std::string document =
      "Use <code>ls &amp; rm</code> to list (<kbd>x</kbd>) <span translate=no>the  end</span>.";
  EXPECT_EQ(sentences_of(document), std::vector<std::string>{"Use to list () ."});
  EXPECT_EQ(same(document), document);
  EXPECT_EQ(translated_as("Use <code>ls</code> now.", "Jetzt nutze.", {{0, 1}, {1, 0}}),
            "Jetzt nutze <code>ls</code>.");
  EXPECT_EQ(same("<p translate=\"no\">one two<p>three"), "<p translate=\"no\">one two<p>three");
  EXPECT_EQ(sentences_of("<p translate=\"no\">one two<p>three"), std::vector<std::string>{"three"});
  EXPECT_EQ(sentences_of("<i class='a notranslate'>one</i><script>two</script><style>x</style><pre>y\nz</pre>"),
            std::vector<std::string>{});
}

TEST(MarkedText, IgnoredTagsAreCopied) {
  const MarkupOptions options{MarkupFormat::kXml, {"x"}};
  const std::string document = "Save <x id=\"1\">%s</x> as <x>%d</x> now";
  EXPECT_EQ(sentences_of(MarkedText(document, options)), std::vector<std::string>{"Save as now"});
  EXPECT_EQ(same(document, options), document);
  EXPECT_EQ(same("a <X>b</X> c", {MarkupFormat::kHtml, {"x"}}), "a <X>b</X> c");
  for (const std::string text : {"<x>%s</x> of <b>two</b>", "one <x>%s</x>", " one  two <x>%s</x> ", " <x>1</x> two"}) {
    EXPECT_EQ(same(text, options), text);
  }
}

TEST(MarkedText, EntitiesAreDecodedAndTextIsEscaped) {
  const std::string document = "<p>R&amp;D &lt; 5 &eacute;t&eacute;&nbsp;x &copy 2 > 1</p>";
  EXPECT_EQ(sentences_of(document), std::vector<std::string>{"R&D < 5 été\u00a0x © 2 > 1"});
  EXPECT_EQ(same(document), "<p>R&amp;D &lt; 5 été\u00a0x © 2 &gt; 1</p>");
}

TEST(MarkedText, CommentsDoctypeAndAttributesAreCopied) {
  const std::string document =
      "<!DOCTYPE html>\n<html lang='en'>\n<!-- c --><body>\n  <p  CLASS = \"a>b\" data-x='&amp;'>\n    Hello "
      "<IMG SRC=x> world<!-- d -->.\n  </p>\n</body></html>\n";
  EXPECT_EQ(same(document), document);
}

TEST(MarkedText, TextKeepsItsLinesAndWhiteSpace) {
  const MarkupOptions text{MarkupFormat::kText, {}};
  const std::string document = "  One <b>. Two &amp; \r\n\n\tThree  four.  \n---\n";
  EXPECT_EQ(sentences_of(document, MarkupFormat::kText),
            (std::vector<std::string>{"One <b>.", "Two &amp;", "Three  four.", "---"}));
  EXPECT_EQ(same(document, text), document);
  EXPECT_EQ(same("", text), "");
}

TEST(MarkedText, XmlKeepsItsLinesAndFindsItsBlocks) {
  const MarkupOptions xml{MarkupFormat::kXml, {}};
  const std::string document =
      "<?xml version=\"1.0\"?>\n<d><t>A title</t><p>One <b>two</b>,\nthree &lt; 4<br/></p></d>";
  EXPECT_EQ(sentences_of(document, MarkupFormat::kXml), (std::vector<std::string>{"A title", "One two,", "three < 4"}));
  EXPECT_EQ(same(document, xml), document);
  EXPECT_EQ(same("<b><i>One</i></b> two <x/> <![CDATA[a<b]]>", xml), "<b><i>One</i></b> two <x/> a&lt;b");
}

TEST(MarkedText, XmlThatIsNotWellFormedIsRefused) {
  for (const std::string_view document :
       {"<a>", "a</a>", "<a><b></a></b>", "&nbsp;", "a & b", "</fragment><fragment>",
        "<!DOCTYPE d [<!ENTITY x 'y'>]><d>&x;</d>", "<!DOCTYPE d SYSTEM 'x'><d>&x;</d>", "a\xff"})
    EXPECT_THROW(MarkedText(document, {MarkupFormat::kXml, {}}), BadMarkup) << document;
}

TEST(MarkedText, MalformedHtmlLosesNothing) {
  for (const std::string_view document : {"<p>Hello <b>world</p>", "a</b> b", "<b>a <i>b</b> c</i>", "a <!-- b", "a <b",
                                          "a </", "a <code>b <", "<title>x", "a<br/>b", "<textarea>a", "x <script>y",
                                          "a </>b", "<svg><text>a</text></svg> b", "<table>a<tr>b</table>"})
    EXPECT_EQ(same(document), document == "a <b" ? "a &lt;b" : document == "a </" ? "a &lt;/" : document);
  EXPECT_EQ(same("1 < 2 and <3"), "1 &lt; 2 and &lt;3");
  EXPECT_EQ(same(std::string_view("a\0b <i>\xff</i>", 12)), "ab <i>\ufffd</i>");
}

TEST(MarkedText, BlankAndSymbolOnlyBlocksAreNotTranslated) {
  EXPECT_EQ(sentences_of("<p>&nbsp;</p><p>—</p> <b> </b>"), std::vector<std::string>{});
  EXPECT_EQ(same("<p>&amp;</p> <b> </b>"), "<p>&amp;</p> <b> </b>");
}

TEST(MarkedText, DeepNestingAndLongInputTakeLinearTime) {
  std::string deep, end;
  for (int i = 0; i < 100'000; ++i) {
    deep += "<b>";
    end += "</b>";
  }
  EXPECT_EQ(same(deep + "x y" + end), deep + "x y" + end);
  EXPECT_EQ(same(deep + "x"), deep + "x");
  std::string unfinished, formats = "<p>";
  for (int i = 0; i < 100'000; ++i) unfinished += "<a ";
  for (int i = 0; i < 20'000; ++i) formats += "<b a" + std::to_string(i) + "><p>x";
  EXPECT_EQ(MarkedText(unfinished, {MarkupFormat::kHtml, {}}).sentences().size(), 1u);
  EXPECT_EQ(same(formats), formats);
  const std::string huge = "<a title=\"" + std::string(1'000'000, 'x') + "\">y</a>";
  EXPECT_EQ(same(huge), huge);
}

TEST(MarkedText, TranslationsThatDoNotFitAreRefused) {
  const MarkedText text("<b>a</b> b", {MarkupFormat::kHtml, {}});
  EXPECT_THROW(text.restored({}), UsageError);
  EXPECT_THROW(text.restored(std::vector{translated("a b", "x", {{0, 1}})}), UsageError);
  EXPECT_THROW(text.restored(std::vector{TranslatedSentence{"x", {{0, 9}}, {{0, 1}}, {}}}), UsageError);
}

}  // namespace
}  // namespace dhyan
