#pragma once

#include <algorithm>
#include <initializer_list>

#include "config/options.h"

namespace dhyan::option_table {

// The conditions of the table of options; those of models use the capabilities of model_kinds.h. If a condition holds,
// the settings that it reads are recorded too, so a config meets the same conditions when it is read again.

// model_conditions.cpp
extern const Condition kRecurrentModel, kSelfAttention, kEncoder, kDecoder, kDecoderLayer, kAverageLayer, kDecoderKeys,
    kTranslation;
extern const Condition kRecurrentEncoder, kEncoderKind, kPictures, kTrainedNetwork, kPretrained, kPatches;
extern const Condition kWordTable, kAttention, kCrossAttention, kTiming, kInputFeeding;
extern const Condition kScoreLayer, kLocalWindow, kLocationScore, kContextLength, kFormulaPositions, kMaskedModel;
extern const Condition kAdapters;

// data_conditions.cpp
extern const Condition kLearnedTokenizer, kLearnedSubwords, kLearnedWords, kSubwords, kImportedPieces, kUnigramSampling,
    kBpeSampling;
extern const Condition kCorpusFiles, kTrainingFiles, kPairFiles, kPhrasebook, kSentences, kPairedVocabularies;
extern const Condition kTextPairFiles, kPictureBook, kCaptionFiles, kSourceText;

// training_conditions.cpp
extern const Condition kGuided, kGuidedLayer, kGoldAlignments;
extern const Condition kHeldOutPairs, kHeldOutTranslations, kValidatesByEpoch, kAverages;
extern const Condition kSgd, kAdadelta, kAdam, kNotSgd;
extern const Condition kCosine, kCosineOrPlateau, kPlateauOrEpochs, kPlateau, kEpochDecay;

// Texts for Condition::found that several conditions share.
std::string plain_text_in_use(const Config& config);
std::string no_cross_attention(const Config& config);

inline bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

inline Option only(const Condition& condition, Option option) {
  option.condition = &condition;
  return option;
}

}  // namespace dhyan::option_table
