#include "config/option_table.h"

namespace dhyan::option_table {

std::vector<Option> training_options() {
  return {
      number("batch-tokens", "Most tokens of one side in a batch", {1, kMany}, batch(&BatchLimits::max_tokens)),
      number("batch-sentences", "Most sentence pairs, or stretches of text, in a batch", {1, kMany},
             batch(&BatchLimits::max_sentences)),
      number("accumulate", "Batches whose gradients are summed into one step", {1, 1 << 20},
             training(&TrainingOptions::accumulate)),
      number("workspace", "Memory for forward and backward passes, in megabytes; larger batches are split; 0: no limit",
             {0, 1 << 24}, training(&TrainingOptions::workspace)),
      number("shards",
             "Parts of a batch that threads work on; the result depends on it, but not on the number of threads",
             {1, 1024}, training(&TrainingOptions::shards)),
      choice(
          "precision",
          "Number format of matrix products: float32, or bfloat16, which is faster on CPUs with AMX or AVX-512 BF16; "
          "weights and translation stay float32",
          kPrecisions, training(&TrainingOptions::precision)),
      number("ema", "Decay of a moving average of the weights, such as 0.999, that becomes the model; 0: off",
             {0, 0.999999}, training(&TrainingOptions::ema)),
      number("clip-norm", "Clip gradients to this norm; 0: off", {0, kHuge}, training(&TrainingOptions::clip_norm)),
      number("seed", "Random seed of initial weights and data order", {0, ~std::uint64_t{0}},
             training(&TrainingOptions::seed)),
      number("max-epochs", "Stop after this many passes over the data; 0: no limit", {0, kMany},
             training(&TrainingOptions::max_epochs)),
      number("max-steps", "Stop after this many steps; 0: no limit", {0, kMany}, training(&TrainingOptions::max_steps)),
      number("max-minutes", "Stop after this many minutes; 0: no limit", {0, kHuge},
             training(&TrainingOptions::max_minutes)),
      number("max-skipped", "Stop after this many steps in a row with NaN or infinite gradients; 0: never", {0, kMany},
             training(&TrainingOptions::max_skipped)),
      number("report-steps", "Steps between two lines of the log", {1, kMany},
             training(&TrainingOptions::report_steps)),
  };
}

}  // namespace dhyan::option_table
