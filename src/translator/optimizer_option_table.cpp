#include "translator/option_table.h"

namespace dhyan::option_table {

std::vector<Option> optimizer_options() {
  return {
      word("optimizer", "How weights follow their gradients", names_of(optimizers()),
           training(&TrainingOptions::optimizer)),
      number("momentum", "Of sgd", {0, 0.9999}, optimizer(&OptimizerOptions::momentum)),
      number("rho", "Of adadelta", {0, 0.9999}, optimizer(&OptimizerOptions::rho)),
      number("beta1", "Of adam and adamw", {0, 0.9999}, optimizer(&OptimizerOptions::beta1)),
      number("beta2", "Of adam and adamw", {0, 0.99999}, optimizer(&OptimizerOptions::beta2)),
      optional_number("epsilon", "Of adadelta (1e-6), adam and adamw (1e-8)", {0, 1},
                      optimizer(&OptimizerOptions::epsilon)),
      optional_number("weight-decay", "Of all optimizers (0; adamw 0.01)", {0, 1},
                      optimizer(&OptimizerOptions::weight_decay)),
      word("schedule", "How the learning rate changes", names_of(schedules()), training(&TrainingOptions::schedule)),
      number("learning-rate", "The largest", {1e-12, 1e3}, schedule(&ScheduleOptions::learning_rate)),
      number("warmup-steps", "Up to it the rate grows", {0, kMany}, schedule(&ScheduleOptions::warmup_steps)),
      number("total-steps", "Of cosine: when the rate is down", {0, kMany}, schedule(&ScheduleOptions::total_steps)),
      number("final-rate", "Of cosine and plateau: the smallest rate", {0, 1e3},
             schedule(&ScheduleOptions::final_rate)),
      number("decay-factor", "Of plateau and epoch-decay: what the rate is multiplied with", {1e-6, 0.999999},
             schedule(&ScheduleOptions::factor)),
      number("decay-patience", "Of plateau: validations without progress that are borne", {0, kMany},
             schedule(&ScheduleOptions::patience)),
      number("decay-threshold", "Of plateau: progress is to fall by more than this share", {0, 0.999},
             schedule(&ScheduleOptions::threshold)),
      number("decay-after", "Of epoch-decay: epochs at the full rate", {1, kMany},
             schedule(&ScheduleOptions::decay_after)),
  };
}

}  // namespace dhyan::option_table
