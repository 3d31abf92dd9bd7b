#pragma once

#include "config/options.h"

namespace dhyan::option_table {

// The conditions of the table of options. What a condition reads of a config is itself recorded wherever the condition
// holds, so that a config that was written and read again meets the same conditions.

extern const Condition kRecurrentModel, kSelfAttention, kEncoder, kDecoder;  // kinds of models
extern const Condition kAttention, kCrossAttention, kTiming, kInputFeeding;  // what attends, and when
extern const Condition kScoreLayer, kLocalWindow, kLocationScore, kContextLength;
extern const Condition kTranslation, kPairedVocabularies;  // models of sentence pairs
extern const Condition kLearnedTokenizer, kLearnedSubwords, kLearnedWords, kSubwords, kUnigramSampling, kBpeSampling;
extern const Condition kCorpusFiles, kTrainingFiles, kPairFiles, kPhrasebook, kSentences;
extern const Condition kGuided, kGuidedTransformer;
extern const Condition kHeldOutPairs, kHeldOutTranslations, kValidatesByEpoch, kAverages;
extern const Condition kSgd, kAdadelta, kAdam, kNotSgd;
extern const Condition kCosine, kCosineOrPlateau, kPlateauOrEpochs, kPlateau, kEpochDecay;

inline Option only(const Condition& condition, Option option) {
  option.condition = &condition;
  return option;
}

}  // namespace dhyan::option_table
