// Attention by a score function of your own, e = -γ |s - h|², with a trained γ for each head:
//   own_score PAIRS.tsv MODEL STEPS
#include <dhyan/dhyan.h>
#include <iostream>

dhyan::ScoreFunction distance() {
  dhyan::ScoreFunction score{.name = "distance", .formula = "-γ |s - h|²"};
  score.weights = [](const dhyan::ScoreWidths& widths) {
    if (widths.query != widths.key) throw dhyan::ConfigError("score distance: queries and keys must be equally wide");
    return std::vector<dhyan::ScoreWeight>{{.name = "gamma", .cols = widths.heads, .value = 0.5}};
  };
  score.forward = [](const dhyan::ScoreInput& in, const dhyan::WritableRows& energies) {
    for (std::int64_t i = 0; i < in.queries.rows; ++i) {
      for (std::int64_t j = 0; j < in.keys.rows; ++j) {
        dhyan::Real sum = 0;
        for (std::int64_t k = 0; k < in.keys.cols; ++k) {
          sum += (in.queries(i, k) - in.keys(j, k)) * (in.queries(i, k) - in.keys(j, k));
        }
        energies(i, j) = -in.weights[0](0, in.head) * sum;
      }
    }
  };
  // ds_i = -2 γ (s_i - h_j) de_ij,   dh_j = 2 γ (s_i - h_j) de_ij,   dγ = -|s_i - h_j|² de_ij
  score.backward = [](const dhyan::ScoreInput& in, const dhyan::RowsView& de, const dhyan::ScoreGradients& add) {
    for (std::int64_t i = 0; i < in.queries.rows; ++i) {
      for (std::int64_t j = 0; j < in.keys.rows; ++j) {
        for (std::int64_t k = 0; k < in.keys.cols; ++k) {
          const dhyan::Real difference = in.queries(i, k) - in.keys(j, k);
          const dhyan::Real slope = 2 * in.weights[0](0, in.head) * difference * de(i, j);
          if (add.queries.data != nullptr) add.queries(i, k) -= slope;
          if (add.keys.data != nullptr) add.keys(j, k) += slope;
          if (add.weights[0].data != nullptr) add.weights[0](0, in.head) -= difference * difference * de(i, j);
        }
      }
    }
  };
  return score;
}

int main(int argc, char** argv) try {
  if (argc != 4) return std::cerr << "usage: own_score PAIRS.tsv MODEL STEPS\n", 2;
  const std::string mismatch = dhyan::gradient_mismatch(distance());
  if (!mismatch.empty()) return std::cerr << "the gradient is wrong: " << mismatch << '\n', 1;
  dhyan::TrainOptions options{
      .folder = argv[2], .existing = dhyan::ExistingModel::kOverwrite, .preset = "transformer-tiny"};
  options.train = {argv[1]};
  options.more = {{"max-steps", {argv[3]}}, {"score", {"distance"}}, {"tokenizer", {"word"}}};
  options.scores = {distance()};
  std::cout << dhyan::train(options).steps << " steps\n";
  const dhyan::Translator translator(argv[2], {.scores = {distance()}});
  std::cout << translator.translate(dhyan::read_test_set(options.train).sources.front()) << '\n';
} catch (const dhyan::Error& error) {
  return std::cerr << "own_score: " << error.what() << '\n', 1;
}
