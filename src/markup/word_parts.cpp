#include "markup/word_parts.h"

#include <utility>

#include "core/error.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

class PartCutter {
 public:
  explicit PartCutter(std::string_view text) : text_(text) {}

  SentenceParts run(std::span<const ByteRange> words) {
    Index at = 0;
    for (const ByteRange& word : words) {
      if (word.begin < at || word.end < word.begin || word.end > static_cast<Index>(text_.size()))
        throw UsageError(cat("markup: the word [", word.begin, ",", word.end, ") does not fit into a text of ",
                             text_.size(), " bytes; expected words that ascend"));
      cut_rest({at, word.begin});
      result_.words.push_back(cut(word));
      at = word.end;
    }
    cut_rest({at, static_cast<Index>(text_.size())});
    return std::move(result_);
  }

 private:
  std::vector<Character> characters(ByteRange range) const {
    std::vector<Character> all;
    for (Character one : Characters(part(text_, range))) {
      one.begin += range.begin;
      one.end += range.begin;
      all.push_back(one);
    }
    return all;
  }

  void cut_rest(ByteRange range) {
    ByteRange word = {range.begin, range.begin};
    for (const Character& one : characters(range)) {
      if (is_space(one.code)) {
        cut(word);
        word.begin = one.end;
      }
      word.end = one.end;
    }
    cut(word);
  }

  WordParts cut(ByteRange word) {
    const std::vector<Character> all = characters(word);
    std::size_t begin = 0, end = all.size();
    while (begin < end && is_space(all[begin].code)) ++begin;
    while (begin < end && is_space(all[end - 1].code)) --end;
    std::size_t core_begin = begin, core_end = end;
    while (core_begin < end && is_mark(all[core_begin])) ++core_begin;
    while (core_end > core_begin && is_mark(all[core_end - 1])) --core_end;
    WordParts parts;
    parts.begin = count();
    for (std::size_t i = begin; i < core_begin; ++i) add(all[i].begin, all[i].end);
    parts.core_begin = count();
    if (core_begin < core_end) add(all[core_begin].begin, all[core_end - 1].end);
    parts.core_end = count();
    for (std::size_t i = core_end; i < end; ++i) add(all[i].begin, all[i].end);
    parts.end = count();
    if (parts.begin < parts.end) result_.ends_with_mark = parts.core_end < parts.end;
    return parts;
  }

  static bool is_mark(const Character& one) { return major_category(one.code) == 'P'; }
  Index count() const { return static_cast<Index>(result_.parts.size()); }
  void add(Index begin, Index end) { result_.parts.push_back({begin, end}); }

  std::string_view text_;
  SentenceParts result_;
};

}  // namespace

SentenceParts sentence_parts(std::string_view text, std::span<const ByteRange> words) {
  return PartCutter(text).run(words);
}

}  // namespace dhyan
