#include <gtest/gtest.h>

#include "config/model_kinds.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"
#include "translator/testing/tiny_caption_model.h"
#include "translator/translator.h"

namespace dhyan {
namespace {

std::filesystem::path saved_model(const TemporaryFolder& folder, const std::string& name, std::uint64_t seed,
                                  const std::string& target = "I am eating") {
  Config config;
  config.tokenizer.kind = "word";
  config.recurrent.embedding = config.common.hidden = config.recurrent.output_hidden = 8;
  const TokenizerPair tokenizers = pair_trained_on<WordTokenizer>("मैं खाना खा रहा हूँ", target);
  save_model(folder.path(name), config, tokenizers, *make_model(config, tokenizers, Rng(seed)));
  return folder.path(name);
}

double log_p(LoadedModel loaded) {
  const std::vector<std::string> source{"मैं खा"}, target{"I am"};
  return Translator(std::move(loaded)).force(source, target, {}).front().hypothesis.log_probability;
}

TEST(LoadEnsemble, GivesScoresBetweenThoseOfItsModels) {
  const TemporaryFolder folder;
  const std::vector<std::filesystem::path> folders{saved_model(folder, "a", 1), saved_model(folder, "b", 2)};
  const double a = log_p(load_model(folders[0])), b = log_p(load_model(folders[1])),
               both = log_p(load_ensemble(folders));
  EXPECT_NE(a, b);
  EXPECT_GT(both, std::min(a, b));
  EXPECT_NEAR(log_p(load_ensemble(folders, {0, 1})), b, 1e-4);
  EXPECT_EQ(log_p(load_ensemble(std::span(folders).first(1))), a) << "one model is that model";
}

TEST(LoadEnsemble, RefusesModelsOfOtherPictures) {
  const TemporaryFolder folder;
  LoadedModel small = tiny_caption_model();
  save_model(folder.path("small"), small.config, small.tokenizers, *small.model);
  small.config.common.backbone.image_size = 32;
  save_model(folder.path("large"), small.config, small.tokenizers, *make_model(small.config, small.tokenizers, Rng(1)));
  const std::vector<std::filesystem::path> folders{folder.path("small"), folder.path("large")};
  EXPECT_EQ(thrown<ModelFileError>([&] { load_ensemble(folders); }),
            folder.path("small") + " and " + folder.path("large") +
                " read different sources, 16 x 16 pixels and 32 x 32 pixels; models that translate together must read "
                "the same");
  EXPECT_TRUE(Translator(load_ensemble(std::vector{folders[0], folders[0]})).model().pictures());
}

TEST(LoadEnsemble, RefusesOtherVocabularies) {
  const TemporaryFolder folder;
  const std::vector<std::filesystem::path> folders{saved_model(folder, "a", 1), saved_model(folder, "b", 2, "I eat")};
  EXPECT_EQ(thrown<ModelFileError>([&] { load_ensemble(folders); }),
            cat(folders[0].string(), " and ", folders[1].string(),
                " differ in the vocabulary of the target; models that translate together must have the same"));
}

}  // namespace
}  // namespace dhyan
