#include "translator/option_table.h"

namespace dhyan::option_table {

namespace {

constexpr std::array kAverageOf{Choice{"best", AverageOf::kBest}, Choice{"last", AverageOf::kLast}};

}  // namespace

std::vector<Option> validation_options() {
  return {
      number("validate-steps", "Validate every so many steps; 0: at the ends of epochs", {0, kMany},
             training(&TrainingOptions::validate_steps)),
      number("validate-epochs", "Validate at the end of every so many epochs, where validate-steps is 0", {1, kMany},
             training(&TrainingOptions::validate_epochs)),
      words("validate-metrics", "What to measure on held-out data; loss and perplexity always are",
            names_of(validation_metrics()), validation(&ValidationConfig::metrics)),
      number("validate-beam-size", "Hypotheses kept by the search for translations; 1: greedy", {1, 1024},
             validation(&ValidationConfig::beam_size)),
      number("validate-sentences", "Translate so many held-out sentences at most; 0: all", {0, kMany},
             validation(&ValidationConfig::sentences)),
      number("validate-samples", "Sentences whose translation and attention go to training/samples.jsonl", {0, 1000},
             validation(&ValidationConfig::samples)),
      word("valid-alignments", "Gold alignments of the held-out pairs, i-j by line; aer is measured against them", {},
           validation(&ValidationConfig::alignments)),
      word("stop-on", "Metric that the best weights, patience and the schedule plateau go by",
           names_of(validation_metrics()), training(&TrainingOptions::stop_on)),
      number("patience", "Stop after so many validations without a better one; 0: never", {0, kMany},
             training(&TrainingOptions::patience)),
  };
}

std::vector<Option> checkpoint_options() {
  return {
      number("save-steps", "Save what --resume needs every so many steps; 0: with validations only", {0, kMany},
             training(&TrainingOptions::save_steps)),
      number("keep-last", "Keep the weights of so many saves, as training/step-N.safetensors", {0, 1000},
             training(&TrainingOptions::keep_last)),
      words("keep-best", "Keep the best weights by each of these, as model-best-METRIC.safetensors",
            names_of(validation_metrics()), training(&TrainingOptions::keep_best)),
      number("average", "At the end try the mean of so many checkpoints; 0: do not", {0, 64},
             training(&TrainingOptions::average)),
      choice("average-of", "Of which: the best ones or the last ones", kAverageOf,
             training(&TrainingOptions::average_of)),
  };
}

}  // namespace dhyan::option_table
