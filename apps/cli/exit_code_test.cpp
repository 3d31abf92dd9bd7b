#include "cli/exit_code.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <new>
#include <sstream>
#include <system_error>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "core/error.h"

namespace dhyan::cli {
namespace {

struct Reported {
  ExitCode code;
  std::string text;
};

template <class Thrown>
Reported reported(const Thrown& thrown) {
  std::ostringstream errors;
  try {
    throw thrown;
  } catch (...) {
    const ExitCode code = report_current_exception(errors);
    return {code, errors.str()};
  }
}

TEST(ExitCode, DistinguishesUsageInputAndRunErrors) {
  EXPECT_EQ(reported(UsageError("x")).code, 2);
  EXPECT_EQ(reported(ModelFileError("x")).code, 3);
  EXPECT_EQ(reported(DataError("x")).code, 3);
  EXPECT_EQ(reported(ConfigError("x")).code, 3);
  EXPECT_EQ(reported(IoError("x")).code, 3);
  EXPECT_EQ(reported(WriteError("x")).code, 1) << "what was given is fine, the disk is not";
  EXPECT_EQ(reported(ShapeError("x")).code, 1);
  EXPECT_EQ(reported(std::logic_error("x")).code, 1);
  EXPECT_EQ(reported(Interrupted()).code, 130);
}

TEST(ExitCode, PrintsTheErrorMessage) {
  EXPECT_EQ(reported(DataError("train.hi:3: empty")).text, "dhyan: error: train.hi:3: empty\n");
  EXPECT_EQ(reported(std::bad_alloc()).text, "dhyan: error: out of memory\n");
  EXPECT_EQ(reported(Interrupted()).text, "dhyan: interrupted\n");
}

TEST(ExitCode, IsUnusableInputForAPathTheSystemRefuses) {
  const auto refused = [](std::errc why) {
    return reported(std::filesystem::filesystem_error("status", "loop", std::make_error_code(why)));
  };
  const Reported loop = refused(std::errc::too_many_symbolic_link_levels);
  EXPECT_EQ(loop.code, 3);
  EXPECT_EQ(loop.text, "dhyan: error: loop: cannot be used: Too many levels of symbolic links\n");
  EXPECT_EQ(refused(std::errc::no_space_on_device).code, 1) << "the disk is to blame";
}

TEST(ExitCode, IsSeparateForAScoreThatIsTooLow) {
  EXPECT_EQ(reported(ScoreTooLow("BLEU is 3")).code, 4);
  EXPECT_EQ(reported(ScoreTooLow("BLEU is 3")).text, "dhyan: BLEU is 3\n");
}

TEST(ExitCode, PrintsNothingIfTheReaderIsGone) {
  EXPECT_EQ(reported(ReaderGone()).code, 1);
  EXPECT_EQ(reported(ReaderGone()).text, "");
}

}  // namespace
}  // namespace dhyan::cli
