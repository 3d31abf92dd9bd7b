// A training step and greedy decoding of recurrent models: tokens a second, and how much of the time is products. A
// table goes to stderr, the same numbers as JSON to stdout.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "kernels/runtime.h"
#include "models/recurrent_model.h"
#include "program.h"
#include "training/parallel_step.h"

namespace dhyan::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Settings {
  int threads = 1;
  int rounds = 9;
  int sentences = 64;
  int words = 15;
  int hidden = 256;
  int vocabulary = 8000;
};

struct Preset {
  std::string name;
  RecurrentConfig config;
};

std::vector<Preset> presets(const Settings& settings) {
  const Index H = settings.hidden;
  RecurrentConfig rnnsearch{.source_vocabulary = settings.vocabulary,
                            .target_vocabulary = settings.vocabulary,
                            .embedding = H,
                            .hidden = H,
                            .attention = {.hidden = H},
                            .output_hidden = H};
  RecurrentConfig luong = rnnsearch, seq2seq = rnnsearch;
  luong.cell = "lstm";
  luong.encoder_layers = luong.decoder_layers = 2;
  luong.directions = Directions::kForward;
  luong.timing = Timing::kAfter;
  luong.attention.score = "general";
  luong.output = OutputKind::kTanh;
  seq2seq.context = ContextKind::kNone;
  seq2seq.directions = Directions::kForward;
  return {{"rnnsearch", rnnsearch}, {"luong", luong}, {"seq2seq", seq2seq}};
}

// Sentences of words - words/4 .. words + words/4 words, as a batch of like lengths has them.
Batch make_sentences(const Settings& settings) {
  Rng rng(1);
  const Index spread = settings.words / 4;
  const auto sentence = [&] {
    const Index length =
        settings.words - spread + static_cast<Index>(rng.below(static_cast<std::uint64_t>(2 * spread + 1)));
    std::vector<TokenId> tokens;
    for (Index i = 1; i < length; ++i) {
      tokens.push_back(
          static_cast<TokenId>(kEnd + 1 + rng.below(static_cast<std::uint64_t>(settings.vocabulary - kEnd - 1))));
    }
    tokens.push_back(kEnd);
    return tokens;
  };
  std::vector<std::vector<TokenId>> sentences(static_cast<std::size_t>(2 * settings.sentences));
  std::ranges::generate(sentences, sentence);
  std::vector<Example> examples;
  for (std::size_t i = 0; i < sentences.size(); i += 2) examples.push_back({sentences[i], sentences[i + 1], i});
  return make_batch(examples);
}

// Of forward and backward products with weights, which is nearly all there is: three for each weight and row.
double weight_flops(const TranslationModel& model, const Batch& batch) {
  double flops = 0;
  for (const Parameter& weight : model.parameters()) {
    const bool table = weight.name.ends_with(".table"), matrix = weight.value.shape().rank() == 2;
    if (table || !matrix) continue;
    const bool of_source = weight.name.starts_with("encoder") || weight.name == "attention.score.U";
    const std::size_t rows = of_source ? batch.source.size() : batch.target.size();
    flops += 6 * static_cast<double>(weight.value.size()) * static_cast<double>(rows);
  }
  return flops;
}

Json measure_training(const Preset& preset, const Batch& batch, const Settings& settings) {
  const auto model = make_recurrent_model(preset.config, Rng(1));
  ThreadPool pool = kernels::make_thread_pool(settings.threads);
  ParallelStep step(model->parameters(), pool, settings.threads);
  const std::vector<Batch> shards = cut_into_shards(batch, settings.threads);
  std::vector<double> seconds;
  for (int round = -2; round < settings.rounds; ++round) {
    const double taken = seconds_of([&] {
      step.run(Rng(1), [&](Scope& scope, Index shard) {
        return model->loss(scope, shards[static_cast<std::size_t>(shard)]).loss;
      });
    });
    if (round >= 0) seconds.push_back(taken);  // before: warming up
  }
  const double taken = std::ranges::min(seconds), flops = weight_flops(*model, batch);
  return {{"name", preset.name},    {"parameters", model->parameters().element_count()},
          {"step_ms", 1e3 * taken}, {"target_tokens_per_second", static_cast<double>(batch.target.size()) / taken},
          {"gflop", flops / 1e9},   {"gflops", flops / 1e9 / taken}};
}

// All sentences for as many steps as they have words, the most likely word each time.
Json measure_decoding(const Preset& preset, const Batch& batch, const Settings& settings) {
  const auto model = make_recurrent_model(preset.config, Rng(1));
  const auto B = static_cast<std::size_t>(batch.sentences());
  std::vector<RowId> rows(B);
  for (std::size_t b = 0; b < B; ++b) rows[b] = static_cast<RowId>(b);
  const Segments hypotheses = Segments::singles(batch.sentences());
  std::vector<double> seconds;
  for (int round = -1; round < settings.rounds; ++round) {
    const double taken = seconds_of([&] {
      const auto decoding = model->decode({batch.source, batch.source_segments});
      std::vector<TokenId> tokens(B, kBegin);
      for (Index t = 0; t < settings.words; ++t) {
        const Tensor logits = decoding->step({rows, tokens, hypotheses}).logits.value();  // [B,V]
        for (std::size_t b = 0; b < B; ++b) {
          const std::span<const Real> row = logits.row(static_cast<Index>(b));
          tokens[b] = static_cast<TokenId>(std::ranges::max_element(row) - row.begin());
        }
      }
    });
    if (round >= 0) seconds.push_back(taken);
  }
  const auto words = static_cast<double>(settings.words * batch.sentences());
  return {{"name", preset.name}, {"tokens_per_second", words / std::ranges::min(seconds)}};
}

void run(const Settings& settings) {
  const Batch batch = make_sentences(settings);
  Json report{{"threads", settings.threads}, {"target_tokens", batch.target.size()}};
  std::fprintf(stderr, "%d threads, %d sentences, %zu target tokens\n%-12s %10s %10s %12s %10s %14s\n",
               settings.threads, static_cast<int>(settings.sentences), batch.target.size(), "", "step ms", "GFLOP",
               "GFLOP/s", "tokens/s", "greedy tok/s");
  for (const Preset& preset : presets(settings)) {
    const Json training = measure_training(preset, batch, settings), greedy = measure_decoding(preset, batch, settings);
    std::fprintf(stderr, "%-12s %10.1f %10.1f %12.0f %10.0f %14.0f\n", preset.name.c_str(),
                 training["step_ms"].get<double>(), training["gflop"].get<double>(), training["gflops"].get<double>(),
                 training["target_tokens_per_second"].get<double>(), greedy["tokens_per_second"].get<double>());
    report["training"].push_back(training);
    report["greedy"].push_back(greedy);
  }
  std::cout << report.dump(2) << '\n';
}

}  // namespace
}  // namespace dhyan::bench

int main(int argc, char** argv) {
  dhyan::bench::Settings settings;
  return dhyan::bench::run_program(
      argc, argv, "Recurrent models: training steps and greedy decoding",
      {{"--threads", settings.threads, "Threads of a training step; decoding has one", 1, 256},
       {"--rounds", settings.rounds, "Measured rounds; the best is reported", 1, 1000},
       {"--sentences", settings.sentences, "Sentences of the batch", 1, 1 << 20},
       {"--words", settings.words, "Their length, more or less", 1, 1 << 10},
       {"--hidden", settings.hidden, "Width of all layers", 1, 1 << 14},
       {"--vocabulary", settings.vocabulary, "Words of either language", 1, 1 << 20}},
      [&] { dhyan::bench::run(settings); });
}
