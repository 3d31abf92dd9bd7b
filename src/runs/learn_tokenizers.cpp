#include "runs/learn_tokenizers.h"

#include "core/error.h"
#include "translator/model_folder.h"

namespace dhyan {

namespace {

enum class Side { kSource, kTarget, kBoth };

std::optional<SubwordSampling> sampling_of(const TokenizerConfig& config) {
  return config.sampled ? std::optional(config.sampling) : std::nullopt;
}

// Reads the sentences of all corpora: one side, or both sides alternately.
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

// The sides that get their own vocabulary.
std::vector<Side> vocabularies_of(const TokenizerConfig& config, DataKind data_kind) {
  if (data_kind == DataKind::kCaptions) return {Side::kTarget};
  if (data_kind != DataKind::kPairs) return {Side::kSource};
  return config.shared ? std::vector{Side::kBoth} : std::vector{Side::kSource, Side::kTarget};
}

LineSource sentences_of(std::span<const CorpusInput> corpora, Side side) {
  return [sentences = std::make_shared<Sentences>(corpora, side)](std::string& line) { return sentences->next(line); };
}

std::shared_ptr<const Tokenizer> learn(const TokenizerConfig& config, std::span<const CorpusInput> corpora, Side side,
                                       const std::function<void()>& poll) {
  TokenizerOptions settings = config.settings;
  settings.fewer_is_fine = true;
  settings.poll = poll;
  return tokenizer_kind(config.kind).train(sentences_of(corpora, side), settings, sampling_of(config)).tokenizer;
}

Index tokens_without_bytes(const Tokenizer& tokenizer) {
  Index count = 0;
  for (TokenId id = 0; id < tokenizer.size(); ++id) count += !tokenizer.is_byte(id);
  return count;
}

}  // namespace

std::string choose_tokenizers(TokenizerConfig& config, DataKind data_kind, std::span<const CorpusInput> corpora) {
  std::vector<TextProfile> texts;
  for (const Side side : vocabularies_of(config, data_kind)) {
    texts.push_back(profile_of(sentences_of(corpora, side), config.settings.sample_lines));
  }
  const TokenizerChoice choice = choose_tokenizer(config.kind, config.settings, texts);
  expect_possible_size(choice, texts);
  config.kind = choice.kind;
  config.settings.vocabulary_size = choice.vocabulary_size;
  config.settings.character_coverage = choice.character_coverage;
  return choice.reason;
}

void take_tokenizer_kind(TokenizerConfig& config, const std::filesystem::path& folder) {
  const bool given = config.kind != kChosenKind;
  if (given && !std::filesystem::exists(folder / kConfigFile)) return;
  const std::string kind = load_config(folder).tokenizer.kind;
  if (given && config.kind != kind) {
    throw UsageError(cat("tokenizer is ", config.kind, ", but the tokenizers are taken from ", folder.string(),
                         ", whose tokenizer is ", kind));
  }
  config.kind = kind;
}

TokenizerPair learn_tokenizers(const TokenizerConfig& config, DataKind data_kind, std::span<const CorpusInput> corpora,
                               const std::function<void()>& poll) {
  const std::vector<Side> sides = vocabularies_of(config, data_kind);
  const std::shared_ptr<const Tokenizer> first = learn(config, corpora, sides.front(), poll);
  return {first, sides.size() == 1 ? first : learn(config, corpora, sides.back(), poll)};
}

std::string fewer_than_asked(const TokenizerConfig& config, const TokenizerPair& tokenizers, SizeOf size) {
  const bool chosen = size == SizeOf::kChosen;
  if ((chosen && !is_subword_kind(config.kind)) || !config.settings.vocabulary_size) return {};
  const Index asked = *config.settings.vocabulary_size;
  const Index source = tokens_without_bytes(*tokenizers.source), target = tokens_without_bytes(*tokenizers.target);
  if (source >= asked && target >= asked) return {};
  const std::string found = tokenizers.shared() ? cat(source) : cat(source, " (source) and ", target, " (target)");
  if (chosen) return cat("the text gives only ", found, " tokens, fewer than the vocabulary-size chosen");
  return cat("vocabulary-size ", asked, " is not reached: the text gives ", found, " tokens",
             config.settings.min_count > 1 ? cat(" with min-count ", config.settings.min_count) : "");
}

TokenizerPair load_tokenizers(const TokenizerConfig& config, const std::filesystem::path& folder) {
  return load_tokenizers(config.kind, folder, sampling_of(config));
}

}  // namespace dhyan
