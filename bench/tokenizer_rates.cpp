#include "tokenizer_rates.h"

#include <chrono>

#include "text/tokenizer_factory.h"

namespace dhyan::bench {

namespace {

constexpr std::size_t kLines = 20'000;

double lines_per_second(const std::vector<std::string>& lines, const auto& encode) {
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& line : lines) encode(line);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return static_cast<double>(lines.size()) / taken.count();
}

LineSource source_of(const std::vector<std::string>& lines) {
  return [&lines, next = std::size_t{0}](std::string& line) mutable {
    if (next == lines.size()) return false;
    line = lines[next++];
    return true;
  };
}

}  // namespace

std::vector<TokenizerRate> tokenizer_rates(const CorpusSpec& corpus) {
  std::vector<std::string> lines;
  SentencePair pair;
  for (const auto pairs = open_pairs(corpus); lines.size() < kLines && pairs->next(pair);) lines.push_back(pair.source);
  TokenizerOptions options;
  options.vocabulary_size = 4'000;
  std::vector<TokenizerRate> rates;
  for (const TokenizerKind& kind : tokenizer_kinds()) {
    const auto tokenizer = kind.train(source_of(lines), options, SubwordSampling{}).tokenizer;
    Rng rng(1);
    rates.push_back({std::string(kind.name),
                     lines_per_second(lines, [&](const std::string& line) { tokenizer->encode(line); }),
                     lines_per_second(lines, [&](const std::string& line) { tokenizer->encode_sampled(line, rng); })});
  }
  return rates;
}

}  // namespace dhyan::bench
