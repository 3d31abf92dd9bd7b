// Properties that hold for all random documents and random alignments.

#include <array>
#include <gtest/gtest.h>
#include <map>

#include "core/error.h"
#include "core/rng.h"
#include "markup/html_tokens.h"
#include "markup/marked_text.h"
#include "markup/testing/gumbo_tree.h"
#include "markup/testing/word_links.h"
#include "text/sentences.h"

namespace dhyan {
namespace {

// Documents of paragraphs and lists, inline elements in each other, sentences, comments and pictures.
class RandomDocument {
 public:
  enum class Kind { kAny, kOneBlockWithoutPictures };

  explicit RandomDocument(std::uint64_t seed, Kind kind = Kind::kAny) : rng_(seed), kind_(kind) {}

  std::string next() {
    document_.clear();
    for (std::uint64_t blocks = kind_ == Kind::kAny ? 1 + rng_.below(3) : 1; blocks > 0; --blocks) {
      const char* const name = std::array{"p", "div", "h2"}[rng_.below(3)];
      document_ += cat("<", name, ">");
      content(0);
      document_ += cat("</", name, ">");
    }
    return document_;
  }

 private:
  void content(int depth) {
    for (std::uint64_t pieces = 1 + rng_.below(5); pieces > 0; --pieces) {
      space();
      const std::uint64_t kind = rng_.below(10);
      if (kind < 5 || depth == 6) {
        word();
      } else if (kind < 8) {
        element(depth);
      } else {
        empty_item();
      }
    }
  }

  void empty_item() {
    const std::uint64_t kind = kind_ == Kind::kAny ? rng_.below(3) : 1 + rng_.below(2);
    document_ += cat(kind == 0 ? "<img n=" : kind == 1 ? "<!-- " : "<span n=", ++number_);
    document_ += kind == 0 ? ">" : kind == 1 ? " -->" : "></span>";
  }

  // Without `a`, which browsers do not nest.
  void element(int depth) {
    const char* const name = std::array{"b", "i", "span", "em", "u", "sub"}[rng_.below(6)];
    document_ += cat("<", name, " n=", ++number_, ">");
    content(depth + 1);
    document_ += cat("</", name, ">");
  }

  void word() {
    document_ += std::array{"tea",  "Raj",   "caf&eacute;", "R&amp;D",   "चाय", "no.",
                            "(so)", "well,", "Yes!",        "<3 x&lt;y", "1"}[rng_.below(11)];
  }

  void space() { document_ += std::array{" ", "\n  ", "", " "}[rng_.below(4)]; }

  Rng rng_;
  Kind kind_;
  int number_ = 0;
  std::string document_;
};

// A random number of meaningless words with random links.
TranslatedSentence random_translation(const std::string& sentence, Rng& rng) {
  std::string text;
  for (std::uint64_t words = rng.below(8); words > 0; --words)
    text += std::array{"ja ", "nein, ", "gut<", "(Tee) ", "क्या? ", "da. "}[rng.below(6)];
  if (text.ends_with(' ')) text.pop_back();
  TranslatedSentence translation = translated(sentence, text);
  if (translation.target_words.empty()) return translation;
  for (std::uint64_t links = rng.below(12); links > 0; --links)
    translation.links.emplace_back(rng.below(translation.source_words.size()),
                                   rng.below(translation.target_words.size()));
  return translation;
}

std::map<std::string, int> tags_of(std::string_view document) {
  std::map<std::string, int> tags;
  for (const MarkupToken& token : html_tokens(document, {})) {
    if (token.kind != MarkupToken::Kind::kText) ++tags[std::string(token.source)];
  }
  return tags;
}

// Whether a tag is between two letters of a word.
bool has_tag_inside_word(const std::string& document) {
  const auto is_word_byte = [](char c) { return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80; };
  for (std::size_t open = document.find('<'); open != document.npos; open = document.find('<', open + 1)) {
    const std::size_t close = document.find('>', open);
    if (open > 0 && close + 1 < document.size() && is_word_byte(document[open - 1]) &&
        is_word_byte(document[close + 1]))
      return true;
  }
  return false;
}

// As Mastodon, Discourse and Nextcloud send them.
constexpr std::array kPosts = {
    R"(<p>Thanks <span class="h-card" translate="no"><a href="https://m.example/@raj" class="u-url mention">@<span>raj</span>)"
    R"(</a></span>! <img alt=":tea:" class="emoji" src="t.png"> Read <a href="https://x.example/a?b=1&amp;c=2" rel="nofollow">)"
    R"(<span class="invisible">https://</span><span class="ellipsis">x.example/a</span><span class="invisible">?b=1</span>)"
    R"(</a> 🙂<br />Don&#39;t wait.</p><p><a href="/tags/tea" class="mention hashtag">#<span>tea</span></a> 1 &lt; 2</p>)",
    R"(<aside class="quote"><div class="title">raj:</div><blockquote><p>Use <code>x &lt; y</code>, <em>not <strong>y</strong></em>.)"
    "</p></blockquote></aside>\n<pre><code class=\"lang-cpp\">if (a &amp;&amp; b) {\n}</code></pre>\n<ul>\n<li>First "
    R"(<kbd>Ctrl</kbd>.<ul><li>Nested <a href="#x"><b>link</b></a></li></ul></li><li><p>Second</p></li></ul><hr><h2>End</h2>)",
    "<div>Dear all,<br><br>see <a href='f'>the <i>report</i></a> (<u>page 3</u>)&nbsp;&mdash; it&rsquo;s <s>late</s> "
    "done.<table><tr><th>Name<td>R&amp;D</table><details><summary>More</summary>Text <input type=checkbox checked> "
    "item</details></div>"};

TEST(MarkedTextProperty, RandomAlignmentsKeepTagsTreeAndText) {
  RandomDocument documents(1);
  Rng rng(2);
  for (int i = 0; i < 3000; ++i) {
    const std::string document = documents.next();
    const MarkedText text(document, {MarkupFormat::kHtml, {}});
    std::vector<TranslatedSentence> translations;
    std::string wanted;
    for (const std::string& sentence : text.sentences()) {
      translations.push_back(random_translation(sentence, rng));
      wanted += translations.back().text;
    }
    const std::string restored = text.restored(translations);
    SCOPED_TRACE(cat(document, "\n became ", restored));
    ASSERT_EQ(tags_of(restored), tags_of(document));
    ASSERT_EQ(gumbo_tree(restored).elements, gumbo_tree(document).elements);
    ASSERT_FALSE(has_tag_inside_word(restored));
    std::string written = gumbo_tree(restored).text;
    std::erase(written, ' ');
    std::erase(wanted, ' ');
    ASSERT_EQ(written, wanted);
  }
}

TEST(MarkedTextProperty, RandomAlignmentsKeepTagsAndTreeOfPosts) {
  Rng rng(6);
  for (std::size_t i = 0; i < 300; ++i) {
    const std::string post = kPosts[i % kPosts.size()];
    const MarkedText text(post, {MarkupFormat::kHtml, {}});
    std::vector<TranslatedSentence> translations, same;
    for (const std::string& sentence : text.sentences()) {
      translations.push_back(random_translation(sentence, rng));
      same.push_back(same_words(sentence));
    }
    const std::string restored = text.restored(translations);
    SCOPED_TRACE(cat(post, "\n became ", restored));
    ASSERT_EQ(tags_of(restored), tags_of(post));
    ASSERT_EQ(gumbo_tree(restored).elements, gumbo_tree(post).elements);
    ASSERT_EQ(gumbo_tree(text.restored(same)).text, gumbo_tree(post).text);
  }
}

TEST(MarkedTextProperty, TheTextIsThatOfTheTranslations) {
  RandomDocument documents(4, RandomDocument::Kind::kOneBlockWithoutPictures);
  Rng rng(5);
  for (int i = 0; i < 3000; ++i) {
    const std::string document = documents.next();
    const MarkedText text(document, {MarkupFormat::kHtml, {}});
    std::vector<TranslatedSentence> translations;
    std::string joined;
    for (const std::string& sentence : text.sentences()) {
      translations.push_back(random_translation(sentence, rng));
      joined = joined_sentences(joined, translations.back().text);
    }
    const std::string restored = text.restored(translations);
    ASSERT_EQ(gumbo_tree(restored).text, joined) << document << "\n became " << restored;
  }
}

TEST(MarkedTextProperty, TheSameWordsInTheSameOrderGiveTheDocumentBack) {
  RandomDocument documents(3);
  for (int i = 0; i < 3000; ++i) {
    const std::string document = documents.next();
    const MarkedText text(document, {MarkupFormat::kHtml, {}});
    std::vector<TranslatedSentence> translations;
    for (const std::string& sentence : text.sentences()) translations.push_back(same_words(sentence));
    const std::string restored = text.restored(translations);
    SCOPED_TRACE(cat(document, "\n became ", restored));
    ASSERT_EQ(tags_of(restored), tags_of(document));
    ASSERT_EQ(gumbo_tree(restored).elements, gumbo_tree(document).elements);
    ASSERT_EQ(gumbo_tree(restored).text, gumbo_tree(document).text);
  }
}

}  // namespace
}  // namespace dhyan
