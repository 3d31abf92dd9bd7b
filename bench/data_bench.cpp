// The speed and memory of the data pipeline from text to batches, and how long training waits for it. A table goes to
// stderr, the same numbers as JSON to stdout.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "data/batch_stream.h"
#include "data/build_cache.h"
#include "data/permutation.h"
#include "kernels/simd/runtime.h"
#include "program.h"
#include "stack.h"
#include "synthetic_corpus.h"
#include "text/word_tokenizer.h"
#include "tokenizer_rates.h"
#include "training/parallel_step.h"

namespace dhyan::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Settings {
  int pairs = 5'000'000;
  int threads = all_threads();
  int steps = 100;
};

// A field of /proc/self/status in MB: "VmHWM" is the peak of resident memory, "VmRSS" its current size.
double memory_mb(std::string_view field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field)) return std::stod(line.substr(field.size() + 1)) / 1024;
  }
  return 0;
}

std::shared_ptr<const Tokenizer> word_tokenizer(const SyntheticCorpus& corpus) {
  TokenCounts counts;
  SentencePair pair;
  const auto pairs = open_pairs(corpus.spec());
  for (int i = 0; i < 100'000 && pairs->next(pair); ++i) {
    WordTokenizer::count(pair.source, counts);
    WordTokenizer::count(pair.target, counts);
  }
  return std::make_shared<WordTokenizer>(Vocabulary::from_counts(counts));
}

// Text to cache: reading, checking, tokenising, writing.
Json measure_cache(const SyntheticCorpus& corpus, const std::shared_ptr<const Tokenizer>& tokenizer,
                   const Settings& settings, std::shared_ptr<const TokenCache>& cache) {
  std::uint64_t fingerprint = 0;
  const double hashing = seconds_of([&] { fingerprint = corpus_fingerprint(corpus.spec()); });
  const CacheRecipe recipe{.source = tokenizer.get(), .target = tokenizer.get()};
  const std::filesystem::path path = corpus.folder() / "cache";
  const auto prepare = [&] {
    cache = prepare_token_cache(path, [&] { return open_pairs(corpus.spec()); }, fingerprint, recipe,
                                {.threads = settings.threads})
                .cache;
  };
  const double building = seconds_of(prepare);
  const double finding = seconds_of(prepare);
  return {{"pairs", cache->pairs()},
          {"tokens", cache->tokens()},
          {"text_mb", static_cast<double>(corpus.bytes()) / 1e6},
          {"cache_mb", static_cast<double>(std::filesystem::file_size(path)) / 1e6},
          {"hash_seconds", hashing},
          {"build_seconds", building},
          {"lines_per_second", 2 * static_cast<double>(cache->pairs()) / building},
          {"verify_seconds", finding},
          {"peak_rss_mb", memory_mb("VmHWM:")}};
}

// Random reads: pairs in random order, in runs of adjacent pairs.
Json measure_random_reads(const TokenCache& cache) {
  Json rates = Json::array();
  for (const Index run : {1, 8, 64}) {
    const auto runs = static_cast<std::uint64_t>(std::max<Index>(1, cache.pairs() / run));
    const Permutation order(runs, Rng(1));
    const Index read = std::min<Index>(static_cast<Index>(runs) * run, 200'000);
    CacheReader reader(cache);
    const double seconds = seconds_of([&] {
      for (Index i = 0; i < read; ++i) {
        reader.ids(static_cast<Index>(order[static_cast<std::uint64_t>(i / run)]) * run + i % run);
      }
    });
    rates.push_back({{"run", run}, {"pairs_per_second", static_cast<double>(read) / seconds}});
  }
  return rates;
}

BatchOptions batch_options(const Settings& settings) { return {.threads = settings.threads}; }

// One epoch of batches without training.
Json measure_epoch(const std::shared_ptr<const TokenCache>& cache, const Settings& settings) {
  Index sentences = 0, tokens = 0, batches = 0;
  BatchStream stream({{cache}}, batch_options(settings));
  const double seconds = seconds_of([&] {
    while (stream.position().epoch == 0) {
      const Batch batch = stream.next();
      sentences += batch.sentences();
      tokens += batch.source_segments.rows() + batch.target_segments.rows();
      ++batches;
    }
  });
  return {{"sentences", sentences},
          {"batches", batches},
          {"seconds", seconds},
          {"lines_per_second", 2 * static_cast<double>(sentences) / seconds},
          {"tokens_per_second", static_cast<double>(tokens) / seconds},
          {"rss_mb", memory_mb("VmRSS:")},
          {"peak_rss_mb", memory_mb("VmHWM:")}};
}

// Steps of transformer-tiny's linear layers and loss on the rows of each batch, on all threads.
Json measure_training(const std::shared_ptr<const TokenCache>& cache, const Settings& settings) {
  ThreadPool pool(settings.threads, kernels::prepare_thread);
  const StackSize size{"transformer-tiny", 4, 128, 256, 8000};
  ParameterSet parameters;
  const Stack stack(parameters, size);
  ParallelStep step(parameters, pool, pool.size());
  const Tensor x = Tensor::zeros({4096, size.d});
  x.fill(Real{0.5});
  std::vector<RowId> targets(4096, 7);
  BatchStream stream({{cache}}, {.buffer_tokens = 1 << 18, .threads = 1});  // small, so that the stream loads many
  Batch batch = stream.next();
  const double first = stream.seconds_waited();
  double next_seconds = 0;
  const double seconds = seconds_of([&] {
    for (int i = 0; i < settings.steps; ++i) {
      next_seconds += seconds_of([&] { batch = stream.next(); });
      const std::vector<Batch> shards = cut_into_shards(batch, pool.size());
      step.run(Rng(1), [&](Scope& scope, Index shard) {
        const Index rows = std::max<Index>(1, shards[static_cast<std::size_t>(shard)].target_segments.rows());
        return stack.loss(scope, x.row_range(0, rows), std::span(targets).first(static_cast<std::size_t>(rows)));
      });
    }
  });
  return {{"steps", settings.steps},
          {"step_ms", 1e3 * seconds / settings.steps},
          {"first_batch_ms", 1e3 * first},
          {"next_ms", 1e3 * next_seconds / settings.steps},
          {"waiting_share", next_seconds / seconds}};
}

void print_table(const Json& report) {
  const auto number = [](const Json& part, const char* name) { return part[name].get<double>(); };
  const Json &cache = report["cache"], &epoch = report["epoch"], &training = report["training"];
  std::fprintf(stderr, "%.0f pairs, %.0f MB of text, %d threads\n\n", number(cache, "pairs"), number(cache, "text_mb"),
               report["threads"].get<int>());
  std::fprintf(stderr, "%-34s %14s %10s %12s\n", "", "lines/s", "seconds", "peak RSS");
  std::fprintf(stderr, "%-34s %14.0f %10.1f %9.0f MB\n", "text -> cache (words)", number(cache, "lines_per_second"),
               number(cache, "build_seconds"), number(cache, "peak_rss_mb"));
  std::fprintf(stderr, "%-34s %14.0f %10.1f %9.0f MB\n", "cache -> batches, one epoch",
               number(epoch, "lines_per_second"), number(epoch, "seconds"), number(epoch, "peak_rss_mb"));
  std::fprintf(stderr, "\n%-34s %14s %14s\n", "tokenising, one thread", "lines/s", "sampled");
  for (const Json& rate : report["tokenizers"]) {
    std::fprintf(stderr, "  %-32s %14.0f %14.0f\n", rate["kind"].get<std::string>().c_str(),
                 number(rate, "lines_per_second"), number(rate, "sampled_lines_per_second"));
  }
  std::fprintf(stderr, "\nrandom reads, pairs/s by run:");
  for (const Json& read : report["random_reads"]) {
    std::fprintf(stderr, "  %d: %.0f", read["run"].get<int>(), number(read, "pairs_per_second"));
  }
  std::fprintf(stderr, "\ntraining: step %.1f ms, of which data %.3f ms (%.2f%%); first batch after %.0f ms\n",
               number(training, "step_ms"), number(training, "next_ms"), 100 * number(training, "waiting_share"),
               number(training, "first_batch_ms"));
}

void run(const Settings& settings) {
  const SyntheticCorpus corpus(settings.pairs);
  const auto tokenizer = word_tokenizer(corpus);
  std::shared_ptr<const TokenCache> cache;
  Json report{{"threads", settings.threads}};
  report["cache"] = measure_cache(corpus, tokenizer, settings, cache);
  report["epoch"] = measure_epoch(cache, settings);
  report["random_reads"] = measure_random_reads(*cache);
  for (const TokenizerRate& rate : tokenizer_rates(corpus.spec())) {
    report["tokenizers"].push_back({{"kind", rate.kind},
                                    {"lines_per_second", rate.lines_per_second},
                                    {"sampled_lines_per_second", rate.sampled_lines_per_second}});
  }
  report["training"] = measure_training(cache, settings);
  print_table(report);
  std::cout << report.dump(2) << '\n';
}

}  // namespace
}  // namespace dhyan::bench

int main(int argc, char** argv) {
  dhyan::bench::Settings settings;
  return dhyan::bench::run_program(
      argc, argv,
      {.title = "Data benchmark: tokenising, caching, shuffling, batching; memory; waiting",
       .options = {{"--pairs", settings.pairs, "Pairs of the synthetic corpus", 1'000, 1'000'000'000},
                   {"--threads", settings.threads, "Threads", 1, 256},
                   {"--steps", settings.steps, "Training steps", 1, 100'000}}},
      [&] { dhyan::bench::run(settings); });
}
