#include "lab/reference.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/number_text.h"
#include "explain/explanation.h"
#include "explain/plot.h"
#include "lab/pronouns.h"

namespace dhyan::lab {

namespace {

constexpr std::string_view kShownReference =
    "the restaurant refused to serve me a ham sandwich because it only cooks vegetarian food";

// Measurements of a model: its score with all heads and, for each head, where it looks and the score without it.
struct HeadScores {
  struct One {
    HeadLooks looks;
    double without = 0;
  };
  double score = 0;
  std::vector<One> heads = {};

  const One& best() const {
    return *std::ranges::max_element(heads, {}, [](const One& one) { return one.looks.antecedent; });
  }
  double mean_without() const {
    double sum = 0;
    for (const One& one : heads) sum += one.without / static_cast<double>(heads.size());
    return sum;
  }
};

constexpr std::size_t kNumbersOfAHead = 5;

// As a run keeps them.
std::vector<double> numbers_of(const HeadScores& scores) {
  std::vector<double> numbers{scores.score};
  for (const auto& [looks, without] : scores.heads) {
    numbers.insert(numbers.end(), {static_cast<double>(looks.head.layer), static_cast<double>(looks.head.head),
                                   looks.antecedent, looks.rival, without});
  }
  return numbers;
}

HeadScores head_scores(const std::vector<double>& numbers) {
  HeadScores scores{numbers.at(0)};
  for (std::size_t i = 1; i + kNumbersOfAHead <= numbers.size(); i += kNumbersOfAHead) {
    const Head head{static_cast<Index>(numbers[i]), static_cast<Index>(numbers[i + 1])};
    scores.heads.push_back({{head, numbers[i + 2], numbers[i + 3]}, numbers[i + 4]});
  }
  return scores;
}

// The English side and its translation, for training and for measuring.
struct Corpus {
  std::vector<PhrasePair> train = phrasebook(kReferenceCorpus, Part::kTrain);
  std::vector<PhrasePair> test = phrasebook(kReferenceCorpus, Part::kTest);
};

std::vector<std::string> with_corpus(std::vector<std::string> settings) {
  settings.push_back(cat("phrasebook: ", kReferenceCorpus, '\n'));
  return settings;
}

HeadScores measure_translator(LabRun& run, const std::filesystem::path& folder, const Corpus& corpus) {
  const Workers workers{.pool = &run.pool(), .poll = run.options().poll};
  const PronounScores scores = score_pronouns(Translator(folder), corpus.test, workers);
  HeadScores result{scores.accuracy};
  for (const HeadLooks& looks : scores.heads) {
    const Translator without(without_head(folder, "encoder", looks.head));
    result.heads.push_back({looks, score_pronouns(without, corpus.test, workers).accuracy});
  }
  return result;
}

HeadScores measure_writer(LabRun& run, const std::filesystem::path& folder, const Corpus& corpus) {
  const ContinuationScores scores = score_continuations(Writer(folder), corpus.train, corpus.test);
  HeadScores result{scores.fitting};
  for (const HeadLooks& looks : scores.heads) {
    run.poll();
    const Writer without(without_head(folder, "decoder", looks.head));
    result.heads.push_back({looks, score_continuations(without, corpus.train, corpus.test).fitting});
  }
  return result;
}

// The models of one seed.
struct SeedScores {
  std::filesystem::path transformer;
  HeadScores translated, one_vector, continued;
};

SeedScores measure_seed(LabRun& run, const ReferenceSize& size, const Corpus& corpus, std::uint64_t seed) {
  const auto measured = [&](const std::string& name, const std::string& preset,
                            const std::vector<std::string>& settings,
                            HeadScores (*measure)(LabRun&, const std::filesystem::path&, const Corpus&)) {
    const std::filesystem::path folder =
        run.trained(cat(name, "-seed-", seed), run.config(preset, seed, with_corpus(settings)));
    const std::vector<double> numbers =
        run.measured(cat("heads-", name, "-seed-", seed), [&] { return numbers_of(measure(run, folder, corpus)); });
    return std::pair{folder, head_scores(numbers)};
  };
  const std::string preset = run.options().model.empty() ? "transformer-tiny" : run.options().model;
  const auto [folder, translated] = measured("transformer", preset, size.transformer, measure_translator);
  if (translated.heads.empty()) {
    throw UsageError(cat("lab run: reference needs a model whose encoder attends to itself; ", preset, " has none"));
  }
  return {folder, translated, measured("one-vector", "seq2seq-context", size.one_vector, measure_translator).second,
          measured("language", "gpt-nano", size.language, measure_writer).second};
}

ResultTable head_table(const std::string& name, const std::string& title, const std::string& score,
                       const std::vector<HeadScores>& seeds) {
  ResultTable table{name,
                    title,
                    {"seed number", "layer", "head", "looks most at the antecedent", "looks most at the other noun",
                     score + " with all heads", score + " without this head"},
                    {}};
  for (std::size_t seed = 0; seed < seeds.size(); ++seed) {
    for (const auto& [looks, without] : seeds[seed].heads) {
      table.rows.push_back({static_cast<double>(seed + 1), static_cast<double>(looks.head.layer + 1),
                            static_cast<double>(looks.head.head + 1), looks.antecedent, looks.rival, seeds[seed].score,
                            without});
    }
  }
  return table;
}

// A picture of the head's attention in the sentence about the restaurant.
ResultFigure shown_head(LabRun& run, const std::filesystem::path& folder, const Corpus& corpus, const Head& head) {
  const auto pair = std::ranges::find(corpus.test, kShownReference, &PhrasePair::source);
  if (pair == corpus.test.end()) throw DataError("lab: the reference corpus lacks its restaurant");
  const Translator translator(folder);
  SearchOptions search;
  search.keep = RecordedAttention::kSteps;
  const Translation forced = translator
                                 .force(std::vector{pair->source}, std::vector{pair->target}, search,
                                        {.pool = &run.pool(), .poll = run.options().poll})
                                 .front();
  const Explanation explanation =
      explain({forced.source, forced.text, forced.source_tokens, forced.hypothesis}, translator.tokenizers(),
              {.attention = {.places = {AttentionPlace::kEncoder}, .layer = head.layer + 1, .head = head.head + 1}});
  return {"best-head", draw_map(explanation.maps.front()), ""};
}

// Spreads over seeds of what `value` gives.
template <class Value>
Spread over_seeds(const std::vector<SeedScores>& seeds, Value value) {
  std::vector<double> values;
  for (const SeedScores& seed : seeds) values.push_back(value(seed));
  return spread_of(values);
}

std::string percent(double share) { return cat(fixed(100 * share, 1), " %"); }

// The dot plot of accuracies, with its table; and the claim.
void conclude(Findings& findings, const std::vector<SeedScores>& seeds, const Corpus& corpus) {
  const double chance = pronoun_chance(corpus.train, corpus.test);
  const Spread right = over_seeds(seeds, [](const SeedScores&one) { return one.translated.score; }),
               vector = over_seeds(seeds, [](const SeedScores&one) { return one.one_vector.score; }),
               off = over_seeds(seeds, [](const SeedScores&one) { return one.translated.best().without; }),
               others = over_seeds(seeds, [](const SeedScores&one) { return one.translated.mean_without(); }),
               looks = over_seeds(seeds, [](const SeedScores&one) { return one.translated.best().looks.antecedent; }),
               rival = over_seeds(seeds, [](const SeedScores&one) { return one.translated.best().looks.rival; });
  DotPlot plot{"Pronouns of held-out combinations", "share of right pronouns", {}, "Higher is better."};
  plot.rows = {{"Transformer", right.mean, right.deviation},
               {"without its best head", off.mean, off.deviation},
               {"without one head, mean", others.mean, others.deviation},
               {"one fixed vector", vector.mean, vector.deviation},
               {"chance", chance}};
  ResultTable table{"pronouns", plot.title, {"model", plot.across, "spread"}, {}};
  for (const DotPlot::Row& row : plot.rows) table.rows.push_back({row.name, row.value, row.spread});
  findings.figures.insert(findings.figures.begin(), {"pronouns", draw_dot_plot(plot), table.name});
  findings.tables.insert(findings.tables.begin(), std::move(table));
  findings.measured = cat("right pronouns on held-out combinations: Transformer ", percent(right.mean),
                          ", one fixed vector ", percent(vector.mean), ", chance ", percent(chance),
                          "; in its best head 'it' looks most at its antecedent in ", percent(looks.mean),
                          " of the sentences and at the other noun in ", percent(rival.mean), "; without that head ",
                          percent(off.mean), " are right");
  findings.holds = right.mean > chance && right.mean > vector.mean && looks.mean > rival.mean && off.mean < right.mean;
}

// The decoder-only model of the English side.
void add_continuations(Findings& findings, const std::vector<SeedScores>& seeds, const Corpus& corpus) {
  const Spread all = over_seeds(seeds, [](const SeedScores& one) { return one.continued.score; });
  double lowest = 0;
  const auto nouns_of = [](const HeadScores::One& one) { return one.looks.antecedent + one.looks.rival; };
  std::vector<double> looks, without;
  for (const SeedScores& seed : seeds) {
    const auto best = std::ranges::max_element(seed.continued.heads, {}, nouns_of);
    looks.push_back(nouns_of(*best));
    without.push_back(best->without);
  }
  lowest = continuation_chance(corpus.train, corpus.test);
  findings.measured +=
      cat("; the decoder-only model gives ", percent(all.mean),
          " to words that can follow 'it' where it is one of the two nouns (frequency alone: ", percent(lowest),
          "), in its best head 'it' looks most at one of them in ", percent(spread_of(looks).mean),
          " of the sentences, and without that head it gives ", percent(spread_of(without).mean));
  findings.holds = findings.holds && all.mean > lowest;
}

}  // namespace

Findings run_reference(LabRun& run, const ReferenceSize& size) {
  const Corpus corpus;
  std::vector<SeedScores> seeds;
  std::vector<HeadScores> translated, continued;
  for (const std::uint64_t seed : run.seeds()) {
    seeds.push_back(measure_seed(run, size, corpus, seed));
    translated.push_back(seeds.back().translated);
    continued.push_back(seeds.back().continued);
  }
  Findings findings;
  findings.tables.push_back(
      head_table("heads", "Where 'it' looks, in the encoder of the Transformer", "right pronouns", translated));
  findings.tables.push_back(head_table("language-heads",
                                       "Where 'it' looks, in the decoder-only model of the English side",
                                       "probability of words that fit", continued));
  findings.figures.push_back(
      shown_head(run, seeds.front().transformer, corpus, seeds.front().translated.best().looks.head));
  conclude(findings, seeds, corpus);
  add_continuations(findings, seeds, corpus);
  return findings;
}

}  // namespace dhyan::lab
