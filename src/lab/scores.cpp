#include "lab/scores.h"

#include <algorithm>
#include <cmath>

#include "attention/attend.h"
#include "autograd/tape.h"
#include "core/error.h"
#include "core/number_text.h"
#include "runs/training_history.h"
#include "training/optimizers.h"
#include "translator/evaluation.h"

namespace dhyan::lab {

namespace {

// Measurements of a trained model, in this order.
enum ScoreValue : std::size_t { kPerplexity, kBleu, kAlignmentError, kStepTime, kScoreValues };

struct ScoreCase {
  std::string score, window;
  std::string name() const { return cat(score, ", ", window); }
};

std::vector<ScoreCase> score_cases(const ScoresSize& size) {
  std::vector<ScoreCase> cases;
  for (const ScoreEntry& score : scores()) {
    if (!size.scores.empty() && std::ranges::find(size.scores, score.name) == size.scores.end()) continue;
    for (const std::string_view window : windows_for(score.name))
      cases.push_back({std::string(score.name), std::string(window)});
  }
  return cases;
}

// Milliseconds of a training step, from the log of the training.
double step_time(const std::filesystem::path& folder) {
  const TrainingHistory history = read_history(folder);
  return history.steps > 0 ? 1e3 * history.seconds / static_cast<double>(history.steps) : std::nan("");
}

std::vector<double> measure_score(LabRun& run, const ScoresSize& size, const ScoreCase& one, std::uint64_t seed,
                                  const TestSet& set) {
  const std::string name = cat(one.score, '-', one.window, "-seed-", seed);
  std::vector<std::string> settings = size.settings;
  settings.push_back(cat("score: ", one.score, "\nwindow: ", one.window, "\nattention-radius: 4\n"));
  const std::string& preset = run.options().model.empty() ? size.preset : run.options().model;
  const std::filesystem::path folder = run.trained(name, run.config(preset, seed, settings));
  return run.measured("scores-" + name, [&] {
    EvaluationOptions options;
    options.scoring.metrics = {"bleu"};
    options.scoring.poll = run.options().poll;
    const Evaluation found =
        evaluate(Translator(folder), set, options, {.pool = &run.pool(), .poll = run.options().poll});
    return std::vector<double>{found.forced.perplexity, found.text.scores.front().score,
                               found.forced.alignment ? found.forced.alignment->error_rate : std::nan(""),
                               step_time(folder)};
  });
}

struct MeasuredScore {
  ScoreCase of;
  std::vector<Spread> values;
};

DotPlot plot_of_scores(const std::vector<MeasuredScore>& all, ScoreValue value, const char* title,
                       const char* reading) {
  DotPlot plot{title, title, {}, reading};
  for (const MeasuredScore& one : all)
    plot.rows.push_back({one.of.name(), one.values[value].mean, one.values[value].deviation});
  return plot;
}

ResultTable table_of_two_keys() {
  ResultTable table{"two-keys",
                    "Weight of the key (1,0) beside (0,1), for the query (1,1), after training to attend to it",
                    {"score", "formula", "untrained", "trained", "told apart"},
                    {}};
  for (const ScoreEntry& score : scores()) {
    const TwoKeys keys = tell_apart(score.name);
    table.rows.push_back({std::string(score.name), std::string(score.formula), keys.before, keys.after,
                          std::string(keys.after > 0.9 ? "yes" : "no")});
  }
  return table;
}

// The scores that see all positions, sorted by perplexity.
std::vector<const MeasuredScore*> by_perplexity(const std::vector<MeasuredScore>& all) {
  std::vector<const MeasuredScore*> sorted;
  for (const MeasuredScore& one : all) {
    if (one.of.window == "global") sorted.push_back(&one);
  }
  std::ranges::sort(sorted, {}, [](const MeasuredScore* one) { return one->values[kPerplexity].mean; });
  return sorted;
}

// Over seeds.
MeasuredScore measured_score(LabRun& run, const ScoresSize& size, const ScoreCase& one, const TestSet& set) {
  std::vector<std::vector<double>> values(kScoreValues);
  for (const std::uint64_t seed : run.seeds()) {
    const std::vector<double> measured = measure_score(run, size, one, seed, set);
    if (measured.size() != kScoreValues) {
      throw DataError(cat("scores: expected ", +kScoreValues, " values for ", one.name()));
    }
    for (std::size_t value = 0; value < kScoreValues; ++value) values[value].push_back(measured[value]);
  }
  MeasuredScore found{one, {}};
  for (const std::vector<double>& of_seeds : values) found.values.push_back(spread_of(of_seeds));
  return found;
}

ResultTable table_of_scores(const std::vector<MeasuredScore>& all) {
  ResultTable table{"scores",
                    "Scores and windows",
                    {"score", "window", "perplexity", "spread", "BLEU", "spread of BLEU", "alignment error rate",
                     "spread of the error rate", "milliseconds per step"},
                    {}};
  for (const MeasuredScore& one : all) {
    const std::vector<Spread>& v = one.values;
    table.rows.push_back({one.of.score, one.of.window, v[kPerplexity].mean, v[kPerplexity].deviation, v[kBleu].mean,
                          v[kBleu].deviation, v[kAlignmentError].mean, v[kAlignmentError].deviation,
                          v[kStepTime].mean});
  }
  return table;
}

// Sets the findings in words, and whether the claim holds.
void judge_scores(Findings& findings, const std::vector<MeasuredScore>& all) {
  const auto sorted = by_perplexity(all);
  const MeasuredScore &best = *sorted.front(), &worst = *sorted.back();
  const Spread &low = best.values[kPerplexity], &high = worst.values[kPerplexity];
  const TwoKeys dot = tell_apart("dot"), general = tell_apart("general"), additive = tell_apart("additive");
  findings.measured =
      cat("with all positions in view, perplexity ", fixed(low.mean, 2), " (", best.of.score, ") to ",
          fixed(high.mean, 2), " (", worst.of.score, "), BLEU ", fixed(best.values[kBleu].mean, 1), " and ",
          fixed(worst.values[kBleu].mean, 1), "; of two keys with equal products dot gives the wanted one the weight ",
          fixed(dot.after, 2), ", general ", fixed(general.after, 2), " and additive ", fixed(additive.after, 2));
  findings.holds = high.mean - low.mean > 2 * (low.deviation + high.deviation) && dot.after < 0.6 &&
                   general.after > 0.9 && additive.after > 0.9;
}

}  // namespace

std::vector<std::string_view> windows_for(std::string_view score) {
  if (score == "general") return {"global", "local-m", "local-p", "hard"};
  if (score == "additive") return {"global", "local-m", "local-p"};
  if (score == "dot") return {"global", "local-p"};
  return {"global"};
}

TwoKeys tell_apart(std::string_view name) {
  constexpr Index kSteps = 200;
  ParameterSet parameters;
  const auto score = make_score(name, {parameters, "score", {.query = 2, .key = 2, .hidden = 2}, Rng(1)});
  const auto optimizer = make_optimizer("adam", parameters);
  GradientSet gradients(parameters);
  Tape tape(parameters);
  Arena arena;
  TwoKeys found{.has_weights = parameters.count() > 0};
  for (Index step = 0; step <= kSteps; ++step) {
    arena.reset();
    gradients.clear();
    tape.start(gradients, Rng(0));
    Scope scope(arena, tape);
    const Var query = scope.constant(Tensor::of({1, 2}, {1, 1}));       // [1,2]
    const Var keys = scope.constant(Tensor::of({2, 2}, {1, 0, 0, 1}));  // [2,2]
    const Memory memory{score->keys(keys), keys, Segments::one(2)};
    const Attended attended = attend(*score, {query, Segments::one(1)}, memory);
    const double weight = attended.weights.value().data()[0];
    (step == 0 ? found.before : found.after) = weight;
    if (!attended.weights.needs_grad()) {
      found.after = weight;
      break;
    }
    tape.backward(attended.weights, Tensor::of({2}, {static_cast<Real>(-1 / weight), 0}));  // of -log of the weight
    optimizer->step(parameters, gradients, 0.1);
  }
  return found;
}

Findings run_scores(LabRun& run, const ScoresSize& size) {
  const TestSet set = run.test_set();
  std::vector<MeasuredScore> all;
  for (const ScoreCase& one : score_cases(size)) all.push_back(measured_score(run, size, one, set));
  Findings findings;
  const auto add = [&](const char* name, ScoreValue value, const char* title, const char* reading) {
    findings.figures.push_back({name, draw_dot_plot(plot_of_scores(all, value, title, reading)), "scores"});
  };
  add("perplexity", kPerplexity, "Perplexity", "Lower is better.");
  add("bleu", kBleu, "BLEU", "Higher is better.");
  if (!set.alignments.empty()) add("alignment-error", kAlignmentError, "Alignment error rate", "Lower is better.");
  add("step-time", kStepTime, "Milliseconds per training step", "Lower is faster.");
  findings.tables = {table_of_scores(all), table_of_two_keys()};
  judge_scores(findings, all);
  return findings;
}

}  // namespace dhyan::lab
