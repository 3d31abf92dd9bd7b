#include "runs/aligned_pairs.h"

#include "core/error.h"
#include "metrics/alignment.h"
#include "text/word_tokenizer.h"

namespace dhyan {

AlignedPairs::AlignedPairs(std::unique_ptr<PairSource> pairs, const std::string& alignments, const ReadOptions& options)
    : pairs_(std::move(pairs)), alignments_(alignments, options) {}

bool AlignedPairs::next(SentencePair& pair) {
  if (!pairs_->next(pair)) {
    const std::uint64_t lines = pairs_->report().lines, all = alignments_.number() + alignments_.count_rest();
    if (all == lines) return false;
    throw DataError(
        cat(alignments_.name(), ": ", all, " lines of alignments for a corpus of ", lines, "; expected one for each"));
  }
  std::string_view line;
  while (alignments_.number() < pair.line) {
    if (alignments_.next(line)) continue;
    throw DataError(cat(alignments_.name(), ": ends after line ", alignments_.number(),
                        "; expected alignments for every line of the corpus"));
  }
  const std::string where = cat(alignments_.name(), ":", pair.line);
  const GoldLinks links = parse_links(line, where);
  require_words(links, std::ssize(word_ranges(pair.source)), std::ssize(word_ranges(pair.target)), where);
  pair.links = links.sure;
  pair.links.insert(pair.links.end(), links.possible.begin(), links.possible.end());
  return true;
}

}  // namespace dhyan
