#include "lab/length.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/number_text.h"
#include "phrasebook/phrasebook.h"
#include "translator/evaluation.h"

namespace dhyan::lab {

namespace {

// One of the curves.
struct LengthCase {
  bool attends = false;
  Index longest = 0;  // words of a training sentence

  std::string name() const { return cat(attends ? "attention" : "one vector", ", up to ", longest); }
  std::string file(std::uint64_t seed) const {
    return cat(attends ? "attention-" : "vector-", longest, "-seed-", seed);
  }
};

std::vector<LengthCase> length_cases(const LengthSize& size) {
  std::vector<LengthCase> cases;
  for (const bool attends : {true, false}) {
    for (const Index longest : size.trained_up_to) cases.push_back({attends, longest});
  }
  return cases;
}

Config length_config(const LabRun& run, const LengthSize& size, const LengthCase& one, std::uint64_t seed) {
  std::vector<std::string> settings = one.attends ? size.settings_with : size.settings_without;
  settings.push_back(cat("max-words: ", kMostWords, "\nmax-length: ", one.longest, "\n"));
  const bool by_user = one.attends && !run.options().model.empty();
  return run.config(by_user ? run.options().model : one.attends ? size.with : size.without, seed, settings);
}

// BLEU of all sentences, then, for each length, BLEU and the number of sentences; without sentences NaN and 0.
std::vector<double> measure_lengths(LabRun& run, const LengthSize& size, const LengthCase& one, std::uint64_t seed,
                                    const TestSet& set) {
  const std::filesystem::path folder = run.trained(one.file(seed), length_config(run, size, one, seed));
  return run.measured("bleu-" + one.file(seed), [&] {
    EvaluationOptions options;
    options.scoring.metrics = {"bleu"};
    options.scoring.length_bounds = size.bounds;
    options.scoring.poll = run.options().poll;
    const Evaluation found =
        evaluate(Translator(folder), set, options, {.pool = &run.pool(), .poll = run.options().poll});
    std::vector<double> values{found.text.scores.front().score};
    for (const Index bound : size.bounds) {
      const auto bucket = std::ranges::find(found.text.by_length, bound, &Bucket::to);
      const bool some = bucket != found.text.by_length.end();
      values.push_back(some ? bucket->score : std::nan(""));
      values.push_back(some ? static_cast<double>(bucket->sentences) : 0);
    }
    return values;
  });
}

struct LengthCurve {
  LengthCase of;
  Spread all;  // BLEU of all sentences
  PlotLine line;
  std::vector<double> sentences;  // of each point

  double first() const { return line.points.front().y; }
  double last() const { return line.points.back().y; }
};

LengthCurve length_curve(LabRun& run, const LengthSize& size, const LengthCase& one, const TestSet& set) {
  std::vector<std::vector<double>> seeds;
  for (const std::uint64_t seed : run.seeds()) {
    seeds.push_back(measure_lengths(run, size, one, seed, set));
    if (seeds.back().size() != 1 + 2 * size.bounds.size())
      throw DataError(cat("length: expected ", 1 + 2 * size.bounds.size(), " values for ", one.name()));
  }
  const auto over_seeds = [&](std::size_t value) {
    std::vector<double> values;
    for (const std::vector<double>& of_seed : seeds) values.push_back(of_seed[value]);
    return spread_of(values);
  };
  LengthCurve curve{one, over_seeds(0), {one.name(), {}, {}}, {}};
  for (std::size_t i = 0; i < size.bounds.size(); ++i) {
    const double sentences = seeds.front()[2 * i + 2];
    if (sentences == 0) continue;
    const Spread bleu = over_seeds(2 * i + 1);
    curve.line.points.push_back({static_cast<double>(size.bounds[i]), bleu.mean});
    if (seeds.size() > 1) curve.line.spreads.push_back(bleu.deviation);
    curve.sentences.push_back(sentences);
  }
  if (curve.line.points.empty())
    throw DataError(cat("length: ", set.name, " has no sentence of at most ", size.bounds.back(), " words"));
  return curve;
}

std::string curves_in_words(const std::vector<LengthCurve>& curves) {
  std::string text = "BLEU of the shortest and the longest sentences: ";
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const LengthCurve& curve = curves[i];
    text += cat(i == 0 ? "" : "; ", curve.of.name(), " words: ", fixed(curve.first(), 1), " and ",
                fixed(curve.last(), 1), ", all ", fixed(curve.all.mean, 1));
  }
  return text;
}

// For each length of training: without attention BLEU falls at least twice as far, and is lower in all.
bool forgets_without_attention(const std::vector<LengthCurve>& curves) {
  for (const LengthCurve& with : curves) {
    if (!with.of.attends) continue;
    const auto without = std::ranges::find_if(
        curves, [&](const LengthCurve& curve) { return !curve.of.attends && curve.of.longest == with.of.longest; });
    const double fall = without->first() - without->last();
    if (fall <= 0 || fall < 2 * (with.first() - with.last()) || without->all.mean >= with.all.mean) return false;
  }
  return true;
}

}  // namespace

Findings run_length(LabRun& run, const LengthSize& size) {
  const TestSet set = run.test_set("hi-en", kMostWords);
  Plot plot{
      .title = "BLEU by source length",
      .across = "words of the source, up to",
      .lines = {},
      .up = "BLEU",
      .reading = "'up to' in a name says how long the sentences were that the model was trained on; higher is better."};
  ResultTable table{"all", "BLEU of all test sentences", {"model", "BLEU", "spread"}, {}};
  ResultTable counts{"sentences", "Test sentences by length", {"words of the source, up to", "sentences"}, {}};
  std::vector<LengthCurve> curves;
  for (const LengthCase& one : length_cases(size)) {
    curves.push_back(length_curve(run, size, one, set));
    plot.lines.push_back(curves.back().line);
    table.rows.push_back({one.name(), curves.back().all.mean, curves.back().all.deviation});
  }
  for (std::size_t i = 0; i < curves.front().sentences.size(); ++i) {
    counts.rows.push_back({curves.front().line.points[i].x, curves.front().sentences[i]});
  }
  Findings findings;
  add_plot(findings, plot, "bleu-by-length");
  findings.tables.push_back(std::move(table));
  findings.tables.push_back(std::move(counts));
  findings.measured = curves_in_words(curves);
  findings.holds = forgets_without_attention(curves);
  return findings;
}

}  // namespace dhyan::lab
