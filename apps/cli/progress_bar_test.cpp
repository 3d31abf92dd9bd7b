#include "cli/progress_bar.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <pty.h>
#include <thread>
#include <unistd.h>

namespace dhyan::cli {
namespace {

TEST(ProgressLine, ShowsShareRateAndTimeLeft) {
  EXPECT_EQ(progress_line("reading", {45'000'000, 100'000'000, "bytes", 4.5}),
            "reading   45% [#########           ]  10.0 MB/s  0:06 left");
  EXPECT_EQ(progress_line("x", {1, 7201, "pairs", 1}), "x    0% [                    ]  1.0 pairs/s  2:00:00 left");
  EXPECT_EQ(progress_line("x", {30, 30, "pairs", 2}), "x  100% [####################]  15 pairs/s  0:00 left");
  EXPECT_EQ(progress_line("x", {32, 30, "pairs", 2}), "x  100% [####################]  16 pairs/s  0:00 left");
}

TEST(ProgressLine, ShowsTheCountIfTheTotalIsUnknown) {
  EXPECT_EQ(progress_line("reading", {2'500'000, {}, "pairs", 2}), "reading  2,500,000 pairs  1,250,000 pairs/s");
  EXPECT_EQ(progress_line("reading", {20'000, {}, "bytes", 10}), "reading  20.0 kB  2.0 kB/s");
}

TEST(ProgressLine, ShowsTheTimeIfNothingElseIsKnown) {
  EXPECT_EQ(progress_line("learning tokenizers", {.seconds = 63}), "learning tokenizers  1:03 so far");
}

// The output of a bar to a pipe during `work`.
template <class Work>
std::string written_to_pipe(std::optional<ProgressPace> pace, const Work& work) {
  int pipe[2];
  EXPECT_EQ(::pipe(pipe), 0);
  {
    ProgressBar bar("reading", pipe[1], pace);
    work(bar);
  }
  ::close(pipe[1]);
  std::string text;
  char buffer[256];
  for (ssize_t n = 0; (n = ::read(pipe[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  ::close(pipe[0]);
  return text;
}

constexpr std::chrono::milliseconds kSoon(20), kNever(100'000);

TEST(ProgressBar, RedrawsDuringWorkWithoutUpdates) {
  const std::string text = written_to_pipe(ProgressPace{kSoon, kNever, kNever},
                                           [](ProgressBar&) { std::this_thread::sleep_for(10 * kSoon); });
  EXPECT_EQ(text, "reading  0:01 so far\n");
}

TEST(ProgressBar, RedrawsWithinFiveSeconds) {
  EXPECT_LT(kPaceOnTerminal.first, std::chrono::seconds(5));
  EXPECT_LT(kPaceInLines.first, std::chrono::seconds(5));
}

TEST(ProgressBar, WritesNoLineWithoutProgressIfNotATerminal) {
  const std::string text = written_to_pipe(ProgressPace{kSoon, kSoon, kSoon}, [](ProgressBar& bar) {
    bar.update(3, 4, "sentences");
    std::this_thread::sleep_for(20 * kSoon);
  });
  EXPECT_TRUE(text.starts_with("reading   75% [###############     ]  ")) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
}

TEST(ProgressBar, WritesLinesLessAndLessOftenIfNotATerminal) {
  const std::string text = written_to_pipe(ProgressPace{kSoon, kSoon, 16 * kSoon},
                                           [](ProgressBar&) { std::this_thread::sleep_for(40 * kSoon); });
  const auto lines = std::ranges::count(text, '\n');
  EXPECT_GE(lines, 2) << text;
  EXPECT_LE(lines, 7) << "not 40: " << text;
}

TEST(ProgressBar, AppearsOnATerminalAfterASecondAndDisappearsAtTheEnd) {
  int terminal = -1, inner = -1;
  ASSERT_EQ(openpty(&terminal, &inner, nullptr, nullptr, nullptr), 0);
  ::setenv("TERM", "xterm", 1);
  {
    ProgressBar bar("reading", inner);
    bar.update(50, 100, "pairs");
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  }
  ::close(inner);
  std::string shown;
  char buffer[256];
  for (ssize_t n = 0; (n = ::read(terminal, buffer, sizeof buffer)) > 0;) {
    shown.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(terminal);
  EXPECT_TRUE(shown.starts_with("\r\x1b[Kreading   50% [##########          ]  ")) << shown;
  EXPECT_TRUE(shown.ends_with(" left\r\x1b[K")) << shown;
}

TEST(ProgressBar, WritesNothingForShortWorkIfNotATerminal) {
  EXPECT_EQ(written_to_pipe({}, [](ProgressBar& bar) { bar.update(1, 100, "pairs"); }), "");
}

}  // namespace
}  // namespace dhyan::cli
