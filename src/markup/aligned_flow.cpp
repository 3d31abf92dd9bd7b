#include "markup/aligned_flow.h"

#include <string_view>

#include "core/error.h"
#include "markup/word_parts.h"
#include "text/sentences.h"

namespace dhyan {

namespace {

struct PartRange {
  Index begin = 0;
  Index end = 0;
};

PartRange leading(const WordParts& word) { return {word.begin, word.core_begin}; }
PartRange core(const WordParts& word) { return {word.core_begin, word.core_end}; }
PartRange trailing(const WordParts& word) { return {word.core_end, word.end}; }
bool is_empty(PartRange range) { return range.begin == range.end; }

// The parts of a word that match a word of marks only: "!" is the end of "world!".
PartRange marks(const WordParts& word) {
  if (!is_empty(trailing(word))) return trailing(word);
  return is_empty(leading(word)) ? core(word) : leading(word);
}

// The space between sentences i - 1 and i of the translation.
std::string_view joint(const Flow& flow, std::size_t i, std::string_view before, std::string_view after) {
  if (joined_sentences(before, after).size() == before.size() + after.size()) return "";
  const std::string_view gap = part(flow.text, {flow.sentences[i - 1].end, flow.sentences[i].begin});
  return gap.empty() ? " " : gap;
}

class Aligner {
 public:
  explicit Aligner(const Flow& flow) : flow_(flow) {}

  AlignedFlow run(std::span<const TranslatedSentence> translations) {
    std::string_view before;
    for (std::size_t i = 0; i < translations.size(); ++i) {
      const std::string& text = translations[i].text;
      if (i > 0) result_.text += joint(flow_, i, before, text);
      add(flow_.sentences[i], translations[i]);
      if (!text.empty()) before = text;
    }
    return std::move(result_);
  }

 private:
  void add(ByteRange sentence, const TranslatedSentence& translation) {
    const SentenceParts source = sentence_parts(part(flow_.text, sentence), translation.source_words);
    const SentenceParts target = sentence_parts(translation.text, translation.target_words);
    source_ = static_cast<Index>(result_.source.size());
    target_ = static_cast<Index>(result_.target.size());
    const auto text_begin = static_cast<Index>(result_.text.size());
    result_.text += translation.text;
    for (const ByteRange& one : source.parts)
      result_.source.push_back({one.begin + sentence.begin, one.end + sentence.begin});
    for (const ByteRange& one : target.parts) result_.target.push_back({one.begin + text_begin, one.end + text_begin});
    result_.aligned.resize(result_.source.size());
    result_.ends_with_mark = source.ends_with_mark;
    result_.sentences.push_back({source_, std::ssize(result_.source), {target_, std::ssize(result_.target)}});
    for (const auto& [s, t] : translation.links) {
      if (s < 0 || t < 0 || std::size_t(s) >= source.words.size() || std::size_t(t) >= target.words.size())
        throw UsageError(cat("markup: the link ", s, "-", t, " does not fit ", source.words.size(), " and ",
                             target.words.size(), " words"));
      link_words(source.words[static_cast<std::size_t>(s)], target.words[static_cast<std::size_t>(t)]);
    }
    if (translation.links.empty())
      link_in_order(static_cast<Index>(source.parts.size()), static_cast<Index>(target.parts.size()));
  }

  void link_words(const WordParts& source, const WordParts& target) {
    if (source.has_core() && target.has_core()) {
      link(core(source), core(target));
      link_marks(leading(source), leading(target));
      link_marks(trailing(source), trailing(target));
    } else if (source.has_core() || target.has_core()) {
      link(marks(source), marks(target));
    } else {
      link_marks({source.begin, source.end}, {target.begin, target.end});
    }
  }

  void link(PartRange source, PartRange target) {
    for (Index s = source.begin; s < source.end; ++s)
      result_.aligned[static_cast<std::size_t>(source_ + s)].add({target_ + target.begin, target_ + target.end});
  }

  // One mark after the other; the last one gets the remaining marks.
  void link_marks(PartRange source, PartRange target) {
    if (is_empty(target)) return;
    for (Index s = source.begin; s < source.end; ++s) {
      const Index t = std::min(target.begin + (s - source.begin), target.end - 1);
      link({s, s + 1}, {t, s + 1 == source.end ? target.end : t + 1});
    }
  }

  void link_in_order(Index sources, Index targets) {
    for (Index s = 0; s < sources && targets > 0; ++s) {
      const Index t = s * targets / sources;
      link({s, s + 1}, {t, std::max(t + 1, (s + 1) * targets / sources)});
    }
  }

  const Flow& flow_;
  AlignedFlow result_;
  Index source_ = 0, target_ = 0;  // the first parts of the current sentence
};

}  // namespace

AlignedFlow aligned_flow(const Flow& flow, std::span<const TranslatedSentence> translations) {
  return Aligner(flow).run(translations);
}

}  // namespace dhyan
