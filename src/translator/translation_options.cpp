#include "translator/translation_options.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan {

namespace {

template <class PerLine>
void expect_for_lines(const std::vector<PerLine>& given, std::size_t lines, const char* what) {
  if (given.empty() || given.size() == lines) return;
  throw UsageError(cat("Translator: ", lines, " lines and ", what, " for ", given.size()));
}

std::string place_of(const std::string& file, std::uint64_t line) {
  return file.empty() ? cat("line ", line) : cat(file, ":", line);
}

}  // namespace

Rng line_rng(const TranslationOptions& options, std::size_t i) {
  const LineSeed of = options.seeds.empty() ? LineSeed{options.seed, options.first_line + i} : options.seeds[i];
  return Rng(of.seed).split(of.line);
}

void check_lines(const TranslationOptions& options, std::size_t lines) {
  expect_for_lines(options.constraints, lines, "constraints");
  expect_for_lines(options.seeds, lines, "seeds");
  expect_for_lines(options.cancelled, lines, "cancellations");
  expect_for_lines(options.edits, lines, "edits");
}

void check_lines(const ForceOptions& options, std::size_t lines) {
  expect_for_lines(options.cancelled, lines, "cancellations");
  expect_for_lines(options.edits, lines, "edits");
}

std::vector<TokenId> phrase_tokens(const Tokenizer& tokenizer, std::string_view phrase, std::string_view where) {
  const Encoded encoded = tokenizer.encode(phrase);
  for (std::size_t i = 0; i < encoded.ids.size(); ++i) {
    if (encoded.ids[i] != kUnknown) continue;
    throw DataError(cat(where, ": the model has no word for '", part(phrase, encoded.pieces[i]), "' and cannot write '",
                        phrase, "'"));
  }
  return encoded.ids;
}

SearchOptions search_options(const TranslationOptions& options, const Tokenizer& target) {
  SearchOptions search = options.search;
  for (const std::string& phrase : options.forbidden) {
    std::vector<TokenId> tokens = target.encode(phrase).ids;
    if (!tokens.empty() && std::ranges::find(tokens, kUnknown) == tokens.end()) search.forbidden.push_back(tokens);
  }
  if (options.unknown) search.allow_unknown = true;  // <unk> must be written to be replaced
  if (options.unknown && search.keep == RecordedAttention::kNothing) search.keep = RecordedAttention::kWeights;
  return search;
}

std::vector<TokenId> byte_tokens(const Tokenizer& tokenizer) {
  std::vector<TokenId> tokens;
  for (TokenId id = 0; id < tokenizer.size(); ++id) {
    if (tokenizer.is_byte(id)) tokens.push_back(id);
  }
  return tokens;
}

SearchTask search_task(const TranslationOptions& options, std::size_t i, const Tokenizer& target) {
  SearchTask task;
  if (!options.cancelled.empty()) task.cancelled = options.cancelled[i];
  if (options.constraints.empty()) return task;
  const std::uint64_t line = options.first_line + i + 1;
  task.prefix = phrase_tokens(target, options.constraints[i].prefix, place_of(options.prefix_file, line));
  for (const std::string& phrase : options.constraints[i].required) {
    task.required.push_back(phrase_tokens(target, phrase, place_of(options.required_file, line)));
  }
  std::erase_if(task.required, [](const Phrase& phrase) { return phrase.empty(); });
  return task;
}

void allow_required_words(SearchTask& task) {
  Phrase& words = task.vocabulary;
  words.insert(words.end(), task.prefix.begin(), task.prefix.end());
  for (const Phrase& phrase : task.required) words.insert(words.end(), phrase.begin(), phrase.end());
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

bool drop_phrases_that_do_not_fit(SearchTask& task, const SearchOptions& search) {
  Index room = longest_translation(task.source_length, search) - std::ssize(task.prefix) - 1;  // for </s>
  const auto dropped = std::erase_if(task.required, [&](const Phrase& phrase) {
    const bool fits = std::ssize(phrase) <= room;
    if (fits) room -= std::ssize(phrase);
    return !fits;
  });
  return dropped > 0;
}

}  // namespace dhyan
