#include "text/merge_learner.h"

#include <algorithm>
#include <queue>
#include <set>

#include "core/error.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

using Symbol = std::size_t;
using SymbolPair = std::pair<Symbol, Symbol>;

struct CountedWord {
  std::vector<Symbol> symbols;
  std::uint64_t count = 0;
};

// Words as numbers of symbols, and for each pair of neighbours how often it occurs and where.
class PairTable {
 public:
  void add_word(CountedWord word) {
    const std::size_t place = words_.size();
    words_.push_back(std::move(word));
    for (std::size_t i = 0; i + 1 < words_[place].symbols.size(); ++i) count(place, i);
  }

  // The most frequent pair that occurs at least twice; empty if there is none.
  std::optional<SymbolPair> best() {
    while (!queue_.empty()) {
      const Candidate top = queue_.top();
      queue_.pop();
      const std::uint64_t now = pairs_[top.pair].count;
      if (now == top.count) return top.pair;
      if (now > 1) queue_.push({now, top.pair});  // it has lost some since
    }
    return std::nullopt;
  }

  void merge(SymbolPair pair, Symbol merged) {
    const std::set<std::size_t> places = std::move(pairs_[pair].words);
    for (const std::size_t place : places) {
      CountedWord& word = words_[place];
      for (std::size_t i = 0; i + 1 < word.symbols.size(); ++i) pairs_[pair_at(place, i)].count -= word.count;
      std::vector<Symbol> symbols;
      for (std::size_t i = 0; i < word.symbols.size(); ++i) {
        const bool found = i + 1 < word.symbols.size() && pair_at(place, i) == pair;
        symbols.push_back(found ? merged : word.symbols[i]);
        if (found) ++i;
      }
      word.symbols = std::move(symbols);
      for (std::size_t i = 0; i + 1 < word.symbols.size(); ++i) count(place, i);
    }
    pairs_.erase(pair);
  }

 private:
  struct Found {
    std::uint64_t count = 0;
    std::set<std::size_t> words = {};  // that have or had it
  };
  struct Candidate {
    std::uint64_t count;
    SymbolPair pair;
    bool operator<(const Candidate& other) const {
      return count != other.count ? count < other.count : pair > other.pair;
    }
  };

  SymbolPair pair_at(std::size_t place, std::size_t i) const {
    return {words_[place].symbols[i], words_[place].symbols[i + 1]};
  }

  void count(std::size_t place, std::size_t i) {
    const SymbolPair pair = pair_at(place, i);
    Found& found = pairs_[pair];
    found.count += words_[place].count;
    found.words.insert(place);
    if (found.count > 1) queue_.push({found.count, pair});
  }

  std::vector<CountedWord> words_;
  std::map<SymbolPair, Found> pairs_;
  std::priority_queue<Candidate> queue_;
};

}  // namespace

MergeLearner::MergeLearner(const LineSource& lines, const TokenizerOptions& options, CountLine count_line)
    : options_(options) {
  for (std::string line; lines(line);) {
    if (options_.poll) options_.poll();
    ++report_.lines;
    require_utf8(line, cat("training line ", report_.lines));
    ++(line.empty() ? report_.empty : report_.used);
    count_line(line, counts_);
  }
}

std::vector<std::string> MergeLearner::smallest_symbols(std::vector<std::string> always, std::size_t most) const {
  std::map<std::string_view, std::uint64_t> often;
  for (const auto& [symbols, count] : counts_) {
    for (const std::string& symbol : symbols) often[symbol] += count;
  }
  for (const std::string& symbol : always) often.erase(symbol);
  std::vector<std::pair<std::uint64_t, std::string_view>> ranked;
  for (const auto& [symbol, count] : often) {
    if (!is_special_token(symbol)) ranked.emplace_back(count, symbol);
  }
  std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [count, symbol] : ranked) {
    if (always.size() < most) always.emplace_back(symbol);
  }
  return always;
}

LearnedMerges MergeLearner::learn(std::string (*join)(std::string_view, std::string_view),
                                  const std::vector<std::string>& always) const {
  const Index size = options_.vocabulary_size.value_or(kUsualVocabularySize);
  const Index least = std::ssize(kSpecialTokens) + std::ssize(always) + 1;
  if (size < least || size > Vocabulary::kMaxSize) {
    throw ConfigError(cat("vocabulary: the size is ", size, ", expected ", least, " to ", Vocabulary::kMaxSize));
  }
  const auto most = static_cast<std::size_t>(size) - kSpecialTokens.size();
  LearnedMerges learned{.symbols = smallest_symbols(always, most), .merges = {}};
  std::map<std::string, Symbol, std::less<>> numbers;
  for (std::size_t i = 0; i < learned.symbols.size(); ++i) numbers.emplace(learned.symbols[i], i);
  PairTable table;
  for (const auto& [symbols, count] : counts_) {
    CountedWord word{.symbols = {}, .count = count};
    const bool known = std::ranges::all_of(symbols, [&](const std::string& symbol) {
      const auto found = numbers.find(symbol);
      if (found == numbers.end()) return false;
      word.symbols.push_back(found->second);
      return true;
    });
    if (known) table.add_word(std::move(word));
  }
  while (learned.symbols.size() < most) {
    if (options_.poll) options_.poll();
    const std::optional<SymbolPair> pair = table.best();
    if (!pair) break;
    const std::string first = learned.symbols[pair->first], second = learned.symbols[pair->second];
    const auto [found, is_new] = numbers.emplace(join(first, second), learned.symbols.size());
    if (is_new) learned.symbols.push_back(found->first);
    learned.merges.emplace_back(first, second);
    table.merge(*pair, found->second);
  }
  return learned;
}

Vocabulary vocabulary_of(const std::vector<std::string>& tokens) {
  std::string file;
  for (const std::string_view token : kSpecialTokens) file += cat(token, '\n');
  for (const std::string& token : tokens) file += escape_token(token) + '\n';
  return Vocabulary::parse("vocabulary", file);
}

}  // namespace dhyan
