#include "translator/option_table.h"

namespace dhyan::option_table {

std::vector<Option> training_options() {
  return {
      number("batch-tokens", "Tokens of either side in a batch at most", {1, kMany}, batch(&BatchLimits::max_tokens)),
      number("batch-sentences", "Pairs, or stretches of text, in a batch at most", {1, kMany},
             batch(&BatchLimits::max_sentences)),
      number("accumulate", "Batches that make one step, as one batch so many times as large would", {1, 1 << 20},
             training(&TrainingOptions::accumulate)),
      number("workspace",
             "Megabytes for forward and backward of a batch, all shards together; what needs more is cut "
             "into smaller parts; 0: any",
             {0, 1 << 24}, training(&TrainingOptions::workspace)),
      number("shards", "Parts of a batch that threads take; the result depends on it, not on the threads", {1, 1024},
             training(&TrainingOptions::shards)),
      choice("precision",
             "Of what is multiplied with weights: bfloat16 is faster on a machine with instructions for it (AMX, "
             "AVX-512 BF16) and no faster without; weights, sums and translation stay float32",
             kPrecisions, training(&TrainingOptions::precision)),
      number("ema", "Keep as the model a moving average of the weights with this decay, such as 0.999; 0: do not",
             {0, 0.999999}, training(&TrainingOptions::ema)),
      number("clip-norm", "Longest gradient; 0: any", {0, kHuge}, training(&TrainingOptions::clip_norm)),
      number("seed", "Another seed, other weights and another order", {0, ~std::uint64_t{0}},
             training(&TrainingOptions::seed)),
      number("max-epochs", "Stop after so many passes over the data; 0: no limit", {0, kMany},
             training(&TrainingOptions::max_epochs)),
      number("max-steps", "Stop after so many steps; 0: no limit", {0, kMany}, training(&TrainingOptions::max_steps)),
      number("max-minutes", "Stop after so much time; 0: no limit", {0, kHuge},
             training(&TrainingOptions::max_minutes)),
      number("max-skipped", "Stop after so many steps in a row whose gradients are no numbers; 0: never", {0, kMany},
             training(&TrainingOptions::max_skipped)),
      number("report-steps", "Write a line of the log every so many steps", {1, kMany},
             training(&TrainingOptions::report_steps)),
  };
}

}  // namespace dhyan::option_table
