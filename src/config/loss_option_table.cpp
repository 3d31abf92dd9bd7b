#include "config/option_conditions.h"
#include "config/option_table.h"

namespace dhyan::option_table {

namespace {

constexpr std::array kLossNorms{Choice{"token", LossNorm::kToken}, Choice{"sentence", LossNorm::kSentence}};

}  // namespace

std::vector<Option> loss_options() {
  return {
      choice("loss-norm", "Average the loss of a step over tokens or over sentences", kLossNorms,
             training(&TrainingOptions::loss_norm)),
      number("label-smoothing", "Label smoothing: probability spread over the whole vocabulary", {0, 0.99},
             loss(&LossOptions::label_smoothing)),
      only(kTranslation,
           number("scheduled-sampling", "Scheduled sampling: probability of feeding the decoder its own prediction",
                  {0, 1}, loss(&LossOptions::sampled))),
      number("r-drop", "R-Drop: weight of the divergence between two passes with different dropout; 0: off", {0, 1000},
             loss(&LossOptions::r_drop)),
      only(kGuided,
           number("guided-weight", "Weight of guided alignment in the loss", {0, 1000}, loss(&LossOptions::guided))),
      only(kGuidedLayer, number("guided-layer", "Decoder layer whose attention is guided; 0: the last", {0, 64},
                                loss(&LossOptions::guided_layer))),
      only(kWordTable, number("negatives", "Aligner: target words drawn for each shard, to estimate the sum over all",
                              {1, 1 << 24}, aligner(&AlignerSettings::negatives))),
      words("freeze", "Weights to keep unchanged: full names, prefixes that end before a dot, or patterns with *", {},
            training(&TrainingOptions::freeze)),
  };
}

}  // namespace dhyan::option_table
