#include "data/mixture.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/rng.h"
#include "data/permutation.h"
#include "data/rng_streams.h"
#include "data/token_cache_format.h"

namespace dhyan {

namespace {

constexpr Index kFinestRuns = Index{1} << 20;
constexpr double kHeaviest = 1e6;

std::uint64_t part_of(std::uint64_t whole, std::uint64_t part, std::uint64_t parts) {
  // whole * part / parts without overflow.
  return whole / parts * part + whole % parts * part / parts;
}

}  // namespace

Mixture::Mixture(std::vector<Corpus> corpora, Index buffer_tokens)
    : corpora_(std::move(corpora)), buffer_tokens_(buffer_tokens) {
  if (buffer_tokens < 1)
    throw ConfigError(cat("batches: a shuffle buffer of ", buffer_tokens, " tokens, expected at least 1"));
  std::uint64_t runs = 0;
  for (std::size_t c = 0; c < corpora_.size(); ++c) {
    const Corpus& corpus = corpora_[c];
    if (!(corpus.weight >= 0 && corpus.weight <= kHeaviest)) {
      throw ConfigError(cat("batches: corpus ", c, " has weight ", corpus.weight, ", expected 0 to ", kHeaviest));
    }
    runs += before(corpus, 1);
  }
  if (runs == 0) throw DataError(cat("batches: ", corpora_.size(), " corpora, but not one pair in an epoch"));
}

std::uint64_t Mixture::runs_of(const Corpus& corpus) const {
  return static_cast<std::uint64_t>((corpus.pairs + corpus.run - 1) / corpus.run);
}

std::uint64_t Mixture::before(const Corpus& corpus, std::uint64_t epoch) const {
  return static_cast<std::uint64_t>(
      std::floor(static_cast<double>(runs_of(corpus)) * corpus.weight * static_cast<double>(epoch)));
}

Index Mixture::buffers(std::uint64_t epoch) const {
  double tokens = 0;
  for (const Corpus& corpus : corpora_) {
    if (corpus.pairs == 0) continue;
    const auto runs = static_cast<double>(before(corpus, epoch + 1) - before(corpus, epoch));
    tokens += runs / static_cast<double>(runs_of(corpus)) * static_cast<double>(corpus.tokens);
  }
  return std::max<Index>(1, static_cast<Index>(std::ceil(tokens / static_cast<double>(buffer_tokens_))));
}

std::vector<Run> Mixture::runs(std::uint64_t seed, std::uint64_t epoch, Index buffer) const {
  const auto part = static_cast<std::uint64_t>(buffer), parts = static_cast<std::uint64_t>(buffers(epoch));
  if (buffer < 0 || part >= parts) throw UsageError(cat("batches: shuffle buffer ", buffer, " of ", parts));
  const Rng orders = stream_of(seed, StreamName::kOrder);
  std::vector<Run> runs;
  for (std::size_t c = 0; c < corpora_.size(); ++c) {
    const Corpus& corpus = corpora_[c];
    const std::uint64_t all = runs_of(corpus), begin = before(corpus, epoch);
    const std::uint64_t count = before(corpus, epoch + 1) - begin;
    const std::uint64_t first = begin + part_of(count, part, parts), last = begin + part_of(count, part + 1, parts);
    for (std::uint64_t at = first; at < last;) {
      const std::uint64_t pass = at / all;
      const Permutation order(all, orders.split(c).split(pass));
      for (; at < last && at / all == pass; ++at) {
        const Index from = static_cast<Index>(order[at % all]) * corpus.run;
        runs.push_back({c, pass, from, std::min(from + corpus.run, corpus.pairs)});
      }
    }
  }
  return runs;
}

Index pairs_of_a_run(Index pairs) {
  Index run = 1;
  while (run < cache_format::kBlockPairs && pairs / run > kFinestRuns) run *= 2;
  return run;
}

}  // namespace dhyan
