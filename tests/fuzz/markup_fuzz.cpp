// libFuzzer: a document whose sentences become the same words, in order or backwards, keeps its tags, their nesting and
// its words. The first byte chooses the format and the order.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "markup/html_tokens.h"
#include "markup/marked_text.h"
#include "markup/testing/word_links.h"
#include "text/unicode.h"

namespace {

using namespace dhyan;

struct Summary {
  std::map<std::string, int> tags;
  std::map<std::string, int> parents;  // each element's start tag and its parent's
  bool well_formed = true;             // each start tag has an end tag, and each end tag a start tag
  std::u32string text;                 // without white space
  std::map<std::string, int> copied;   // pieces of text that are not translated
};

void expect(bool holds) {
  if (!holds) std::abort();
}

void add_visible(std::u32string& visible, std::string_view text) {
  for (const Character& character : Characters(text)) {
    if (!is_space(character.code)) visible += character.code;
  }
}

Summary summary(const std::vector<MarkupToken>& tokens) {
  using Kind = MarkupToken::Kind;
  Summary result;
  std::vector<std::string> open = {""};
  std::size_t copied = 0;  // the number of elements that are open around an element that is copied
  for (const MarkupToken& token : tokens) {
    const std::string source(token.source);
    if (token.kind == Kind::kText) {
      if (copied > 0) ++result.copied[token.text];
      if (copied == 0) add_visible(result.text, token.text);
      continue;
    }
    if (!source.empty()) ++result.tags[source];
    if (source.empty() || (token.kind == Kind::kOther && source.starts_with("</"))) result.well_formed = false;
    if (token.kind == Kind::kStart || token.kind == Kind::kVoid) ++result.parents[source + " in " + open.back()];
    if (token.kind == Kind::kStart && token.copied && copied == 0) copied = open.size();
    if (token.kind == Kind::kStart) open.push_back(source);
    if (token.kind != Kind::kEnd) continue;
    open.pop_back();
    if (copied == open.size()) copied = 0;
  }
  expect(open.size() == 1);
  return result;
}

Summary summary(std::string_view document, MarkupFormat format) {
  if (format == MarkupFormat::kHtml) return summary(html_tokens(document, {"x"}));
  if (format == MarkupFormat::kXml) return summary(xml_tokens(document, {"x"}));
  Summary result;
  add_visible(result.text, document);
  return result;
}

void check(const std::string& document, MarkupFormat format, bool backwards) {
  const MarkedText text(document, {format, {"x"}});
  std::vector<TranslatedSentence> translations;
  for (const std::string& sentence : text.sentences()) {
    expect(!sentence.empty() && !first_bad_byte(sentence) && sentence.find_first_of("\r\n") == sentence.npos);
    translations.push_back(backwards ? reversed_words(sentence) : same_words(sentence));
  }
  const std::string restored = text.restored(translations);
  Summary before = summary(document, format), after = summary(restored, format);
  expect(before.tags == after.tags && before.copied == after.copied);
  if (before.well_formed) expect(before.parents == after.parents && after.well_formed);
  if (backwards) {
    std::ranges::sort(before.text);
    std::ranges::sort(after.text);
  } else if (format == MarkupFormat::kText) {
    expect(restored == document);
  }
  expect(before.text == after.text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto format = std::array{MarkupFormat::kHtml, MarkupFormat::kXml, MarkupFormat::kText}[data[0] % 3];
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string document = format == MarkupFormat::kXml ? bytes : replace_bad_utf8(bytes);
  try {
    check(document, format, data[0] % 2 == 1);
  } catch (const BadMarkup&) {
    if (format != MarkupFormat::kXml) std::abort();
  }
  return 0;
}
