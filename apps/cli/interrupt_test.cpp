#include "cli/interrupt.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

#include "cli/exit_code.h"

namespace dhyan::cli {
namespace {

// Death tests: signals belong to the whole process.

TEST(InterruptDeathTest, TheFirstSignalOnlySetsAFlag) {
  EXPECT_EXIT(
      {
        catch_signals();
        if (interrupted()) std::_Exit(1);
        std::raise(SIGTERM);
        std::_Exit(interrupted() ? 42 : 1);
      },
      testing::ExitedWithCode(42), "");
}

TEST(InterruptDeathTest, AClosedTerminalOnlySetsAFlagToo) {
  EXPECT_EXIT(
      {
        catch_signals();
        std::raise(SIGHUP);
        std::_Exit(interrupted() ? 42 : 1);
      },
      testing::ExitedWithCode(42), "");
}

TEST(InterruptDeathTest, AClosedTerminalIsIgnoredUnderNohup) {
  EXPECT_EXIT(
      {
        std::signal(SIGHUP, SIG_IGN);
        catch_signals();
        std::raise(SIGHUP);
        std::_Exit(interrupted() ? 1 : 42);
      },
      testing::ExitedWithCode(42), "");
}

TEST(InterruptDeathTest, ALaterSignalEndsTheProcess) {
  EXPECT_EXIT(
      {
        catch_signals();
        std::raise(SIGINT);
        std::this_thread::sleep_for(std::chrono::milliseconds(350));
        std::raise(SIGINT);
        std::_Exit(1);
      },
      testing::ExitedWithCode(kInterrupted), "");
}

TEST(InterruptDeathTest, ASignalSentTwiceAtOnceCountsOnce) {
  EXPECT_EXIT(
      {
        catch_signals();
        std::raise(SIGINT);
        std::raise(SIGINT);
        std::_Exit(interrupted() ? 42 : 1);
      },
      testing::ExitedWithCode(42), "");
}

TEST(InterruptDeathTest, AnInterruptedProgramThrowsAtAStoppingPoint) {
  EXPECT_EXIT(
      {
        catch_signals();
        throw_if_interrupted();  // no signal yet, so it does not throw
        std::raise(SIGINT);
        try {
          throw_if_interrupted();
        } catch (const Interrupted&) {
          std::_Exit(42);
        }
      },
      testing::ExitedWithCode(42), "");
}

}  // namespace
}  // namespace dhyan::cli
