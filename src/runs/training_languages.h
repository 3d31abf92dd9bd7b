#pragma once

#include <span>

#include "runs/corpora.h"
#include "translator/model_languages.h"

namespace dhyan {

// Sets the languages that the config leaves open: from the built-in corpus, or from the names of the files, such as
// train.hi, train.hi.gz or train.hi.txt. They stay open if the names contain none or differ.
void derive_languages(DataConfig& config, DataKind data_kind);

// The trigrams of the beginnings of the corpora, of about 200,000 pairs in all.
SideTrigrams trigrams_of(std::span<const CorpusInput> corpora, DataKind data_kind);

}  // namespace dhyan
