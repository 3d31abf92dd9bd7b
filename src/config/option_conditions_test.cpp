#include "config/option_conditions.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "config/model_kinds.h"
#include "config/presets.h"
#include "core/error.h"
#include "core/testing/thrown.h"
#include "text/word_tokenizer.h"

namespace dhyan {
namespace {

Config of_preset(std::string_view name) {
  Config config;
  assign(config, preset(name));
  // Small settings, so that models of every preset are built quickly.
  for (const char* width : {"hidden", "embedding", "readout-hidden", "feed-forward", "attention-hidden"}) {
    const auto option = std::ranges::find(options(), width, &Option::name);
    option->set(config, {"", width, {"16"}});
  }
  config.tokenizer.shared = true;
  config.common.encoder_layers = 2;  // residual connections need two
  config.common.decoder_layers = reads_pictures(config) ? 2 : 1;
  config.common.attention.heads = std::min<Index>(2, config.common.attention.heads);
  return config;
}

Config with(Config config, const std::vector<std::pair<std::string, std::string>>& settings) {
  for (const auto& [name, value] : settings) assign(config, Setting{"", name, {value}});
  return config;
}

// The names and shapes of all weights.
std::string weights_of(const Config& config) {
  static const TokenizerPair tokenizers = [] {
    const auto both = std::make_shared<WordTokenizer>(Vocabulary::from_counts({{"one", 1}, {"two", 1}}));
    return TokenizerPair{both, both};
  }();
  const std::unique_ptr<Model> model = make_model(config, tokenizers, Rng(1));
  std::string text;
  for (const Parameter& weight : model->parameters()) {
    text += cat(weight.name, " ", weight.value.shape(), "\n");
  }
  return text;
}

// Another value than the option's current one.
std::optional<Setting> another_value(const Option& option, const Config& config) {
  const std::vector<std::string> now = option.get(config);
  std::vector<std::string> values = option.choices;
  if (option.choices.empty()) values = {"2", "4", "0.5", "17", "1"};
  for (const std::string& value : values) {
    if (std::vector{value} == now) continue;
    const Setting setting{"--" + option.name, option.name, {value}, Origin::kCommandLine};
    try {
      Config changed = config;
      assign(changed, setting);
      check(changed);
      return setting;
    } catch (const Error&) {
      continue;
    }
  }
  return std::nullopt;
}

// Configs to start from: every preset, alone and with the settings that conditions need.
std::vector<Config> starting_points() {
  std::vector<Config> configs;
  for (const PresetText& text : preset_texts()) {
    const Config config = of_preset(text.name);
    configs.push_back(config);
    configs.push_back(with(config, {{"tokenizer", "bpe"},
                                    {"subword-sampling", "true"},
                                    {"positions", "learned"},
                                    {"score", "location"},
                                    {"average", "3"},
                                    {"optimizer", "sgd"}}));
    configs.push_back(with(config, {{"train", "a.tsv"},
                                    {"window", "local-m"},
                                    {"timing", "after"},
                                    {"schedule", "epoch-decay"},
                                    {"tokenizer-from", "other/"}}));
  }
  return configs;
}

TEST(OptionConditions, RefuseOnlyOptionsWithoutEffectForEveryPreset) {
  std::size_t refused = 0, accepted = 0;
  for (const Config& config : starting_points()) {
    for (const Option& option : options()) {
      const Setting setting{"--" + option.name, option.name, option.get(config), Origin::kCommandLine};
      if (applies(option, config)) {
        ++accepted;
        EXPECT_NO_THROW(expect_to_apply(config, std::span(&setting, 1))) << option.name;
        continue;
      }
      ++refused;
      const std::string message = thrown<UsageError>([&] { expect_to_apply(config, std::span(&setting, 1)); });
      EXPECT_TRUE(message.starts_with(cat("--", option.name, " needs "))) << message;
      EXPECT_NE(message.find("; "), message.npos) << message;
    }
  }
  EXPECT_GT(refused, 500u);
  EXPECT_GT(accepted, 500u);
}

TEST(OptionConditions, HoldForOptionsThatChangeTheWeights) {
  for (const Config& config : starting_points()) {
    const std::string before = weights_of(config);
    for (const Option& option : options()) {
      if (applies(option, config)) continue;
      const std::optional<Setting> setting = another_value(option, config);
      if (!setting) continue;
      Config changed = config;
      assign(changed, *setting);
      EXPECT_EQ(weights_of(changed), before) << option.name << " of " << config.model;
    }
  }
}

TEST(OptionConditions, AreTheSameAfterAConfigIsWrittenAndRead) {
  for (const Config& config : starting_points()) {
    for (const Option& option : options()) {
      const std::optional<Setting> setting = another_value(option, config);
      Config changed = config, from_json, from_yaml;
      if (setting) assign(changed, *setting);
      const std::string json = to_json(changed), yaml = to_yaml(changed);
      const std::vector<Setting> settings = parse_yaml("dump", yaml);
      assign(from_json, parse_json("config.json", json));
      assign(from_yaml, settings);
      EXPECT_EQ(to_json(from_json), json) << option.name;
      EXPECT_EQ(to_yaml(from_yaml), yaml) << option.name;
      EXPECT_NO_THROW(expect_to_apply(from_yaml, settings)) << option.name;
    }
  }
}

TEST(OptionConditions, NameTheValueThatTheModelHasInstead) {
  const auto refusal = [](std::string_view name, const std::string& yaml) {
    Config config;
    assign(config, preset(name));
    const std::vector<Setting> settings = parse_yaml("my.yaml", yaml);
    assign(config, settings);
    return thrown<ConfigError>([&] { expect_to_apply(config, settings); });
  };
  const std::string has =
      "; model is transformer, which has hidden, heads, feed-forward, activation, norm and positions instead";
  const std::string transformer = "needs a recurrent model" + has;
  EXPECT_EQ(refusal("transformer-tiny", "hidden: 8\ncell: lstm"), "my.yaml:2: cell " + transformer);
  EXPECT_EQ(refusal("transformer-tiny", "directions: both"), "my.yaml:1: directions needs a recurrent encoder" + has);
  EXPECT_EQ(refusal("transformer-tiny", "readout: tanh"), "my.yaml:1: readout " + transformer);
  EXPECT_EQ(refusal("seq2seq", "score: dot"),
            "my.yaml:1: score needs a model with attention; context is none, which gives the decoder the last state of "
            "the encoder instead; context attention gives it attention");
  EXPECT_EQ(refusal("seq2seq-context", "window: hard"),
            "my.yaml:1: window needs a model with attention; context is fixed, which gives the decoder one vector of "
            "the source instead; context attention gives it attention");
  const std::string recurrent =
      "needs a model of self-attention layers; model is recurrent, which has cell, embedding, directions, readout, "
      "layer-norm and residual instead";
  EXPECT_EQ(refusal("rnnsearch", "feed-forward: 64"), "my.yaml:1: feed-forward " + recurrent);
  EXPECT_EQ(refusal("rnnsearch", "positions: learned"), "my.yaml:1: positions " + recurrent);
  EXPECT_EQ(refusal("rnnsearch", "embedding: 8\nhidden: 8\nresidual: true"),
            "my.yaml:3: residual needs a layer whose input is as wide as its output; encoder-layers and decoder-layers "
            "are 1, and the encoder's output is not as wide as the embedding");
  EXPECT_EQ(refusal("gpt-nano", "tie-embeddings: all"),
            "my.yaml:1: tie-embeddings all needs a model that translates; model is language-model, whose input and "
            "output tie-embeddings decoder ties");
  EXPECT_NE(refusal("bert-nano", "tie-embeddings: all").find("model is masked-language-model"), std::string::npos);
  EXPECT_EQ(refusal("rnnsearch", "attention-radius: 3"),
            "my.yaml:1: attention-radius needs window local-m or local-p; window is global");
  EXPECT_EQ(refusal("rnnsearch", "total-steps: 100"),
            "my.yaml:1: total-steps needs schedule cosine; schedule is plateau");
  EXPECT_EQ(refusal("rnnsearch", "tokenizer: char\nsubword-sampling: true"),
            "my.yaml:2: subword-sampling needs tokenizer unigram or bpe; tokenizer is char");
  EXPECT_EQ(
      refusal("gpt-nano", "validate-beam-size: 4"),
      "my.yaml:1: validate-beam-size needs held-out pairs to translate; model is language-model, which is trained "
      "on plain text and measured by loss and perplexity");
}

TEST(OptionConditions, NameTheEncoderOfTheModelInstead) {
  const auto refusal = [](const std::string& yaml) {
    Config config;
    const std::vector<Setting> settings = parse_yaml("my.yaml", yaml);
    assign(config, settings);
    return thrown<ConfigError>([&] { expect_to_apply(config, settings); });
  };
  EXPECT_EQ(refusal("image-size: 32"),
            "my.yaml:1: image-size needs a backbone that is trained from the beginning; encoder is text");
  EXPECT_EQ(refusal("encoder: conv\npatch-size: 4"), "my.yaml:2: patch-size needs encoder patches; encoder is conv");
  EXPECT_EQ(refusal("encoder: conv\ngrid-size: 14"),
            "my.yaml:2: grid-size needs a pretrained backbone; encoder is conv");
  EXPECT_EQ(refusal("encoder: efficientnet-lite0\ngrid-width: 14"),
            "my.yaml:2: grid-width needs a backbone that is trained from the beginning; encoder is efficientnet-lite0");
  EXPECT_EQ(refusal("model: language-model\nencoder: conv"),
            "my.yaml:2: encoder needs a model with an encoder and a decoder; model is language-model, which reads text "
            "alone");
  EXPECT_EQ(refusal("encoder: conv\ndirections: forward"),
            "my.yaml:2: directions needs a recurrent encoder; encoder is conv");
  EXPECT_EQ(refusal("encoder: conv\nencoder-layers: 2"),
            "my.yaml:2: encoder-layers needs a model with an encoder of layers; encoder is conv");
  EXPECT_EQ(refusal("encoder: conv\nresidual: true"),
            "my.yaml:2: residual needs a layer whose input is as wide as its output; decoder-layers is 1");
  EXPECT_EQ(refusal("encoder: conv\nphrasebook: fr-en"),
            "my.yaml:2: phrasebook needs a training on the built-in phrasebook; the model reads pictures");
  EXPECT_EQ(refusal("scenes: 10"),
            "my.yaml:1: scenes needs a training on the built-in picture book; the model reads "
            "text");
  EXPECT_EQ(refusal("encoder: conv\ntrain: a.tsv\npicturebook: hi"),
            "my.yaml:3: picturebook needs a training on the built-in picture book; train names a.tsv");
  EXPECT_EQ(refusal("encoder: conv\nimages: pictures"),
            "my.yaml:2: images needs files of captions to train on; train names no file, so that the built-in picture "
            "book is used");
  EXPECT_EQ(refusal("train: a.tsv\npicture-cache: pictures"),
            "my.yaml:2: picture-cache needs files of captions to train on; the model reads text");
  EXPECT_EQ(refusal("encoder: conv\nshared-vocabulary: true"),
            "my.yaml:2: shared-vocabulary needs two vocabularies to learn; the source is a picture");
  EXPECT_EQ(refusal("encoder: conv\nvalid-alignments: gold"),
            "my.yaml:2: valid-alignments needs a decoder that attends to a sentence; the source is a picture");
  EXPECT_EQ(refusal("encoder: conv\ntrain: a.tsv\nsource-lang: hi"),
            "my.yaml:3: source-lang needs a model that reads text; the model reads pictures");
}

TEST(OptionConditions, HoldForModelsOfPictures) {
  for (const char* yaml :
       {"encoder: conv\nimage-size: 32\ngrid-width: 8\npicturebook: hi\nscenes: 10\nguided-alignment: [picturebook]",
        "model: transformer\nencoder: patches\npatch-size: 4\nencoder-layers: 2\nvalidate-samples: 1",
        "encoder: efficientnet-lite0\nencoder-weights: w\ngrid-size: 14\ntuned-blocks: 2",
        "encoder: conv\ntrain: a.tsv\nimages: pictures\npicture-cache: cache\nvalidate-sentences: 7"}) {
    Config config;
    const std::vector<Setting> settings = parse_yaml("my.yaml", yaml);
    assign(config, settings);
    EXPECT_NO_THROW(expect_to_apply(config, settings)) << yaml;
    EXPECT_NO_THROW(check(config)) << yaml;
  }
}

TEST(Configs, AreRefusedIfImpossibleForPictures) {
  const auto refusal = [](const std::string& yaml) {
    Config config;
    assign(config, parse_yaml("my.yaml", yaml));
    return thrown<ConfigError>([&] { check(config); });
  };
  EXPECT_EQ(refusal("encoder: efficientnet-lite0"),
            "encoder efficientnet-lite0 is pretrained; encoder-weights names the file of its weights");
  EXPECT_EQ(refusal("encoder: conv\nhidden: 7"), "hidden is 7; expected an even number for positions on a grid");
  EXPECT_EQ(refusal("encoder: conv\ntie-embeddings: all"),
            "tie-embeddings is all, and a picture has no words; expected none or decoder");
  EXPECT_EQ(refusal("encoder: conv\nwindow: local-m"),
            "window is local-m, which moves along a sentence; a picture needs global or hard");
  EXPECT_EQ(refusal("encoder: patches\nimage-size: 60"),
            "patches: pictures of 60x60 pixels, expected a multiple of the patch of 8");
}

// Before memory is taken for a model, load_model() compares a file's size with this.
TEST(Configs, HaveALowerBoundOfWeightsForPictures) {
  const auto words = std::make_shared<WordTokenizer>(Vocabulary::from_counts({{"one", 1}, {"two", 1}}));
  const TokenizerPair tokenizers{words, words};
  for (const char* model : {"recurrent", "transformer"}) {
    for (const BackboneEntry& backbone : backbones()) {
      for (const char* width : {"64", "4096"}) {
        Config config;
        assign(config, parse_yaml("my.yaml", cat("model: ", model, "\nencoder: ", backbone.name, "\ngrid-width: ",
                                                 width, "\nhidden: 64\nembedding: 32\nreadout-hidden: 32\n",
                                                 "feed-forward: 32\nencoder-weights: file")));
        const auto made =
            static_cast<double>(make_model(config, tokenizers, Rng::unused())->parameters().element_count());
        const double least = model_kind(config).least_weights(config, tokenizers);
        EXPECT_LE(least, made) << model << " " << backbone.name;
        EXPECT_GE(least, made / 20) << model << " " << backbone.name;
      }
    }
  }
}

TEST(OptionConditions, AllowResidualConnectionsIfAnyLayerHasOne) {
  for (const char* layers : {"hidden: 4\ndirections: both", "hidden: 8\ndirections: forward",
                             "hidden: 5\nencoder-layers: 2", "hidden: 5\ndecoder-layers: 2"}) {
    Config config;
    const std::vector<Setting> settings = parse_yaml("my.yaml", cat("embedding: 8\nresidual: true\n", layers));
    assign(config, settings);
    EXPECT_NO_THROW(expect_to_apply(config, settings)) << layers;
  }
}

TEST(OptionConditions, NameOptionsOfTheModel) {
  for (const std::string_view name : {"transformer-tiny", "rnnsearch"}) {
    const Config config = of_preset(name);
    std::string found = option_table::kRecurrentModel.found(config);
    found = found.substr(found.find("has ") + 4);
    std::size_t named = 0;
    for (const Option& option : options()) {
      const std::size_t at = found.find(option.name);
      const std::size_t end = at + option.name.size();
      if (at == found.npos || (found[end] != ',' && found[end] != ' ') || (at > 0 && found[at - 1] != ' ')) continue;
      ++named;
      EXPECT_TRUE(applies(option, config)) << option.name;
    }
    EXPECT_GE(named, 5u) << found;
  }
}

}  // namespace
}  // namespace dhyan
