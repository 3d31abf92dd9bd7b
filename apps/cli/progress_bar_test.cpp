#include "cli/progress_bar.h"

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
  EXPECT_EQ(progress_line("x", {1, 7201, "pairs", 1}), "x    0% [                    ]  1 pairs/s  2:00:00 left");
  EXPECT_EQ(progress_line("x", {10, 10, "pairs", 2}), "x  100% [####################]  5 pairs/s  0:00 left");
  EXPECT_EQ(progress_line("x", {12, 10, "pairs", 2}), "x  100% [####################]  6 pairs/s  0:00 left");
}

TEST(ProgressLine, ShowsWhatIsDoneWhereTheTotalIsUnknown) {
  EXPECT_EQ(progress_line("reading", {2'500'000, {}, "pairs", 2}), "reading  2,500,000 pairs  1,250,000 pairs/s");
  EXPECT_EQ(progress_line("reading", {0, 0, "bytes", 0}), "reading  0.0 MB  0.0 MB/s");
}

TEST(ProgressBar, MovesOnATerminalAfterASecondAndGoesWhenTheWorkEnds) {
  int terminal = -1, inner = -1;
  ASSERT_EQ(openpty(&terminal, &inner, nullptr, nullptr, nullptr), 0);
  ::setenv("TERM", "xterm", 1);
  {
    ProgressBar bar("reading", inner);
    bar.update(1, 100, "pairs");
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    bar.update(50, 100, "pairs");
    bar.update(51, 100, "pairs");  // too soon after the last
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
  EXPECT_EQ(shown.find("reading", 5), shown.npos) << shown;
}

TEST(ProgressBar, SaysNothingElsewhereUntilItTakesLong) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  {
    ProgressBar bar("reading", pipe[1]);
    bar.update(1, 100, "pairs");
  }
  ::close(pipe[1]);
  char byte = 0;
  EXPECT_EQ(::read(pipe[0], &byte, 1), 0);
  ::close(pipe[0]);
}

}  // namespace
}  // namespace dhyan::cli
