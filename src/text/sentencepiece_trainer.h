#pragma once

#include "text/sentencepiece_model.h"
#include "text/tokenizer_training.h"

namespace dhyan {

// Learns a model, the content of a `.model` file, from lines in NFC with the identity as its own normaliser: no text
// is changed beyond NFC (SentencePiece's default, NFKC, folds ½ and ﬁ and drops the joiners of
// Devanagari). The special tokens have our ids. Equal lines in equal order and an equal seed give equal bytes on any
// number of processors.
// One call on both languages makes a shared model, two calls make separate ones.
// The library cannot be stopped: if the poll of the options throws, its threads finish in the background and their
// result is discarded (text/run_polled.h). ConfigError for settings out of range; for an impossible vocabulary size it
// names the limit. DataError without text to learn from, or for a line that is not UTF-8.
std::string train_sentencepiece(SubwordAlgorithm algorithm, const LineSource& lines, const TokenizerOptions& options,
                                TrainingReport& report);

}  // namespace dhyan
