#include "translator/option_table.h"

namespace dhyan::option_table {

namespace {

constexpr std::array kLossNorms{Choice{"token", LossNorm::kToken}, Choice{"sentence", LossNorm::kSentence}};

}  // namespace

std::vector<Option> loss_options() {
  return {
      choice("loss-norm", "What the loss of a step is the mean over", kLossNorms,
             training(&TrainingOptions::loss_norm)),
      number("label-smoothing", "Probability given to all words alike", {0, 0.99}, loss(&LossOptions::label_smoothing)),
      number("scheduled-sampling", "How often the decoder is fed its own word", {0, 1}, loss(&LossOptions::sampled)),
      number("r-drop", "How much the predictions of two passes with other dropout are to agree; 0: one pass", {0, 1000},
             loss(&LossOptions::r_drop)),
      number("guided-weight", "Of guided alignment, beside the loss", {0, 1000}, loss(&LossOptions::guided)),
      number("guided-layer", "Layer of a Transformer's decoder whose attention is guided; 0: the last", {0, 64},
             loss(&LossOptions::guided_layer)),
      words("freeze", "Weights that stay as they are: names, beginnings of names up to a dot, or patterns with *", {},
            training(&TrainingOptions::freeze)),
  };
}

}  // namespace dhyan::option_table
