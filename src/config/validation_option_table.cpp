#include "config/option_conditions.h"
#include "config/option_table.h"
#include "training/validation_metrics.h"

namespace dhyan::option_table {

namespace {

constexpr std::array kAverageOf{Choice{"best", AverageOf::kBest}, Choice{"last", AverageOf::kLast}};

}  // namespace

std::vector<Option> validation_options() {
  return {
      number("validate-steps", "Steps between two validations; 0: validate at the end of epochs", {0, kMany},
             training(&TrainingOptions::validate_steps)),
      only(kValidatesByEpoch, number("validate-epochs", "Epochs between two validations if --validate-steps is 0",
                                     {1, kMany}, training(&TrainingOptions::validate_epochs))),
      words("validate-metrics", "Metrics of held-out data besides loss and perplexity", names_of(validation_metrics()),
            validation(&ValidationConfig::metrics)),
      only(kHeldOutTranslations, number("validate-beam-size", "Beam size for translating held-out sentences; 1: greedy",
                                        {1, 1024}, validation(&ValidationConfig::beam_size))),
      only(kHeldOutTranslations, number("validate-sentences", "Most held-out sentences to translate; 0: all",
                                        {0, kMany}, validation(&ValidationConfig::sentences))),
      only(kHeldOutPairs,
           number("validate-samples",
                  "Held-out sentences whose translation and attention are saved in training/samples.jsonl", {0, 1000},
                  validation(&ValidationConfig::samples))),
      only(kGoldAlignments,
           with_value("FILE", word("valid-alignments",
                                   "Gold alignments of the held-out pairs, i-j in each line; adds the metric aer", {},
                                   validation(&ValidationConfig::alignments)))),
      word("stop-on", "Metric that selects the best weights and drives patience and the plateau schedule",
           names_of(validation_metrics()), training(&TrainingOptions::stop_on)),
      number("patience", "Stop after this many validations without improvement; 0: never", {0, kMany},
             training(&TrainingOptions::patience)),
  };
}

std::vector<Option> checkpoint_options() {
  return {
      number("save-steps", "Steps between two saves of the training state; 0: save after validations only", {0, kMany},
             training(&TrainingOptions::save_steps)),
      number("keep-last", "Keep the weights of this many last saves, as training/step-N.safetensors", {0, 1000},
             training(&TrainingOptions::keep_last)),
      words("keep-best", "Keep the best weights by each of these metrics, as model-best-METRIC.safetensors",
            names_of(validation_metrics()), training(&TrainingOptions::keep_best)),
      number("average", "At the end, average this many checkpoints and keep the result if it is better; 0: off",
             {0, 64}, training(&TrainingOptions::average)),
      only(kAverages, choice("average-of", "Which checkpoints --average takes", kAverageOf,
                             training(&TrainingOptions::average_of))),
  };
}

}  // namespace dhyan::option_table
