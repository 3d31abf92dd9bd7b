#include "translator/split_lines.h"

#include "core/error.h"
#include "text/sentences.h"

namespace dhyan {

namespace {

void append(Translation sentence, const SearchOptions& search, Translation& line) {
  line.text = joined_sentences(line.text, sentence.text);
  line.source_tokens.insert(line.source_tokens.end(), sentence.source_tokens.begin(), sentence.source_tokens.end());
  line.source_cut |= sentence.source_cut;
  line.known_text += sentence.known_text;
  line.unknown_text += sentence.unknown_text;
  Hypothesis& all = line.hypothesis;
  const Hypothesis& one = sentence.hypothesis;
  const auto by_length = [&](const Hypothesis& hypothesis) {
    return normalised(hypothesis.log_probability, std::ssize(hypothesis.tokens), search.length_penalty,
                      search.length_norm);
  };
  const double coverage = all.score - by_length(all) + one.score - by_length(one);
  all.tokens.insert(all.tokens.end(), one.tokens.begin(), one.tokens.end());
  all.token_scores.insert(all.token_scores.end(), one.token_scores.begin(), one.token_scores.end());
  all.log_probability += one.log_probability;
  all.score = by_length(all) + coverage;
  line.sentences.push_back(std::move(sentence));
}

}  // namespace

std::vector<std::vector<Translation>> translate_sentences(const Translator& translator,
                                                          std::span<const std::string> lines,
                                                          const TranslationOptions& options, const Workers& workers) {
  if (!options.constraints.empty() || options.sampling) {
    throw UsageError("Translator: constraints and sampling need whole lines, not lines split into sentences");
  }
  if (!options.cancelled.empty()) throw UsageError("Translator: lines split into sentences cannot be cancelled");
  std::vector<std::string> sentences;
  std::vector<std::size_t> line_of;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const ByteRange& range : sentence_ranges(lines[i])) {
      sentences.emplace_back(part(lines[i], range));
      line_of.push_back(i);
    }
  }
  auto translated = translator.translate_with(sentences, options, workers);
  std::vector<std::vector<Translation>> together(lines.size(), std::vector<Translation>(1));
  for (std::size_t i = 0; i < lines.size(); ++i) together[i].front().source = lines[i];
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    append(std::move(translated[s].front()), options.search, together[line_of[s]].front());
  }
  return together;
}

}  // namespace dhyan
