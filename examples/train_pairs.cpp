// Trains a small model on your own pairs, for at most STEPS steps, and translates the first source:
//   train_pairs PAIRS.tsv MODEL STEPS
#include <dhyan/dhyan.h>
#include <iostream>

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::cerr << "usage: train_pairs PAIRS.tsv MODEL STEPS\n";
    return 2;
  }
  dhyan::TrainOptions options{.folder = argv[2], .existing = dhyan::ExistingModel::kOverwrite};
  options.train = {argv[1]};
  options.more = {{"max-steps", {argv[3]}}, {"hidden", {"32"}}, {"embedding", {"32"}}, {"tokenizer", {"word"}}};
  options.report = [](const dhyan::TrainingReport& report) {
    if (report.kind == dhyan::TrainingReport::Kind::kSteps) {
      std::cout << "step " << report.step << ": loss " << report.loss << '\n';
    }
    return true;  // false ends the training; all is saved
  };
  const dhyan::TrainingResult result = dhyan::train(options);
  std::cout << "ended by " << result.ended << " after " << result.steps << " steps\n";

  const dhyan::TestSet pairs = dhyan::read_test_set(options.train);
  std::cout << pairs.sources.front() << " -> " << dhyan::Translator(argv[2]).translate(pairs.sources.front()) << '\n';
  return 0;
} catch (const dhyan::Error& error) {
  std::cerr << "train_pairs: " << error.what() << '\n';
  return 1;
}
