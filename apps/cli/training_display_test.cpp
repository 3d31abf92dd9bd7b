#include "cli/training_display.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace dhyan::cli {
namespace {

TEST(TrainingStatus, ShowsAllThatIsKnown) {
  TrainingStatus status{.at = {.step = 10, .epochs = 3.416, .done = 0.25, .seconds = 1},
                        .max_epochs = 20,
                        .loss = 2,
                        .held_out = {{"loss", 2.5}, {"perplexity", 12}},
                        .tokens_per_second = 12345.6,
                        .seconds_left = 62};
  EXPECT_EQ(status_text(status),
            "epoch 3.42/20 [###         ]  loss 2.000  perplexity 7.39  held-out loss 2.5000  "
            "12,345 tokens/s  1:02 left");
  status.max_epochs = 0;
  status.seconds_left = 0;
  status.held_out.clear();
  EXPECT_EQ(status_text(status), "epoch 3.42 [###         ]  loss 2.000  perplexity 7.39  12,345 tokens/s");
}

TEST(TrainingDisplay, WritesLinesWhereThereIsNoTerminal) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  {
    TrainingDisplay display(20, pipe[1]);
    display.on_note("a note");
    display.on_step({});
    display.on_interval({.at = {.step = 50, .epochs = 0.5}, .loss = 1});
  }
  ::close(pipe[1]);
  char text[256]{};
  ASSERT_GT(::read(pipe[0], text, sizeof text - 1), 0);
  ::close(pipe[0]);
  EXPECT_TRUE(std::string(text).starts_with("a note\nstep 50     epoch 0.50   loss 1.0000")) << text;
}

TEST(TrainingDisplay, TellsTheTimeLeftWhereThereIsNoTerminal) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  {
    TrainingDisplay display(20, pipe[1]);
    display.on_step({.at = {.step = 1, .done = 0.1}, .target_tokens = 1});
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    display.on_step({.at = {.step = 2, .done = 0.2}, .target_tokens = 1});
    display.on_interval({.at = {.step = 2, .epochs = 0.5}, .loss = 1});
  }
  ::close(pipe[1]);
  char text[256]{};
  ASSERT_GT(::read(pipe[0], text, sizeof text - 1), 0);
  ::close(pipe[0]);
  EXPECT_TRUE(std::string(text).ends_with(" tokens/s  0:01 left\n")) << text;
}

// The lines that a display without a terminal writes; `use` moves its clock.
std::string lines_of(const std::function<void(TrainingDisplay&, std::chrono::steady_clock::time_point&)>& use) {
  int pipe[2];
  if (::pipe(pipe) != 0) return "no pipe";
  {
    std::chrono::steady_clock::time_point now;
    TrainingDisplay display(20, pipe[1], [&now] { return now; });
    use(display, now);
  }
  ::close(pipe[1]);
  char text[2048]{};
  EXPECT_GE(::read(pipe[0], text, sizeof text - 1), 0);
  ::close(pipe[0]);
  return text;
}

TEST(TrainingDisplay, ALineIsTheMeanSinceTheLineBefore) {
  using std::chrono::seconds;
  const NamedScore held_out{"loss", 0.5};
  const std::string text = lines_of([&](TrainingDisplay& display, auto& now) {
    display.on_step({});
    now += seconds(4);
    display.on_step({.at = {.step = 2}, .loss = 6, .target_tokens = 400});
    display.on_interval({.at = {.step = 50}, .loss = 0.02});
    now += seconds(100);  // of validating
    display.on_validation({.at = {.step = 50}, .metrics = {&held_out, 1}});
    now += seconds(30);
    display.on_step({.at = {.step = 51}, .loss = 0.01, .target_tokens = 3000});
    now += seconds(30);
    display.on_step({.at = {.step = 52}, .loss = 0.03, .target_tokens = 3000});
  });
  EXPECT_NE(text.find("loss 6.000  perplexity 403.43  100 tokens/s\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("loss 0.020  perplexity 1.02  held-out loss 0.5000  100 tokens/s\n")) << text;
}

TEST(TrainingDisplay, LeavesOutStepsWithoutALoss) {
  using std::chrono::seconds;
  const std::string text = lines_of([&](TrainingDisplay& display, auto& now) {
    display.on_step({});
    now += seconds(4);
    display.on_step({.at = {.step = 2}, .loss = std::nan(""), .target_tokens = 400});
    now += seconds(4);
    display.on_step({.at = {.step = 3}, .loss = 2, .target_tokens = 400});
  });
  EXPECT_TRUE(text.ends_with("loss 2.000  perplexity 7.39  50 tokens/s\n")) << text;
}

}  // namespace
}  // namespace dhyan::cli
