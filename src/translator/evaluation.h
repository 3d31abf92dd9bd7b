#pragma once

#include <optional>

#include "core/progress.h"
#include "metrics/caption_scores.h"
#include "metrics/text_scores.h"
#include "translator/picture_test_set.h"
#include "translator/test_set.h"
#include "translator/translator.h"

namespace dhyan {

struct EvaluationOptions {
  SearchOptions search = {};
  ScoringOptions scoring = {};
  std::optional<Index> alignment_layer = {};  // from 1: its attention links words; empty: the mean of all
};

// Forced decoding of the references: every word is predicted from the correct words before it.
struct ForcedScores {
  double perplexity = 0;  // exp of the mean -log p of a token; 0 if there is none
  Index tokens = 0;       // of the first references, </s> included
  Index skipped = 0;      // sentences without a source, or too long for the model, which do not count
  // Against the gold links, if there are any and the model has cross-attention. Each reference word is linked to the
  // source word with the largest weight; </s>, and words whose largest weight is on </s>, have no link.
  std::optional<AlignmentScore> alignment = {};
};

struct Evaluation {
  std::vector<std::string> translations;
  std::vector<std::size_t> cut;    // numbers, from 1, of sources with more tokens than the translator takes
  std::size_t mostly_unknown = 0;  // sources with more unknown tokens than known ones
  TextScores text;                 // by source length in words; for captions, by reference length
  ForcedScores forced;
  std::optional<WordVariety> variety = {};  // of captions
  std::optional<SceneScores> scenes = {};   // of captions of the picture book
};

struct BestTranslations {
  std::vector<std::string> texts;
  std::vector<std::size_t> cut;    // numbers, from 1, of sources with more tokens than the translator takes
  std::size_t mostly_unknown = 0;  // sources with more unknown tokens than known ones
};

// Reports progress after every batch.
BestTranslations best_translations(const Translator& translator, const Inputs& sources, const SearchOptions& search,
                                   const Workers& workers = {}, ProgressSink* progress = nullptr);

// Translates a test set and compares. UsageError if it is empty or has no sources. With ranks (Workers), rank 0 gets
// the evaluation and the others an empty one.
Evaluation evaluate(const Translator& translator, const TestSet& set, const EvaluationOptions& options,
                    const Workers& workers = {}, ProgressSink* progress = nullptr);

}  // namespace dhyan
