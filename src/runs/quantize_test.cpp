#include "runs/quantize.h"

#include <cmath>
#include <gtest/gtest.h>

#include "attention/scores.h"
#include "attention/windows.h"
#include "config/model_kinds.h"
#include "config/options.h"
#include "config/presets.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "interop/parameter_file.h"
#include "models/testing/tiny_models.h"
#include "runs/average.h"
#include "text/word_tokenizer.h"
#include "translator/translator.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

// "w0" to "w<n-1>".
std::shared_ptr<const Tokenizer> numbered_words(int n) {
  TokenCounts counts;
  for (int i = 0; i < n; ++i) counts[cat("w", i)] = 1;
  return std::make_shared<WordTokenizer>(Vocabulary::from_counts(counts));
}

// Enough words that the embeddings are large enough to be quantized.
TokenizerPair some_words() { return {numbered_words(30), numbered_words(25)}; }
TokenizerPair shared_words() {
  const auto words = numbered_words(30);
  return {words, words};
}

// Above 16, and not a multiple of any vector width.
Config small_config(std::string_view kind) {
  Config config;
  config.model = kind;
  config.tokenizer.kind = "word";
  config.recurrent.embedding = 18;
  config.common.hidden = 24;
  config.recurrent.output_hidden = 20;
  config.common.attention = {.score = "additive", .heads = 2, .longest = 30};
  config.transformer.feed_forward = 22;
  config.transformer.longest = 40;
  config.transformer.positions = "learned";
  return config;
}

class Quantized : public FolderTest {
 protected:
  void save(const Config& config, const TokenizerPair& tokenizers) const {
    save_model(folder_ / "full", config, tokenizers, *make_model(config, tokenizers, Rng(4)));
  }
  void quantize(Existing existing = Existing::kRefuse) const {
    quantize_model(folder_ / "full", folder_ / "int8", existing);
  }
  std::string at(const char* name) const { return (folder_ / name).string(); }
};

// The int8 model predicts almost as the float model does, for every kind, score and window.
TEST_F(Quantized, ModelsOfEveryKindScoreAndWindowLoseLittleAccuracy) {
  const auto compare = [&](const Config& config, const TokenizerPair& tokenizers) {
    const auto full = make_model(config, tokenizers, Rng(4)), rounded = make_model(config, tokenizers, Rng(5));
    save_int8_parameters(folder_ / "weights", full->parameters());
    load_prepacked_parameters(folder_ / "weights", rounded->parameters());
    const std::vector<ExampleSize> sizes{{6, 6}, {3, 3}, {1, 1}};
    const Batch batch = random_pairs(3, sizes, tokenizers.source->size(), tokenizers.target->size());
    const double before = nll_of(*full, batch), after = nll_of(*rounded, batch);
    EXPECT_NEAR(after, before, 0.01 * before);
    EXPECT_NE(after, before);
  };
  for (const ModelKind& kind : model_kinds()) {
    SCOPED_TRACE(kind.name);
    compare(small_config(kind.name), shared_words());
  }
  for (const char* kind : {"recurrent", "transformer"}) {
    for (const ScoreEntry& score : scores()) {
      SCOPED_TRACE(cat(kind, " ", score.name));
      Config config = small_config(kind);
      config.common.attention.score = score.name;
      config.recurrent.directions = Directions::kForward;
      compare(config, some_words());
    }
    for (const WindowEntry& window : windows()) {
      SCOPED_TRACE(cat(kind, " ", window.name));
      Config config = small_config(kind);
      config.common.attention.window = window.name;
      compare(config, some_words());
    }
  }
  for (const char* cell : {"rnn", "gru", "lstm"}) {
    SCOPED_TRACE(cell);
    Config config = small_config("recurrent");
    config.recurrent.cell = cell;
    config.recurrent.timing = Timing::kAfter;
    config.recurrent.embedding = config.recurrent.output_hidden = 20;
    config.common.tying = Tying::kDecoder;
    compare(config, some_words());
  }
}

TEST_F(Quantized, TranslationsDoNotDependOnTheBatch) {
  std::vector<std::string> lines;
  for (int i = 0; i < 40; ++i) {
    std::string& line = lines.emplace_back("w1");
    for (int word = 0; word < i % 13; ++word) line += cat(" w", (i * 7 + word * 3) % 30);
  }
  const std::pair<const char*, const char*> kinds[] = {
      {"recurrent", "additive"},
      {"transformer", "additive"},
      {"transformer", "scaled_dot"}};  // the last has a bfloat16 KV cache
  for (const auto& [kind, score] : kinds) {
    SCOPED_TRACE(cat(kind, " ", score));
    Config config = small_config(kind);
    config.common.attention.score = score;
    save(config, some_words());
    quantize(Existing::kOverwrite);
    const Translator full(folder_ / "full"), rounded(folder_ / "int8");
    const SearchOptions search{.beam_size = 2, .max_length = 8};
    const auto together = rounded.translate(lines, search);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Hypothesis &now = together[i].front().hypothesis,
                       alone = rounded.translate(std::span(&lines[i], 1), search).front().front().hypothesis;
      EXPECT_EQ(now.tokens, alone.tokens);
      EXPECT_EQ(now.token_scores, alone.token_scores);
    }
    std::vector<std::string> texts;
    for (const auto& list : together) texts.push_back(list.front().text);
    const auto before = full.force(lines, texts, {}), after = rounded.force(lines, texts, {});
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const double log_p = before[i].hypothesis.log_probability;
      EXPECT_NEAR(after[i].hypothesis.log_probability, log_p, 0.02 * std::abs(log_p));
    }
  }
}

TEST_F(Quantized, ModelHasACompleteFolder) {
  save(small_config("recurrent"), some_words());
  const QuantizedModel made = quantize_model(folder_ / "full", folder_ / "int8", Existing::kRefuse);
  EXPECT_EQ(made.bytes_before, fs::file_size(folder_ / "full/model.safetensors"));
  EXPECT_EQ(made.bytes_after, fs::file_size(folder_ / "int8/model.safetensors"));
  for (const char* name : {"config.json", "source.vocab", "target.vocab"}) {
    EXPECT_EQ(read(cat("int8/", name)), read(cat("full/", name))) << name;
  }
  const std::string readme = read("int8/README.md");
  EXPECT_NE(readme.find(cat("dhyan quantize ", at("full"), " -o ", at("int8"))), std::string::npos) << readme;
  EXPECT_NE(readme.find(cat("dhyan translate -m ", at("int8"))), std::string::npos) << readme;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "int8"), {}), 5) << "and nothing of the work is left";
}

TEST_F(Quantized, ModelDoesNotOverwriteAnotherByDefault) {
  save(small_config("recurrent"), some_words());
  quantize();
  EXPECT_EQ(thrown<UsageError>([&] { quantize(); }),
            at("int8") + ": holds a model; --overwrite replaces it, -o names another folder");
  write("int8/mine.txt", "kept");
  write("int8/train.log", "of another model");
  quantize(Existing::kOverwrite);
  EXPECT_EQ(read("int8/mine.txt"), "kept");
  EXPECT_FALSE(fs::exists(folder_ / "int8/train.log"));
  for (const Existing existing : {Existing::kRefuse, Existing::kOverwrite}) {
    EXPECT_EQ(thrown<UsageError>([&] { quantize_model(folder_ / "full", folder_ / "int8/../full/", existing); }),
              at("int8/../full/") + ": is the model itself; -o names another folder");
  }
}

TEST_F(Quantized, ModelNeedsAFloatModel) {
  EXPECT_THROW(quantize(), ModelFileError) << "there is no such folder";
  save(small_config("recurrent"), some_words());
  quantize();
  const std::string refusal =
      thrown<ModelFileError>([&] { quantize_model(folder_ / "int8", folder_ / "again", Existing::kRefuse); });
  EXPECT_NE(refusal.find("int8/model.safetensors: its weights are int8"), std::string::npos) << refusal;
  EXPECT_THROW(average_models({folder_ / "int8/model.safetensors", folder_ / "full/model.safetensors"}, at("mean")),
               ModelFileError);
  const std::string before = read("int8/model.safetensors");
  write("full/model.safetensors", "damaged");
  EXPECT_THROW(quantize(Existing::kOverwrite), ModelFileError);
  EXPECT_EQ(read("int8/model.safetensors"), before) << "what was there stays";
  EXPECT_FALSE(fs::exists(folder_ / "again"));
  EXPECT_FALSE(fs::exists(folder_ / "mean"));
}

TEST_F(Quantized, ModelOfUsualSizeIsAQuarterAsLarge) {
  const auto words = numbered_words(8000);
  const TokenizerPair tokenizers{words, words};
  for (const char* name : {"transformer-tiny", "rnnsearch"}) {
    Config config;
    assign(config, preset(name));
    const auto model = make_model(config, tokenizers, Rng(4));
    save_int8_parameters(folder_ / "weights", model->parameters());
    const double full = static_cast<double>(model->parameters().element_count()) * sizeof(float);
    EXPECT_LT(static_cast<double>(fs::file_size(folder_ / "weights")), 0.3 * full) << name;
  }
}

}  // namespace
}  // namespace dhyan
