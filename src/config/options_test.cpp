#include "config/options.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "attention/testing/made_up_score.h"
#include "core/choice.h"
#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

Setting flag(std::string name, std::vector<std::string> values) {
  return {"--" + name, name, std::move(values), Origin::kCommandLine};
}

std::string refusal(const std::string& name, const std::string& value) {
  return thrown<UsageError>([&] {
    Config config;
    assign(config, flag(name, {value}));
  });
}

bool accepts(const Option& option, const std::string& value) {
  try {
    Config config;
    assign(config, flag(option.name, {value}));
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

// A value that is not the default.
std::vector<std::string> another(const Option& option) {
  if (option.kind == OptionKind::kWords && !option.choices.empty()) return option.choices;
  if (option.kind == OptionKind::kWords) return {"a b.tsv", "- c", "नमस्ते.hi"};
  if (option.kind == OptionKind::kNumbers) return {"0.1", "3"};
  const std::string usual = option.get(Config()).front();
  for (const std::string& choice : option.choices) {
    if (choice != usual) return {choice};
  }
  if (option.value == "CODE") return {"pt-BR"};
  if (option.kind == OptionKind::kWord) return {"a word: \"with\" 'signs' # \\ ध्यान"};
  for (const std::string number : {"2", "777", "0.5", "0.987654321", "48"}) {
    if (accepts(option, number) && number != usual) return {number};
  }
  ADD_FAILURE() << option.name << ": no other value is known";
  return {usual};
}

Config changed() {
  Config config;
  for (const Option& option : options()) {
    if (option.choices.size() != 1) assign(config, flag(option.name, another(option)));
  }
  return config;
}

TEST(Options, HaveNamesOfTheirOwnGroupsAndHelp) {
  std::set<std::string> names;
  for (const Option& option : options()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name << " twice";
    EXPECT_EQ(option.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos) << option.name;
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_FALSE(option.group.empty()) << option.name;
  }
}

TEST(Options, CannotChangeInAResumedTrainingIfItsStateDependsOnThem) {
  for (const char* name : {"hidden", "optimizer", "batch-tokens", "batch-sentences", "precision", "seed", "stop-on"}) {
    EXPECT_EQ(std::ranges::find(options(), name, &Option::name)->on_resume, OnResume::kKept) << name;
  }
  for (const char* name : {"max-steps", "patience", "average", "clip-norm"}) {
    EXPECT_EQ(std::ranges::find(options(), name, &Option::name)->on_resume, OnResume::kMayChange) << name;
  }
}

TEST(Options, AcceptAScoreOfTheTest) {
  const LongerTable longer;
  const std::vector<Option> table = make_options(longer.tables());
  const auto score = std::ranges::find(table, "score", &Option::name);
  EXPECT_EQ(score->choices.back(), "made_up") << "which is what help lists";
  Config config;
  score->set(config, flag("score", {"made_up"}));
  EXPECT_EQ(config.common.attention.score, "made_up");
  EXPECT_THROW(assign(config, flag("score", {"made_up"})), UsageError) << "the built-in table has none such";
}

TEST(Options, ReturnTheValuesThatWereSet) {
  Config config;
  for (const Option& option : options()) {
    const std::vector<std::string> before = option.get(config);
    assign(config, flag(option.name, before));
    EXPECT_EQ(option.get(config), before) << option.name;
  }
}

TEST(Options, AreDifferentFields) {
  const Config config = changed(), defaults;
  for (const Option& option : options()) {
    if (option.choices.size() == 1) continue;
    EXPECT_NE(option.get(config), option.get(defaults)) << option.name;
  }
}

TEST(Options, RoundTripThroughYamlAndJson) {
  const Config before = changed();
  Config from_yaml, from_json;
  assign(from_yaml, parse_yaml("dump", to_yaml(before)));
  assign(from_json, parse_json("config.json", to_json(before)));
  for (const Option& option : options()) {
    const Config& expected = applies(option, before) ? before : Config();
    EXPECT_EQ(option.get(from_yaml), option.get(expected)) << option.name;
    EXPECT_EQ(option.get(from_json), option.get(expected)) << option.name;
  }
  EXPECT_EQ(to_yaml(from_yaml), to_yaml(before));
  EXPECT_EQ(to_json(from_json), to_json(before));
}

TEST(Options, KeepEveryBitOfANumber) {
  Config config, again;
  config.training.schedule_settings.learning_rate = 0.1 + 0.2;
  config.training.seed = ~std::uint64_t{0};
  assign(again, parse_json("config.json", to_json(config)));
  EXPECT_EQ(again.training.schedule_settings.learning_rate, 0.1 + 0.2);
  EXPECT_EQ(again.training.seed, ~std::uint64_t{0});
}

TEST(Options, TakeTheirChoicesFromTheTables) {
  const auto score = std::ranges::find(options(), "score", &Option::name);
  EXPECT_EQ(score->choices, names_of(scores()));
  const auto schedule = std::ranges::find(options(), "schedule", &Option::name);
  EXPECT_EQ(schedule->choices, names_of(schedules()));
}

TEST(Options, NameTheNearestNameAndTheRangeInErrors) {
  EXPECT_EQ(refusal("hiden", "3"), "--hiden: there is no option 'hiden'; did you mean 'hidden'?");
  EXPECT_EQ(refusal("qqq", "3"), "--qqq: there is no option 'qqq'");
  EXPECT_EQ(refusal("timing", "befor"), "--timing: 'befor' is none of before, after, between; did you mean 'before'?");
  EXPECT_EQ(refusal("cell", "x"), "--cell: 'x' is none of rnn, gru, lstm");
  EXPECT_EQ(refusal("precision", "foo"), "--precision: 'foo' is none of float32, bfloat16");
  EXPECT_EQ(refusal("keep-best", "bleuu"),
            "--keep-best: 'bleuu' is none of loss, perplexity, bleu, chrf, coco-bleu4, cider-d, true-captions, aer; "
            "did you mean 'bleu'?");
  for (const std::string wrong : {"0", "99999999999999999999999", "12.5", "12x", ""}) {
    EXPECT_EQ(refusal("hidden", wrong), cat("--hidden is '", wrong, "', expected a whole number from 1 to 65536"));
  }
  EXPECT_EQ(refusal("source-lang", "../hi"),
            "--source-lang is '../hi', expected the code of a language, such as hi or pt-BR");
  EXPECT_EQ(refusal("dropout", "nan"), "--dropout is 'nan', expected a number from 0 to 0.99");
  EXPECT_EQ(refusal("residual", "maybe"), "--residual: 'maybe' is not true or false");
  EXPECT_EQ(refusal("train-weights", "-1"), "--train-weights is '-1', expected a number from 0 to 1e+06");
  Config config;
  EXPECT_EQ(thrown<UsageError>([&] {
              assign(config, flag("cell", {"gru", "lstm"}));
            }),
            "--cell has 2 values, expected one");
}

TEST(Options, ResetAnOptionalNumber) {
  Config config;
  assign(config, flag("epsilon", {"0.5"}));
  EXPECT_EQ(config.training.optimizer_settings.epsilon, 0.5);
  assign(config, flag("epsilon", {"default"}));
  EXPECT_EQ(config.training.optimizer_settings.epsilon, std::nullopt);
}

TEST(Options, TakeTheValueSetLast) {
  Config config;
  const std::vector<Setting> first = parse_yaml("a.yaml", "hidden: 10\nembedding: 20\n");
  const std::vector<Setting> second = parse_yaml("b.yaml", "hidden: 30\n");
  assign(config, first);
  assign(config, second);
  EXPECT_EQ(config.common.hidden, 30);
  EXPECT_EQ(config.recurrent.embedding, 20);
  EXPECT_EQ(config.recurrent.cell, Config().recurrent.cell);
}

}  // namespace
}  // namespace dhyan
