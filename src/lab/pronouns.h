#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "decoding/hypothesis.h"
#include "phrasebook/phrasebook.h"
#include "translator/text_models.h"
#include "translator/translator.h"

namespace dhyan::lab {

// One head of self-attention, both numbers from 0.
struct Head {
  Index layer = 0, head = 0;
};

// How often the word "it" looks most at each of the two nouns, as shares of the sentences.
struct HeadLooks {
  Head head;
  double antecedent = 0;
  double rival = 0;
};

// How a translator translates the "it" of sentences of the reference corpus.
struct PronounScores {
  // Share of the decisive sentences for which the likeliest word is the right pronoun, given the French before it.
  double accuracy = 0;
  std::vector<HeadLooks> heads;  // of the encoder, by layer and head; empty without self-attention
};
PronounScores score_pronouns(const Translator& translator, std::span<const PhrasePair> pairs, const Workers& workers);

// The best accuracy without resolving "it": that of a coin, or of the best rule that reads only the form of the
// pronoun, or also the clause with "it", the first noun or the second noun, and answers what was most frequent in
// `train`.
double pronoun_chance(std::span<const PhrasePair> train, std::span<const PhrasePair> test);

// How a language model of the English side continues after "because it".
struct ContinuationScores {
  double fitting = 0;            // mean probability of the words that follow where "it" is one of the two nouns
  std::vector<HeadLooks> heads;  // the model has not read yet which of them it is
};
ContinuationScores score_continuations(const Writer& writer, std::span<const PhrasePair> train,
                                       std::span<const PhrasePair> test);

// The same probability if every word follows "because it" as often as it does in `train`, whatever stands before.
double continuation_chance(std::span<const PhrasePair> train, std::span<const PhrasePair> test);

// A model whose head is switched off: its part of the context is 0 for every word ([michel2019], section 2.3). `stack`
// is "encoder" or "decoder".
LoadedModel without_head(const std::filesystem::path& folder, std::string_view stack, const Head& head);

}  // namespace dhyan::lab
