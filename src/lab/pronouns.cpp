#include "lab/pronouns.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.h"
#include "decoding/search.h"
#include "text/word_tokenizer.h"

namespace dhyan::lab {

namespace {

using WordList = std::vector<std::string>;

WordList word_list(const std::string& line) {
  WordList result;
  for (const auto& [begin, end] : word_ranges(line)) result.push_back(line.substr(begin, end - begin));
  return result;
}

// The forms of a pronoun, masculine first.
struct Forms {
  std::string_view masculine, feminine;
};
constexpr Forms kForms[] = {{"il", "elle"}, {"qu'il", "qu'elle"}, {"le", "la"}};

const Forms& forms_of(const std::string& pronoun) {
  for (const Forms& forms : kForms) {
    if (pronoun == forms.masculine || pronoun == forms.feminine) return forms;
  }
  throw DataError(cat("lab: '", pronoun, "' is not a pronoun of the reference corpus"));
}

const std::string& at(const WordList& words, int number) { return words.at(static_cast<std::size_t>(number)); }

// A rule sees a key of the sentence; it answers feminine or masculine.
using Key = std::string (*)(const PhrasePair&);

std::string form_key(const PhrasePair& pair) {
  return std::string(forms_of(at(word_list(pair.target), pair.it->translated)).masculine);
}

std::string noun_key(const PhrasePair& pair, int number) {
  return cat(form_key(pair), ' ', at(word_list(pair.source), number));
}

constexpr Key kKeys[] = {
    form_key,
    [](const PhrasePair& pair) { return cat(form_key(pair), pair.source.substr(pair.source.find(" because "))); },
    [](const PhrasePair& pair) { return noun_key(pair, std::min(pair.it->antecedent, pair.it->rival)); },
    [](const PhrasePair& pair) { return noun_key(pair, std::max(pair.it->antecedent, pair.it->rival)); }};

bool is_feminine(const PhrasePair& pair) {
  const std::string pronoun = at(word_list(pair.target), pair.it->translated);
  return pronoun == forms_of(pronoun).feminine;
}

double rule_accuracy(Key key, std::span<const PhrasePair> train, std::span<const PhrasePair> test) {
  std::map<std::string, int> feminine;  // more often than masculine
  for (const PhrasePair& pair : train) {
    if (pair.it->decisive) feminine[key(pair)] += is_feminine(pair) ? 1 : -1;
  }
  double right = 0, all = 0;
  for (const PhrasePair& pair : test) {
    if (!pair.it->decisive) continue;
    right += (feminine[key(pair)] > 0) == is_feminine(pair) ? 1 : 0;
    ++all;
  }
  return all > 0 ? right / all : 0;
}

// Counts where rows of attention are greatest.
class LookCounts {
 public:
  // One sentence: the row of "it" and the columns of the nouns.
  void add(std::span<const AttentionRecord> records, AttentionPlace place, std::size_t row, std::size_t antecedent,
           std::size_t rival) {
    ++sentences_;
    std::size_t next = 0;
    for (const AttentionRecord& record : records) {
      if (record.place != place) continue;
      if (next == looks_.size()) looks_.push_back({{record.layer, record.head}});
      const std::vector<Real>& weights = record.weights.at(row);
      const auto most = static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
      looks_[next].antecedent += most == antecedent ? 1 : 0;
      looks_[next].rival += most == rival ? 1 : 0;
      ++next;
    }
  }

  std::vector<HeadLooks> shares() const {
    std::vector<HeadLooks> shares = looks_;
    for (HeadLooks& look : shares) {
      look.antecedent /= sentences_;
      look.rival /= sentences_;
    }
    return shares;
  }

 private:
  std::vector<HeadLooks> looks_;
  double sentences_ = 0;
};

// The words that follow "because it": how often each does, and which do for each noun.
struct Followers {
  std::map<std::string, double> counts;
  std::map<std::string, std::set<std::string>> of_noun;
  double total = 0;
};

bool is_subject(const WordList& source, int it) { return at(source, it - 1) == "because"; }

Followers followers_in(std::span<const PhrasePair> train) {
  Followers followers;
  for (const PhrasePair& pair : train) {
    const WordList source = word_list(pair.source);
    if (!is_subject(source, pair.it->it)) continue;
    const std::string& next = at(source, pair.it->it + 1);
    ++followers.counts[next];
    ++followers.total;
    followers.of_noun[at(source, pair.it->antecedent)].insert(next);
  }
  return followers;
}

// The words that can follow in a sentence.
std::set<std::string> fitting_words(Followers& followers, const WordList& source, const Coreference& it) {
  std::set<std::string> words = followers.of_noun[at(source, it.antecedent)];
  words.merge(std::set<std::string>(followers.of_noun[at(source, it.rival)]));
  return words;
}

// A sentence after the end of another one, as in training.
std::vector<TokenId> after_a_sentence(const Tokenizer& tokenizer, const std::string& sentence) {
  std::vector<TokenId> tokens{kEnd};
  const std::vector<TokenId> words = tokenizer.encode(sentence).ids;
  tokens.insert(tokens.end(), words.begin(), words.end());
  return tokens;
}

constexpr Index kCandidates = 64;  // more than words follow "because it"

}  // namespace

PronounScores score_pronouns(const Translator& translator, std::span<const PhrasePair> pairs, const Workers& workers) {
  std::vector<std::string> sources, targets;
  for (const PhrasePair& pair : pairs) {
    sources.push_back(pair.source);
    targets.push_back(pair.target);
  }
  SearchOptions search;
  search.keep = RecordedAttention::kSteps;
  search.candidates = 1;
  const std::vector<Translation> forced = translator.force(sources, targets, search, workers);
  LookCounts looks;
  double right = 0, decisive = 0;
  for (std::size_t i = 0; i < forced.size(); ++i) {
    const Coreference& it = *pairs[i].it;
    const Hypothesis& hypothesis = forced[i].hypothesis;
    const auto step = static_cast<std::size_t>(it.translated);  // words are tokens
    looks.add(hypothesis.attention, AttentionPlace::kEncoder, static_cast<std::size_t>(it.it),
              static_cast<std::size_t>(it.antecedent), static_cast<std::size_t>(it.rival));
    if (!it.decisive) continue;
    right += hypothesis.candidates.at(step).at(0).token == hypothesis.tokens.at(step) ? 1 : 0;
    ++decisive;
  }
  return {decisive > 0 ? right / decisive : 0, looks.shares()};
}

double pronoun_chance(std::span<const PhrasePair> train, std::span<const PhrasePair> test) {
  double best = 0.5;  // rules that learn from other combinations may be worse than a coin
  for (const Key key : kKeys) best = std::max(best, rule_accuracy(key, train, test));
  return best;
}

ContinuationScores score_continuations(const Writer& writer, std::span<const PhrasePair> train,
                                       std::span<const PhrasePair> test) {
  Followers followers = followers_in(train);
  LookCounts looks;
  ContinuationScores scores;
  double sentences = 0;
  for (const PhrasePair& pair : test) {
    const WordList source = word_list(pair.source);
    if (!is_subject(source, pair.it->it)) continue;
    const std::set<std::string> fitting = fitting_words(followers, source, *pair.it);
    const std::vector<TokenId> tokens = after_a_sentence(writer.tokenizer(), pair.source);
    SearchOptions search;
    search.keep = RecordedAttention::kSteps;
    search.candidates = kCandidates;
    const Hypothesis read = force(*writer.decode(), std::span(&tokens, 1), search).front();
    // The step after "it" reads it as its last input; <s> and the end of the other sentence are the first two.
    const auto step = static_cast<std::size_t>(pair.it->it) + 2;
    looks.add(read.attention, AttentionPlace::kDecoder, step, static_cast<std::size_t>(pair.it->antecedent) + 2,
              static_cast<std::size_t>(pair.it->rival) + 2);
    for (const Candidate& candidate : read.candidates.at(step)) {
      const TokenId token = candidate.token;
      if (fitting.contains(writer.tokenizer().decode(std::span(&token, 1)))) {
        scores.fitting += std::exp(candidate.log_probability);
      }
    }
    ++sentences;
  }
  if (sentences > 0) scores.fitting /= sentences;
  scores.heads = looks.shares();
  return scores;
}

double continuation_chance(std::span<const PhrasePair> train, std::span<const PhrasePair> test) {
  Followers followers = followers_in(train);
  double fitting = 0, sentences = 0;
  for (const PhrasePair& pair : test) {
    const WordList source = word_list(pair.source);
    if (!is_subject(source, pair.it->it)) continue;
    for (const std::string& word : fitting_words(followers, source, *pair.it)) fitting += followers.counts[word];
    ++sentences;
  }
  return sentences > 0 ? fitting / followers.total / sentences : 0;
}

LoadedModel without_head(const std::filesystem::path& folder, std::string_view stack, const Head& head) {
  LoadedModel loaded = load_model(folder);
  const std::string name = cat(stack, '.', head.layer, ".self.output.weight");
  const Index heads = loaded.config.common.attention.heads;
  Parameter* parameter = loaded.model->parameters().find(name);
  if (parameter == nullptr) throw UsageError(cat("lab: ", folder.string(), " has no weight ", name));
  const Tensor weight = parameter->value.clone();  // [I,O]  the rows of a head read its part of the context
  const Index rows = weight.rows() / heads;
  weight.row_range(head.head * rows, (head.head + 1) * rows).fill(0);
  parameter->value = weight;
  parameter->prepacked = nullptr;
  return loaded;
}

}  // namespace dhyan::lab
