#pragma once

#include "core/real.h"

namespace dhyan {

enum class SentenceStart { kNone, kMarked };  // sentences begin with their first word, or with <s>
enum class MaskedHead { kNone, kPresent };    // the layers that predict masked tokens; without them it only encodes
enum class Pooling { kWords, kAll, kStart };  // mean over the words, mean over all tokens, or the row of <s>
enum class VectorLength { kFree, kOne };      // as they are, or scaled to length 1

// The settings that only masked language models have; the defaults are ours, BERT has others.
struct MaskedSettings {
  SentenceStart start = SentenceStart::kNone;
  Index sentence_types = 0;  // rows added to the tokens of the first, the second ... sentence of a text
  MaskedHead head = MaskedHead::kPresent;
  Pooling pooling = Pooling::kWords;                 // how sentence vectors are made
  VectorLength vector_length = VectorLength::kFree;  // of these
};

}  // namespace dhyan
