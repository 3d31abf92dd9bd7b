#include "training/schedules.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"

namespace dhyan {
namespace {

TEST(Schedules, ConstantIsConstantAfterWarmUp) {
  const auto plain = make_schedule("constant", {.learning_rate = 0.2});
  EXPECT_EQ(plain->rate(1), 0.2);
  EXPECT_EQ(plain->rate(1000), 0.2);
  const auto warm = make_schedule("constant", {.learning_rate = 0.2, .warmup_steps = 4});
  EXPECT_DOUBLE_EQ(warm->rate(1), 0.05);
  EXPECT_DOUBLE_EQ(warm->rate(4), 0.2);
  EXPECT_DOUBLE_EQ(warm->rate(5), 0.2);
}

// [vaswani2017] eq. 3: H^-0.5 min(step^-0.5, step warmup^-1.5)
TEST(Schedules, InverseSqrtEqualsTheFormulaOfThePaper) {
  const Index hidden = 512, warmup = 4000;
  const auto schedule =
      make_schedule("inverse-sqrt", {.learning_rate = vaswani_peak(hidden, warmup), .warmup_steps = warmup});
  for (const Index step : {1, 2, 3999, 4000, 4001, 100'000}) {
    const auto s = static_cast<double>(step);
    EXPECT_DOUBLE_EQ(schedule->rate(step), std::pow(512, -0.5) * std::min(std::pow(s, -0.5), s * std::pow(4000, -1.5)));
  }
  EXPECT_NEAR(schedule->rate(warmup), 6.98771e-4, 1e-9);
  EXPECT_DOUBLE_EQ(schedule->rate(4 * warmup), schedule->rate(warmup) / 2);
}

TEST(Schedules, CosineFallsFromThePeakToTheEnd) {
  const auto schedule =
      make_schedule("cosine", {.learning_rate = 1, .warmup_steps = 10, .total_steps = 110, .final_rate = 0.2});
  EXPECT_DOUBLE_EQ(schedule->rate(5), 0.5);
  EXPECT_DOUBLE_EQ(schedule->rate(10), 1);
  EXPECT_NEAR(schedule->rate(35), 0.2 + 0.4 * (1 + std::sqrt(0.5)), 1e-12);
  EXPECT_NEAR(schedule->rate(60), 0.6, 1e-12);
  EXPECT_NEAR(schedule->rate(110), 0.2, 1e-12);
  EXPECT_NEAR(schedule->rate(500), 0.2, 1e-12);
}

TEST(Schedules, EndWhenTheRateStaysZero) {
  const auto ends = make_schedule("cosine", {.learning_rate = 1, .warmup_steps = 10, .total_steps = 110});
  EXPECT_EQ(ends->last_step(), 110);
  EXPECT_GT(ends->rate(109), 0);
  EXPECT_NEAR(ends->rate(110), 0, 1e-12);
  const auto goes_on =
      make_schedule("cosine", {.learning_rate = 1, .warmup_steps = 10, .total_steps = 110, .final_rate = 0.2});
  EXPECT_EQ(goes_on->last_step(), std::nullopt);
  for (const char* name : {"constant", "inverse-sqrt", "plateau", "epoch-decay"}) {
    EXPECT_EQ(make_schedule(name, {.warmup_steps = 1, .total_steps = 5})->last_step(), std::nullopt) << name;
  }
}

// The rates of PyTorch 1.13's ReduceLROnPlateau for the same metrics.
TEST(Schedules, PlateauEqualsPyTorch) {
  const auto schedule = make_schedule(
      "plateau", {.learning_rate = 1, .final_rate = 0.2, .factor = 0.5, .patience = 1, .threshold = 0.01});
  const std::vector<double> metrics{10, 9, 8.95, 9.5, 9.4, 9.3, 5, 6, 6, 6, 6, 6, 6};
  const std::vector<double> rates{1, 1, 1, 0.5, 0.5, 0.25, 0.25, 0.25, 0.2, 0.2, 0.2, 0.2, 0.2};
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    schedule->observe(metrics[i]);
    EXPECT_DOUBLE_EQ(schedule->rate(static_cast<Index>(i) + 1), rates[i]) << i;
  }
}

TEST(Schedules, PlateauCountsNanAsNoImprovement) {
  const auto schedule = make_schedule("plateau", {.learning_rate = 1, .patience = 0});
  schedule->observe(std::nan(""));
  EXPECT_EQ(schedule->rate(1), 0.5);
  schedule->observe(3);
  EXPECT_EQ(schedule->rate(2), 0.5);
}

TEST(Schedules, EpochDecayHalvesTheRateForEachEpochAfterTheFirstFew) {
  const auto schedule = make_schedule("epoch-decay", {.learning_rate = 1, .decay_after = 2});
  std::vector<double> rates;
  for (int epoch = 1; epoch <= 5; ++epoch) {
    rates.push_back(schedule->rate(epoch * 100));
    schedule->end_epoch();
  }
  EXPECT_EQ(rates, (std::vector<double>{1, 1, 0.5, 0.25, 0.125}));
  EXPECT_THROW(schedule->restore(std::vector<double>{-1}), ModelFileError);
  EXPECT_THROW(schedule->restore(std::vector<double>{NAN}), ModelFileError);
}

TEST(Schedules, ContinueAfterARestoreAsIfNeverStopped) {
  for (const ScheduleEntry& entry : schedules()) {
    const ScheduleOptions options{.learning_rate = 1, .warmup_steps = 3, .total_steps = 20, .patience = 1};
    const auto straight = make_schedule(entry.name, options);
    auto stopped = make_schedule(entry.name, options);
    for (Index step = 1; step < 20; ++step) {
      if (step == 6) {
        auto fresh = make_schedule(entry.name, options);
        fresh->restore(stopped->state());
        stopped = std::move(fresh);
      }
      EXPECT_EQ(straight->rate(step), stopped->rate(step)) << entry.name << " at " << step;
      for (Schedule* schedule : {straight.get(), stopped.get()}) {
        schedule->observe(step < 4 ? -1.0 * step : 0);
        schedule->end_epoch();
      }
    }
    EXPECT_THROW(straight->restore(std::vector<double>{1, 2}), ModelFileError) << entry.name;
  }
}

std::string refusal(const char* name, const ScheduleOptions& options) {
  return thrown<ConfigError>([&] { make_schedule(name, options); });
}

TEST(Schedules, RefuseSettingsOutOfRange) {
  EXPECT_EQ(refusal("linear", {}),
            "schedule: 'linear' is none of constant, inverse-sqrt, cosine, plateau, epoch-decay");
  EXPECT_EQ(refusal("constant", {.learning_rate = -1}), "schedule: learning-rate is -1, expected more than 0");
  EXPECT_EQ(refusal("constant", {.learning_rate = NAN}), "schedule: learning-rate is nan, expected more than 0");
  EXPECT_EQ(refusal("constant", {.warmup_steps = -3}), "schedule: warmup-steps is -3, expected at least 0");
  EXPECT_EQ(refusal("cosine", {.learning_rate = 1, .total_steps = 9, .final_rate = 2}),
            "schedule: final-rate is 2, expected 0 to learning-rate, 1");
  EXPECT_EQ(refusal("inverse-sqrt", {}), "schedule inverse-sqrt: warmup-steps is 0, expected at least 1");
  EXPECT_EQ(refusal("cosine", {.warmup_steps = 5, .total_steps = 5}),
            "schedule cosine: total-steps is 5, expected the step at which the rate is lowest, after the 5 of "
            "warmup-steps (--total-steps)");
  EXPECT_EQ(refusal("plateau", {.factor = 1}), "schedule plateau: factor is 1, expected between 0 and 1");
  EXPECT_EQ(refusal("epoch-decay", {.factor = 1}), "schedule epoch-decay: factor is 1, expected between 0 and 1");
  EXPECT_EQ(refusal("epoch-decay", {.decay_after = 0}), "schedule epoch-decay: decay_after is 0, expected at least 1");
  EXPECT_EQ(refusal("plateau", {.patience = -1}), "schedule plateau: patience is -1, expected at least 0");
  EXPECT_EQ(refusal("plateau", {.threshold = 1}),
            "schedule plateau: threshold is 1, expected 0 or more and less than 1");
}

}  // namespace
}  // namespace dhyan
