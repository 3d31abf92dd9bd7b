#include "lab/parallel.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "core/error.h"
#include "core/number_text.h"
#include "kernels/simd/runtime.h"
#include "models/recurrent_model.h"
#include "models/transformer_model.h"
#include "text/tokenizer.h"
#include "training/parallel_step.h"

namespace dhyan::lab {

namespace {

constexpr int kParallelShards = 4;  // and sentences of a step of training: on several threads each has one

// Sentence pairs of random words, all of one length.
Batch pairs_of_length(Index pairs, Index length, Index vocabulary) {
  Rng rng(static_cast<std::uint64_t>(length));
  std::vector<std::vector<TokenId>> sentences(static_cast<std::size_t>(2 * pairs));
  for (std::vector<TokenId>& sentence : sentences) {
    while (std::ssize(sentence) < length - 1) {
      sentence.push_back(static_cast<TokenId>(kEnd + 1 + rng.below(static_cast<std::uint64_t>(vocabulary - kEnd - 1))));
    }
    sentence.push_back(kEnd);
  }
  std::vector<Example> examples;
  for (std::size_t i = 0; i < static_cast<std::size_t>(pairs); ++i) {
    examples.push_back({sentences[2 * i], sentences[2 * i + 1], i});
  }
  return make_batch(examples);
}

// Seconds of a call: the shortest of calls that take `least` seconds together, without what other processes took.
template <class F>
double seconds_of(const LabRun& run, double least, const F& call) {
  using Clock = std::chrono::steady_clock;
  constexpr int kFewest = 5;
  call();  // allocates what the others use again
  double shortest = HUGE_VAL, sum = 0;
  for (int calls = 0; sum < least || calls < kFewest; ++calls) {
    run.poll();
    const auto start = Clock::now();
    call();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    shortest = std::min(shortest, seconds);
    sum += seconds;
  }
  return shortest;
}

// Time of a forward pass over one sentence pair, per token of source and target.
double forward_time(const LabRun& run, const TranslationModel& model, ThreadPool& pool, const ParallelSize& size,
                    Index length) {
  const Batch batch = pairs_of_length(1, length, size.vocabulary);
  Arena arena;
  const double seconds = seconds_of(run, size.seconds, [&] {
    pool.run(1, [&](Index, int worker) {
      arena.reset();
      Scope scope(arena, &pool.intra_op(worker));
      model.loss(scope, batch);
    });
  });
  return seconds / static_cast<double>(2 * length);
}

// Time of forward and backward over kParallelShards sentence pairs, per token.
double training_time(const LabRun& run, const TranslationModel& model, ThreadPool& pool, const ParallelSize& size,
                     Index length) {
  const std::vector<Batch> shards =
      cut_into_shards(pairs_of_length(kParallelShards, length, size.vocabulary), kParallelShards);
  ParallelStep step(model.parameters(), pool, kParallelShards);
  const double seconds = seconds_of(run, size.seconds, [&] {
    step.run(Rng(0), [&](Scope& scope, Index shard) {
      return model.loss(scope, shards[static_cast<std::size_t>(shard)]).loss;
    });
  });
  return seconds / static_cast<double>(2 * length * kParallelShards);
}

RecurrentConfig recurrent_of(const ParallelSize& size, ContextKind context) {
  RecurrentConfig config;
  config.source_vocabulary = config.target_vocabulary = size.vocabulary;
  config.hidden = config.embedding = config.output_hidden = size.hidden;
  config.directions = Directions::kForward;
  config.context = context;
  return config;
}

// The measurements of a model, in the order of measure_model().
constexpr auto kTimes = std::to_array<std::string_view>(
    {"forward, 1 thread", "forward, all threads", "training, 1 thread", "training, all threads"});

// The chain, then microseconds per token.
std::vector<double> measure_model(LabRun& run, const ParallelSize& size, const TranslationModel& model, Index length) {
  ThreadPool alone = kernels::make_thread_pool(1);
  return {static_cast<double>(longest_chain(model, size, length)), 1e6 * forward_time(run, model, alone, size, length),
          1e6 * forward_time(run, model, run.pool(), size, length),
          1e6 * training_time(run, model, alone, size, length),
          1e6 * training_time(run, model, run.pool(), size, length)};
}

// The measurements of a model, by length.
struct ParallelCurves {
  std::string name;
  std::vector<std::vector<double>> values;

  double chain(std::size_t length) const { return values[length][0]; }
  double gain(std::size_t length) const { return values[length][1] / values[length][2]; }  // of all threads, forward
};

Plot plot_of_values(const ParallelSize& size, const std::vector<ParallelCurves>& all, std::size_t value, Plot plot) {
  plot.across = "length in tokens";
  plot.scale = plot.scale_across = Scale::kLogarithmic;
  for (const ParallelCurves& curves : all) {
    PlotLine& line = plot.lines.emplace_back(PlotLine{curves.name, {}});
    for (std::size_t i = 0; i < size.lengths.size(); ++i) {
      line.points.push_back({static_cast<double>(size.lengths[i]), curves.values[i][value]});
    }
  }
  return plot;
}

std::string chains_in_words(const ParallelSize& size, const std::vector<ParallelCurves>& all) {
  const std::size_t last = size.lengths.size() - 1;
  std::string text =
      cat("longest chain of operations from ", size.lengths.front(), " to ", size.lengths.back(), " tokens: ");
  for (std::size_t i = 0; i < all.size(); ++i) {
    text += cat(i == 0 ? "" : ", ", all[i].name, ' ', all[i].chain(0), " to ", all[i].chain(last));
  }
  text += "; the speed of a forward pass of the longest on all threads, divided by that on one: ";
  for (std::size_t i = 0; i < all.size(); ++i)
    text += cat(i == 0 ? "" : ", ", all[i].name, ' ', fixed(all[i].gain(last), 2));
  return text;
}

}  // namespace

std::vector<ParallelModel> parallel_models(const ParallelSize& size) {
  TransformerConfig transformer;
  transformer.source_vocabulary = transformer.target_vocabulary = size.vocabulary;
  transformer.hidden = size.hidden;
  transformer.feed_forward = 2 * size.hidden;
  transformer.attention.score = "scaled_dot";
  transformer.attention.heads = 4;
  std::vector<ParallelModel> models;
  models.push_back({"RNN", make_recurrent_model(recurrent_of(size, ContextKind::kNone), Rng(1))});
  models.push_back({"RNN with attention", make_recurrent_model(recurrent_of(size, ContextKind::kAttention), Rng(1))});
  models.push_back({"Transformer", make_transformer_model(transformer, Rng(1))});
  return models;
}

Index longest_chain(const TranslationModel& model, const ParallelSize& size, Index length) {
  Arena arena;
  Scope scope(arena);
  return model.loss(scope, pairs_of_length(1, length, size.vocabulary)).loss.node().depth;
}

Findings run_parallel(LabRun& run, const ParallelSize& size) {
  std::vector<ParallelCurves> all;
  const auto progress = run.observer().progress("measuring");
  for (const ParallelModel& one : parallel_models(size)) {
    ParallelCurves& curves = all.emplace_back(ParallelCurves{one.name, {}});
    for (const Index length : size.lengths) {
      std::string file = cat(one.name, "-", length, "-threads-", run.options().threads);
      std::ranges::replace(file, ' ', '-');
      curves.values.push_back(run.measured(file, [&] { return measure_model(run, size, *one.model, length); }));
      if (curves.values.back().size() != 1 + kTimes.size())
        throw DataError(cat("parallel: ", file, ": expected ", 1 + kTimes.size(), " values"));
      if (progress)
        progress->update((all.size() - 1) * size.lengths.size() + curves.values.size(), 3 * size.lengths.size(),
                         "lengths");
    }
  }
  Findings findings;
  add_plot(findings,
           plot_of_values(size, all, 0,
                          {.title = "Longest chain of operations",
                           .across = "",
                           .lines = {},
                           .up = "operations",
                           .reading = "Operations of a forward pass of which each needs the result of the one before, "
                                      "counted on the graph; the "
                                      "backward pass runs through the same chain in the other direction."}),
           "chains");
  for (std::size_t i = 0; i < kTimes.size(); ++i) {
    add_plot(
        findings,
        plot_of_values(size, all, i + 1,
                       {.title = cat("Time of a token: ", kTimes[i]), .across = "", .lines = {}, .up = "microseconds"}),
        cat("time-", i / 2 == 0 ? "forward" : "training", i % 2 == 0 ? "-one-thread" : "-all-threads"));
  }
  const std::size_t last = size.lengths.size() - 1;
  const double longer = static_cast<double>(size.lengths.back()) / static_cast<double>(size.lengths.front());
  const auto growth = [&](std::size_t model) { return all[model].chain(last) / all[model].chain(0); };
  findings.measured = chains_in_words(size, all);
  findings.holds = growth(0) > longer / 2 && growth(1) > longer / 2 && growth(2) == 1;
  return findings;
}

}  // namespace dhyan::lab
