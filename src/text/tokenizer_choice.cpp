#include "text/tokenizer_choice.h"

#include <algorithm>

#include "core/error.h"
#include "core/number_text.h"

namespace dhyan {

namespace {

constexpr std::uint64_t kWordsPerToken = 100;
constexpr Index kSmallest = 1'000, kLargest = 8'000, kRoundedTo = 100;
constexpr Index kManyCharacters = 2'000;  // more: a large script such as Han
constexpr double kLargeScriptCoverage = 0.9995;
constexpr std::uint64_t kLettersPerWord = 2;  // of scripts without spaces

std::string in_groups(Index value) { return grouped(static_cast<std::uint64_t>(value)); }

std::uint64_t running_words(const TextProfile& text) {
  return text.words + unspaced_letters(text).unspaced / kLettersPerWord;
}

bool is_unspaced(const TextProfile& text) {
  const UnspacedLetters found = unspaced_letters(text);
  return 2 * found.unspaced > found.letters;
}

Index most_characters(std::span<const TextProfile> texts) {
  Index most = 0;
  for (const TextProfile& text : texts) most = std::max<Index>(most, std::ssize(text.characters));
  return most;
}

// The characters of a text that get pieces.
Index kept_characters(const TextProfile& text, double coverage) {
  return coverage >= 1 ? std::ssize(text.characters) : entries_for_share(counts_of(text.characters), coverage);
}

// Special tokens, the mark of a space, and a piece for each character.
Index least_subwords(const TextProfile& text, double coverage) {
  return std::ssize(kSpecialTokens) + 1 + kept_characters(text, coverage);
}

struct ChosenSize {
  Index size;
  std::string reason;
};

ChosenSize subword_size(std::span<const TextProfile> texts, double coverage) {
  std::uint64_t words = 0, types = 0;
  Index for_characters = 0;
  for (const TextProfile& text : texts) {
    words += running_words(text);
    types += text.types.size();
    for_characters = std::max(for_characters, 2 * kept_characters(text, coverage));
  }
  const std::uint64_t sides = std::max<std::uint64_t>(texts.size(), 1);
  words /= sides;
  types /= sides;
  const auto rounded = [](Index size) { return (size + kRoundedTo / 2) / kRoundedTo * kRoundedTo; };
  const Index by_words = std::clamp(rounded(static_cast<Index>(words / kWordsPerToken)), kSmallest, kLargest);
  if (for_characters > by_words) {
    return {rounded(for_characters + kRoundedTo / 2),
            cat("twice the ", in_groups(for_characters / 2), " different characters")};
  }
  return {by_words, cat("one for every ", kWordsPerToken, " of ", grouped(words), " running words (", grouped(types),
                        " different ones", sides > 1 ? "; the mean of both sides" : "", "), at least ",
                        in_groups(kSmallest), ", at most ", in_groups(kLargest))};
}

}  // namespace

bool is_subword_kind(std::string_view kind) { return kind == "bpe" || kind == "unigram" || kind == "pieces"; }

TokenizerChoice choose_tokenizer(std::string_view kind, const TokenizerOptions& given,
                                 std::span<const TextProfile> texts) {
  TokenizerChoice choice{std::string(kind),
                         given.vocabulary_size.value_or(kUsualVocabularySize),
                         given.character_coverage.value_or(1),
                         {}};
  std::string reason;
  const auto because = [&reason](const std::string& text) { reason += cat(reason.empty() ? "" : "; ", text); };
  if (kind == kChosenKind) {
    const bool unspaced = std::ranges::any_of(texts, is_unspaced);
    choice.kind = unspaced ? "unigram" : "bpe";
    because(cat("tokenizer ", choice.kind, unspaced ? ", the script has no spaces between words" : ""));
  }
  if (!is_subword_kind(choice.kind)) return choice;
  if (const Index characters = most_characters(texts); !given.character_coverage && characters > kManyCharacters) {
    choice.character_coverage = kLargeScriptCoverage;
    because(cat("character-coverage ", kLargeScriptCoverage, ", as the text has ", in_groups(characters),
                " different characters"));
  }
  if (!given.vocabulary_size) {
    const ChosenSize chosen = subword_size(texts, choice.character_coverage);
    choice.vocabulary_size = chosen.size;
    because(cat("vocabulary-size ", chosen.size, ": ", chosen.reason));
  }
  if (!reason.empty()) choice.reason = cat("chosen from the text: ", reason);
  return choice;
}

void expect_possible_size(const TokenizerChoice& choice, std::span<const TextProfile> texts) {
  const bool subwords = is_subword_kind(choice.kind), words = choice.kind == "word";
  Index least = 0;
  for (const TextProfile& text : texts) {
    const std::vector<std::uint64_t> counts = words ? counts_of(text.types) : counts_of(text.characters);
    least = std::max(least, subwords ? least_subwords(text, choice.character_coverage)
                                     : std::ssize(kSpecialTokens) + entries_for_share(counts, 0.5));
  }
  if (choice.vocabulary_size >= least) return;
  throw ConfigError(
      cat("vocabulary-size is ", choice.vocabulary_size, ", expected ", least, " or more: ",
          subwords ? "the special tokens and the characters of the text need as many"
                   : cat("with fewer, more than half of the running ", words ? "words" : "characters", " are <unk>")));
}

}  // namespace dhyan
