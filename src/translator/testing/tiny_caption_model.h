#pragma once

#include <sstream>

#include "config/model_kinds.h"
#include "phrasebook/picturebook.h"
#include "text/word_tokenizer.h"
#include "translator/model_folder.h"

namespace dhyan {

// For tests: a model of the picture book's scenes, drawn weights, that reads pictures of 16 x 16 pixels as 2 x 2 cells.
inline LoadedModel tiny_caption_model(std::string_view kind = "recurrent") {
  TokenCounts words;
  for (std::uint64_t number = 0; number < 200; ++number) {
    std::istringstream text(picturebook::example(picturebook::Language::kEnglish, Part::kTrain, number).caption.text);
    for (std::string word; text >> word;) ++words[word];
  }
  const auto both = std::make_shared<WordTokenizer>(Vocabulary::from_counts(words));
  LoadedModel loaded;
  loaded.tokenizers = {both, both};
  Config& config = loaded.config;
  config.model = kind;
  config.tokenizer.kind = "word";
  config.common.encoder = "conv";
  config.common.backbone = {.image_size = 16, .width = 8};
  config.common.hidden = config.recurrent.embedding = config.recurrent.output_hidden = 16;
  config.transformer.feed_forward = 16;
  if (kind == "transformer") config.common.attention = {.score = "scaled_dot", .heads = 2};
  loaded.model = make_model(config, loaded.tokenizers, Rng(3));
  return loaded;
}

}  // namespace dhyan
