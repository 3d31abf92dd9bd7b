#pragma once

#include <array>

#include "metrics/caption_words.h"
#include "metrics/metric.h"

namespace dhyan {

// How many different words captions use. A model that describes every picture alike uses few.
struct WordVariety {
  Index words = 0;              // of all captions, with repetitions
  Index distinct = 0;           // different words in all captions
  double vocabulary_share = 0;  // percentage of the references' different words that captions use
};
WordVariety word_variety(const ScoredText& captions, const CaptionOptions& options = {});

// All scores of captions. The first six are those of pycocoevalcap times 100; `sacrebleu` is Bleu with its defaults.
struct CaptionScores {
  std::array<double, 4> coco_bleu{};  // BLEU-1 to BLEU-4
  double rouge_l = 0;
  double cider_d = 0;
  double sacrebleu = 0;
  WordVariety words;
};

// One caption per picture, with one or more references each. UsageError without a caption, or for a caption without
// references.
CaptionScores caption_scores(const ScoredText& captions, const CaptionOptions& options = {});

}  // namespace dhyan
