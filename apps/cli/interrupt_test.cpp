#include "cli/interrupt.h"

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>

#include "cli/exit_code.h"

namespace dhyan::cli {
namespace {

// Death tests: signals belong to the whole process.

TEST(InterruptDeathTest, TheFirstSignalOnlyAsks) {
  EXPECT_EXIT(
      {
        catch_signals();
        if (interrupted()) std::_Exit(1);
        std::raise(SIGTERM);
        std::_Exit(interrupted() ? 42 : 1);
      },
      testing::ExitedWithCode(42), "");
}

TEST(InterruptDeathTest, TheSecondSignalEndsTheProcess) {
  EXPECT_EXIT(
      {
        catch_signals();
        std::raise(SIGINT);
        std::raise(SIGINT);
        std::_Exit(1);
      },
      testing::ExitedWithCode(kInterrupted), "");
}

TEST(InterruptDeathTest, AnAskedProgramThrowsWhereItCanStop) {
  EXPECT_EXIT(
      {
        catch_signals();
        throw_if_interrupted();  // nothing yet
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
