#pragma once

#include "core/testing/temporary_folder.h"
#include "server/service_options.h"
#include "tests/small_model.h"
#include "translator/model_languages.h"
#include "translator/testing/tiny_caption_model.h"

namespace dhyan::server {

// For tests: folders of small models with random weights, of every kind that a server can use.
//   rnn         translates, hi to en, with attention by a recurrent decoder
//   transformer translates, hi to en
//   writer      continues text
//   filler      embeds sentences
//   captions    describes pictures
class SmallModels {
 public:
  SmallModels() {
    make_small_model(folder_.path("rnn"), ContextKind::kAttention);
    make_small_transformer(folder_.path("transformer"));
    make_small_byte_model(folder_.path("writer"), "language-model");
    make_small_transformer(folder_.path("filler"), "masked-language-model");
    const LoadedModel captions = tiny_caption_model();
    save_model(folder_.path("captions"), captions.config, captions.tokenizers, *captions.model);
    for (const char* name : {"rnn", "transformer"}) add_languages(folder_.path(name));
  }

  std::vector<ModelSpec> specs() const {
    std::vector<ModelSpec> specs;
    for (const char* name : {"rnn", "transformer", "writer", "filler", "captions"}) {
      specs.push_back(model_spec(folder_.path(name)));
    }
    return specs;
  }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  static void add_languages(const std::string& model) {
    Config config = load_config(model);
    config.data.source_language = "hi";
    config.data.target_language = "en";
    save_config(model, config);
    TrigramCounter hindi, english;
    for (const std::string& word : kSourceWords) hindi.add(word);
    for (const char* word : {"I", "you", "am", "eating", "drinking", "food", "water"}) english.add(word);
    save_trigrams(model, {profile_of(hindi.counts()), profile_of(english.counts())});
  }

  TemporaryFolder folder_;
};

}  // namespace dhyan::server
