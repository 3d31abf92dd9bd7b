#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "markup/flow.h"
#include "markup/translated_sentence.h"
#include "markup/xml_tokens.h"

namespace dhyan {

enum class MarkupFormat { kText, kHtml, kXml };

struct MarkupOptions {
  MarkupFormat format = MarkupFormat::kText;
  std::vector<std::string> ignored_tags;  // names of elements to copy untranslated
};

// Translates the sentences of a document and keeps its markup: tags are placed around the words aligned with theirs.
//
//   const MarkedText document("<p>A <b>red</b> car.</p>", {MarkupFormat::kHtml});
//   document.sentences();             // {"A red car."}
//   document.restored(translations);  // "<p>Une voiture <b>rouge</b>.</p>"
//
// Text between two blocks (p, td, br; a line of kText and kXml) is cut into sentences; tags inside it do not end one.
// In the translation an element covers the smallest range of words that are aligned with its words; one around a whole
// sentence covers all of its translation, and text between two sentences stays there. Elements keep their
// parents and never overlap; no tag is lost, none is added, none stands inside a word. An element of several sentences
// stays one element. An element without aligned words becomes empty, beside its neighbours' words. code, pre,
// script, elements with translate="no" and ignored_tags are copied with their content, and stand between words.
// Text is escaped, tags are the bytes of the document.
class MarkedText {
 public:
  // HTML and text never fail, and invalid UTF-8 in them becomes U+FFFD. XML that is not well-formed throws BadMarkup.
  MarkedText(std::string_view document, const MarkupOptions& options);

  // The sentences to translate, in order: plain text on one line, without markup and entities.
  std::span<const std::string> sentences() const { return sentences_; }

  // The document with its sentences replaced. Throws UsageError unless there is a translation for each sentence, with
  // words that ascend within the texts and links between them.
  std::string restored(std::span<const TranslatedSentence> translations) const;

 private:
  MarkupFormat format_;
  std::vector<Flow> flows_;
  std::vector<std::string> sentences_;  // of all flows
};

}  // namespace dhyan
