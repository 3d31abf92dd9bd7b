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
  // So small that a model of any preset is made at once.
  for (const char* width : {"hidden", "embedding", "readout-hidden", "feed-forward", "attention-hidden"}) {
    const auto option = std::ranges::find(options(), width, &Option::name);
    option->set(config, {"", width, {"16"}});
  }
  config.tokenizer.shared = true;
  config.common.encoder_layers = 2;  // residual connections need two
  config.common.decoder_layers = 1;
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

// A value that the option does not have.
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

// Starting points: every preset, alone and with what the conditions ask for.
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

TEST(OptionConditions, RefuseByNameWhatHasNoEffectAndAcceptTheRestForEveryPresetAndOption) {
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

TEST(OptionConditions, HoldForWhateverChangesTheWeights) {
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

TEST(OptionConditions, AreTheSameForAConfigThatWasWrittenAndReadAgain) {
  for (const Config& config : starting_points()) {
    for (const Option& option : options()) {
      const std::optional<Setting> setting = another_value(option, config);
      Config changed = config, from_json, from_yaml;
      if (setting) assign(changed, *setting);
      assign(from_json, parse_json("config.json", to_json(changed)));
      assign(from_yaml, parse_yaml("dump", to_yaml(changed)));
      EXPECT_EQ(to_json(from_json), to_json(changed)) << option.name;
      EXPECT_EQ(to_yaml(from_yaml), to_yaml(changed)) << option.name;
      EXPECT_NO_THROW(expect_to_apply(from_yaml, parse_yaml("dump", to_yaml(changed)))) << option.name;
    }
  }
}

TEST(OptionConditions, SayWhatTheModelHasInstead) {
  const auto refusal = [](std::string_view name, const std::string& yaml) {
    Config config;
    assign(config, preset(name));
    const std::vector<Setting> settings = parse_yaml("my.yaml", yaml);
    assign(config, settings);
    return thrown<ConfigError>([&] { expect_to_apply(config, settings); });
  };
  const std::string transformer =
      "needs a recurrent model; model is transformer, which has hidden, heads, feed-forward, activation, norm and "
      "positions instead";
  EXPECT_EQ(refusal("transformer-tiny", "hidden: 8\ncell: lstm"), "my.yaml:2: cell " + transformer);
  EXPECT_EQ(refusal("transformer-tiny", "directions: both"), "my.yaml:1: directions " + transformer);
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

TEST(OptionConditions, AllowResidualConnectionsWhereverALayerHasOne) {
  for (const char* layers : {"hidden: 4\ndirections: both", "hidden: 8\ndirections: forward",
                             "hidden: 5\nencoder-layers: 2", "hidden: 5\ndecoder-layers: 2"}) {
    Config config;
    const std::vector<Setting> settings = parse_yaml("my.yaml", cat("embedding: 8\nresidual: true\n", layers));
    assign(config, settings);
    EXPECT_NO_THROW(expect_to_apply(config, settings)) << layers;
  }
}

TEST(OptionConditions, NameOptionsThatTheModelHas) {
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
