#include "config/option_conditions.h"
#include "config/option_table.h"

namespace dhyan::option_table {

std::vector<Option> optimizer_options() {
  return {
      word("optimizer", "Optimizer", names_of(optimizers()), training(&TrainingOptions::optimizer)),
      only(kSgd, number("momentum", "Momentum of sgd", {0, 0.9999}, optimizer(&OptimizerOptions::momentum))),
      only(kAdadelta, number("rho", "Decay rate of adadelta", {0, 0.9999}, optimizer(&OptimizerOptions::rho))),
      only(kAdam, number("beta1", "Decay rate of the first moment of adam and adamw", {0, 0.9999},
                         optimizer(&OptimizerOptions::beta1))),
      only(kAdam, number("beta2", "Decay rate of the second moment of adam and adamw", {0, 0.99999},
                         optimizer(&OptimizerOptions::beta2))),
      only(kNotSgd, optional_number("epsilon", "Epsilon of adadelta (1e-6), adam and adamw (1e-8)", {0, 1},
                                    optimizer(&OptimizerOptions::epsilon))),
      optional_number("weight-decay", "Weight decay (0; adamw: 0.01)", {0, 1},
                      optimizer(&OptimizerOptions::weight_decay)),
      word("schedule", "Learning rate schedule", names_of(schedules()), training(&TrainingOptions::schedule)),
      number("learning-rate", "Peak learning rate", {1e-12, 1e3}, schedule(&ScheduleOptions::learning_rate)),
      number("warmup-steps", "Steps over which the learning rate grows to its peak", {0, kMany},
             schedule(&ScheduleOptions::warmup_steps)),
      only(kCosine,
           number("total-steps",
                  "Cosine: step at which the learning rate reaches --final-rate; if that is 0, training ends there",
                  {0, kMany}, schedule(&ScheduleOptions::total_steps))),
      only(kCosineOrPlateau,
           number("final-rate", "Cosine and plateau: smallest learning rate; cosine stays at it after --total-steps",
                  {0, 1e3}, schedule(&ScheduleOptions::final_rate))),
      only(kPlateauOrEpochs, number("decay-factor", "Plateau and epoch-decay: factor of the learning rate",
                                    {1e-6, 0.999999}, schedule(&ScheduleOptions::factor))),
      only(kPlateau, number("decay-patience", "Plateau: validations without improvement before the learning rate falls",
                            {0, kMany}, schedule(&ScheduleOptions::patience))),
      only(kPlateau, number("decay-threshold", "Plateau: relative improvement that counts as one", {0, 0.999},
                            schedule(&ScheduleOptions::threshold))),
      only(kEpochDecay, number("decay-after", "Epoch-decay: epochs at the full learning rate", {1, kMany},
                               schedule(&ScheduleOptions::decay_after))),
  };
}

}  // namespace dhyan::option_table
