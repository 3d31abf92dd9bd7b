#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "markup/flow.h"
#include "markup/translated_sentence.h"

namespace dhyan {

// The smallest range of parts of a translation that contains all those aligned with something.
struct TargetRange {
  Index begin = 0;
  Index end = 0;

  bool empty() const { return begin >= end; }
  void add(TargetRange other) {
    if (other.empty()) return;
    begin = empty() ? other.begin : std::min(begin, other.begin);
    end = std::max(end, other.end);
  }
};

// A sentence of a flow and its translation.
struct AlignedSentence {
  Index source_begin = 0, source_end = 0;  // its parts are [source_begin, source_end)
  TargetRange target;                      // all parts of its translation
};

// A flow and its translation, cut into parts of words (markup/word_parts.h).
struct AlignedFlow {
  std::vector<ByteRange> source;     // in Flow::text
  std::vector<TargetRange> aligned;  // of each source part; empty if the part is not aligned
  std::string text;                  // the translations of the sentences, joined
  std::vector<ByteRange> target;     // in text
  std::vector<AlignedSentence> sentences;
  bool ends_with_mark = false;  // the source
};

// One translation for each sentence of the flow. Throws UsageError if words or links do not fit.
AlignedFlow aligned_flow(const Flow& flow, std::span<const TranslatedSentence> translations);

}  // namespace dhyan
