#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/tokenizer_training.h"
#include "text/vocabulary.h"

namespace dhyan {

// How often each word occurs, by its smallest symbols.
using SymbolCounts = std::map<std::vector<std::string>, std::uint64_t>;

struct LearnedMerges {
  std::vector<std::string> symbols;  // the smallest ones, then the merged ones in the order of learning
  std::vector<std::pair<std::string, std::string>> merges;
};

// Byte pair encoding ([sennrich2016]) over words that the caller cuts into symbols: again and again the most frequent
// pair of neighbours becomes one symbol; of equal ones, the pair of symbols that were known first.
class MergeLearner {
 public:
  using CountLine = void (*)(std::string_view line, SymbolCounts& counts);

  MergeLearner(const LineSource& lines, const TokenizerOptions& options, CountLine count_line);

  // `always` are symbols that are known whether the text has them or not. Without room for all symbols, the rarest are
  // left out. Merges end when the vocabulary, special tokens included, has its size, or no pair occurs twice.
  LearnedMerges learn(std::string (*join)(std::string_view first, std::string_view second),
                      const std::vector<std::string>& always) const;

  const TrainingReport& report() const { return report_; }

 private:
  std::vector<std::string> smallest_symbols(std::vector<std::string> always, std::size_t most) const;

  TokenizerOptions options_;
  SymbolCounts counts_;
  TrainingReport report_;
};

// The special tokens and these.
Vocabulary vocabulary_of(const std::vector<std::string>& tokens);

}  // namespace dhyan
