#include "lab/gradients.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "core/number_text.h"
#include "lab/recall_training.h"
#include "ops/output_loss.h"

namespace dhyan::lab {

namespace {

constexpr auto kCells = std::to_array<const char*>({"rnn", "gru", "lstm"});

constexpr std::uint64_t kMeasured = 2, kWrongAnswers = 3;  // streams of a seed; training has its own

// A network that is measured.
struct GradientCase {
  std::string cell;
  bool attends = false;
  bool trained = false;

  std::string name() const { return cat(cell, attends ? " with attention" : ""); }
  std::string file(std::uint64_t seed) const {
    return cat(cell, attends ? "-attention" : "", trained ? "-trained" : "-initial", "-seed-", seed);
  }
};

std::vector<GradientCase> gradient_cases(bool trained) {
  std::vector<GradientCase> cases;
  for (const bool attends : {false, true}) {
    for (const char* cell : kCells) cases.push_back({cell, attends, trained});
  }
  return cases;
}

// Mean over sentences of |d(loss at the last step) / d(marked input)|. The loss is that of answers drawn at random:
// that of the right ones has no gradient once a model is sure of them.
double gradient_norm(RecallNetwork& network, const RecallBatch& batch, std::span<const RowId> answers) {
  Arena arena;
  Tape tape(network.parameters());
  GradientSet unused(network.parameters());
  tape.start(unused, Rng(0));
  Scope scope(arena, tape);
  const Var x = scope.variable(network.inputs(scope, batch).value());  // [ΣS,E]
  const Var y = network.last_step(x, batch);                           // [B,H] or [B,2H]
  tape.backward(output_loss(y, network.output(scope), answers).loss);
  double sum = 0;
  for (const Index row : batch.marked) {
    double squares = 0;
    for (Index e = 0; e < x.cols(); ++e)
      squares += std::pow(static_cast<double>(x.grad().data()[row * x.cols() + e]), 2);
    sum += std::sqrt(squares);
  }
  return sum / static_cast<double>(batch.marked.size());
}

// For each distance, the norm of the gradient; then, for each distance, the share of answers that are right.
std::vector<double> measure_network(LabRun& run, const GradientsSize& size, RecallNetwork& network,
                                    std::uint64_t seed) {
  const RecallTask task(size.answers);
  std::vector<double> values(2 * static_cast<std::size_t>(size.longest));
  run.pool().run(size.longest, [&](Index i, int) {
    run.poll();
    const Index distance = i + 1;
    const auto at = static_cast<std::uint64_t>(distance);
    const RecallBatch batch =
        task.at_distance(size.sentences, size.longest, distance, Rng(seed).split(kMeasured).split(at));
    Rng random = Rng(seed).split(kWrongAnswers).split(at);
    std::vector<RowId> answers;
    for (Index b = 0; b < size.sentences; ++b) {
      answers.push_back(static_cast<RowId>(random.below(static_cast<std::uint64_t>(size.answers))));
    }
    values[static_cast<std::size_t>(i)] = gradient_norm(network, batch, answers);
    values[static_cast<std::size_t>(size.longest + i)] = recalled(network, batch);
  });
  return values;
}

std::vector<double> measure_case(LabRun& run, const GradientsSize& size, const GradientCase& one, std::uint64_t seed) {
  return run.measured(one.file(seed), [&] {
    const RecallTask task(size.answers);
    RecallNetwork network(task, one.cell, one.attends, size.network, Rng(seed));
    if (one.trained) {
      train_recall(run, task, network,
                   {.longest = size.longest,
                    .steps = size.steps,
                    .batch = size.batch,
                    .learning_rate = size.learning_rate,
                    .seed = seed},
                   run.kept(one.file(seed) + ".safetensors"));
    }
    return measure_network(run, size, network, seed);
  });
}

// The mean curve of a case over seeds, and its measures.
struct GradientCurve {
  GradientCase of;
  PlotLine line;
  Spread half_life;  // in steps
  Spread kept;       // norm at the greatest distance / norm at distance 1
  Spread recalled;   // share of right answers, over all distances
};

GradientCurve curve_of(LabRun& run, const GradientsSize& size, const GradientCase& one) {
  const auto longest = static_cast<std::size_t>(size.longest);
  std::vector<std::vector<double>> norms(longest);
  std::vector<double> half_lives, kept, right;
  for (const std::uint64_t seed : run.seeds()) {
    const std::vector<double> values = measure_case(run, size, one, seed);
    if (values.size() != 2 * longest)
      throw DataError(cat("gradients: expected ", 2 * longest, " values for ", one.name()));
    std::vector<Point> curve;
    for (std::size_t k = 0; k < longest; ++k) {
      norms[k].push_back(values[k]);
      curve.push_back({static_cast<double>(k + 1), values[k]});
    }
    half_lives.push_back(half_life(curve));
    kept.push_back(values[longest - 1] / values[0]);
    right.push_back(spread_of({values.begin() + static_cast<std::ptrdiff_t>(longest), values.end()}).mean);
  }
  GradientCurve curve{one, {one.name(), {}, {}}, spread_of(half_lives), spread_of(kept), spread_of(right)};
  for (std::size_t k = 0; k < longest; ++k)
    curve.line.points.push_back({static_cast<double>(k + 1), spread_of(norms[k]).mean});
  return curve;
}

std::string in_steps(double half_life) {
  return std::isfinite(half_life) ? cat(plot_number(half_life), " steps") : std::string("no fall");
}

std::vector<GradientCurve> plot_cases(LabRun& run, const GradientsSize& size, bool trained, Findings& findings) {
  Plot plot{.title = trained ? "Gradient after training" : "Gradient at initialisation",
            .across = "distance in steps",
            .lines = {},
            .up = "norm of the gradient",
            .reading = "How strongly the loss at the last step depends on an input so many steps before it.",
            .scale = Scale::kLogarithmic};
  std::vector<GradientCurve> curves;
  for (const GradientCase& one : gradient_cases(trained)) {
    curves.push_back(curve_of(run, size, one));
    plot.lines.push_back(curves.back().line);
  }
  add_plot(findings, plot, trained ? "gradients-trained" : "gradients-initial");
  return curves;
}

const GradientCurve& curve_named(const std::vector<GradientCurve>& curves, const std::string& name) {
  return *std::ranges::find_if(curves, [&](const GradientCurve& curve) { return curve.of.name() == name; });
}

// Whether the half-lives lie in the order of the claim.
bool in_order(const std::vector<GradientCurve>& curves) {
  const auto life = [&](const char* name) { return curve_named(curves, name).half_life.mean; };
  const double plain = life("rnn");
  return life("gru") > plain && life("lstm") > plain && life("rnn with attention") > plain &&
         life("gru with attention") > life("gru") && life("lstm with attention") > life("lstm");
}

std::string order_in_words(const std::vector<GradientCurve>& curves) {
  return in_order(curves) ? ", in the order of the claim" : ", not in the order of the claim";
}

std::string half_lives_in_words(const std::vector<GradientCurve>& curves) {
  std::string text;
  for (const GradientCurve& curve : curves) {
    text += cat(text.empty() ? "" : ", ", curve.of.name(), ' ', in_steps(curve.half_life.mean));
  }
  return text;
}

}  // namespace

double half_life(const std::vector<Point>& curve) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Point& point : curve) {
    if (!(point.y > 0)) continue;
    const double log = std::log(point.y);
    n += 1;
    x += point.x;
    y += log;
    xx += point.x * point.x;
    xy += point.x * log;
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  return slope < 0 ? -std::log(2) / slope : HUGE_VAL;
}

Findings run_gradients(LabRun& run, const GradientsSize& size) {
  Findings findings;
  ResultTable table{"half-lives",
                    "Half-lives",
                    {"network", "when", "half-life in steps", "spread", "norm at the greatest distance / at 1",
                     "answers that are right"},
                    {}};
  std::vector<std::vector<GradientCurve>> both;
  for (const bool trained : {false, true}) {
    both.push_back(plot_cases(run, size, trained, findings));
    for (const GradientCurve& curve : both.back()) {
      table.rows.push_back({curve.of.name(), std::string(trained ? "after training" : "at initialisation"),
                            curve.half_life.mean, curve.half_life.deviation, curve.kept.mean, curve.recalled.mean});
    }
  }
  findings.tables.insert(findings.tables.begin(), table);
  findings.measured = cat("half-life at initialisation: ", half_lives_in_words(both[0]), order_in_words(both[0]),
                          "; after training: ", half_lives_in_words(both[1]), order_in_words(both[1]));
  findings.holds = in_order(both[0]) && in_order(both[1]);
  return findings;
}

}  // namespace dhyan::lab
