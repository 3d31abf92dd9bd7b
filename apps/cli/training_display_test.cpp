#include "cli/training_display.h"

#include <gtest/gtest.h>
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

}  // namespace
}  // namespace dhyan::cli
