#include "translator/learn_tokenizers.h"

namespace dhyan {

namespace {

enum class Side { kSource, kTarget, kBoth };

std::optional<SubwordSampling> sampling_of(const TokenizerConfig& config) {
  return config.sampled ? std::optional(config.sampling) : std::nullopt;
}

// The sentences of one side, or of both in turn, of all corpora.
class Sentences {
 public:
  Sentences(std::span<const CorpusInput> corpora, Side side) : corpora_(corpora), side_(side) {}

  bool next(std::string& line) {
    if (target_is_next_) {
      target_is_next_ = false;
      line = pair_.target;
      return true;
    }
    if (!next_pair()) return false;
    line = side_ == Side::kTarget ? pair_.target : pair_.source;
    target_is_next_ = side_ == Side::kBoth;
    return true;
  }

 private:
  bool next_pair() {
    while (pairs_ == nullptr || !pairs_->next(pair_)) {
      if (at_ == corpora_.size()) return false;
      pairs_ = corpora_[at_++].open();
    }
    return true;
  }

  std::span<const CorpusInput> corpora_;
  Side side_;
  std::size_t at_ = 0;
  std::unique_ptr<PairSource> pairs_;
  SentencePair pair_;
  bool target_is_next_ = false;
};

std::shared_ptr<const Tokenizer> learn(const TokenizerConfig& config, std::span<const CorpusInput> corpora, Side side) {
  TokenizerOptions settings = config.settings;
  settings.fewer_is_fine = true;
  Sentences sentences(corpora, side);
  const LineSource lines = [&sentences](std::string& line) { return sentences.next(line); };
  return tokenizer_kind(config.kind).train(lines, settings, sampling_of(config)).tokenizer;
}

}  // namespace

TokenizerPair learn_tokenizers(const TokenizerConfig& config, Material material, std::span<const CorpusInput> corpora) {
  const bool pairs = material == Material::kPairs;
  if (pairs && !config.shared) return {learn(config, corpora, Side::kSource), learn(config, corpora, Side::kTarget)};
  const std::shared_ptr<const Tokenizer> both = learn(config, corpora, pairs ? Side::kBoth : Side::kSource);
  return {both, both};
}

TokenizerPair load_tokenizers(const TokenizerConfig& config, const std::filesystem::path& folder) {
  return load_tokenizers(config.kind, folder, sampling_of(config));
}

}  // namespace dhyan
