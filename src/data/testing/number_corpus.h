#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "data/build_cache.h"

namespace dhyan {

// For tests: a tokenizer whose words are numbers, which are also their ids. Sampling sometimes adds <unk> before a
// word.
class NumberTokenizer final : public Tokenizer {
 public:
  explicit NumberTokenizer(std::uint64_t fingerprint, Index size = 1000) : fingerprint_(fingerprint), size_(size) {}

  Encoded encode(std::string_view line) const override {
    return encode_with(line, [] { return false; });
  }
  Encoded encode_sampled(std::string_view line, Rng& rng) const override {
    return encode_with(line, [&] { return rng.uniform() < 0.5; });
  }
  std::string decode(std::span<const TokenId> ids) const override {
    std::string text;
    for (const TokenId id : ids) text += cat(text.empty() ? "" : " ", id);
    return text;
  }
  Index size() const override { return size_; }
  std::string_view piece(TokenId) const override { return ""; }
  std::uint64_t fingerprint() const override { return fingerprint_; }
  void save(const std::filesystem::path&, std::string_view) const override {}

 private:
  Encoded encode_with(std::string_view line, const auto& split) const {
    Encoded encoded;
    const auto add = [&](TokenId id, std::size_t begin, std::size_t end) {
      encoded.ids.push_back(id);
      encoded.pieces.push_back({static_cast<Index>(begin), static_cast<Index>(end)});
    };
    for (std::size_t begin = 0; begin < line.size();) {
      const std::size_t end = std::min(line.find(' ', begin), line.size());
      if (split()) add(kUnknown, begin, begin);
      if (end > begin) add(static_cast<TokenId>(std::stoi(std::string(line.substr(begin, end - begin)))), begin, end);
      begin = end + 1;
    }
    return encoded;
  }

  std::uint64_t fingerprint_;
  Index size_;
};

class FakePairs final : public PairSource {
 public:
  explicit FakePairs(std::vector<SentencePair> pairs, bool targets = true)
      : pairs_(std::move(pairs)), targets_(targets) {}

  bool next(SentencePair& pair) override {
    if (at_ == pairs_.size()) return false;
    pair = pairs_[at_++];
    return true;
  }
  bool has_targets() const override { return targets_; }

 private:
  std::vector<SentencePair> pairs_;
  bool targets_;
  std::size_t at_ = 0;
};

// Sides have 1 to 9 tokens; no two sources are equal.
inline std::vector<SentencePair> fake_pairs(int count, std::uint64_t seed = 1) {
  std::vector<SentencePair> pairs;
  Rng rng(seed);
  const auto words = [&](std::uint64_t more) {
    std::string text;
    for (std::uint64_t i = 0; i < more; ++i) text += cat(" ", 10 + rng.below(900));
    return text;
  };
  for (int n = 0; n < count; ++n) {
    SentencePair pair;
    pair.source = cat(10 + n % 900, " ", 10 + n / 900, words(rng.below(8)));
    pair.target = cat(10 + n % 900, words(rng.below(9)));
    pair.line = static_cast<std::uint64_t>(n) + 1;
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace dhyan
