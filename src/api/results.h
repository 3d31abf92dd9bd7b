#pragma once

#include <dhyan/options.h>
#include <dhyan/translation.h>

#include "explain/attention_map.h"
#include "translator/translation_units.h"

// From our types to those of include/dhyan.
namespace dhyan::api {

// What is told of a translation.
struct Telling {
  v1::Details details = v1::Details::kText;
  Units units = Units::kWords;
};

// A translation by the model, and a given one that was scored. The units of a picture are the cells of `grid`.
v1::Translation told(const Translation& translation, const TokenizerPair& tokenizers, const Telling& telling,
                     GridShape grid = {});
v1::Translation told_of_given(const Translation& scored, const TokenizerPair& tokenizers, const Telling& telling);

v1::Matrix matrix_of(const std::vector<std::vector<double>>& rows);

// Reads `cols` numbers of each row; what a short row lacks is `missing`.
v1::RealMatrix matrix_of(const std::vector<std::vector<Real>>& rows, Real missing);

// What a translation is searched with, so that `telling` can be told.
RecordedAttention recorded_for(const Telling& telling, const TranslationModel& model);

}  // namespace dhyan::api
