#include "cli/arguments.h"

#include <gtest/gtest.h>

#include "cli/testing/whole_program.h"

namespace dhyan::cli {
namespace {

using Words = std::vector<std::string>;

TEST(Arguments, TreatANonNumericWordAsTheNextArgument) {
  const WholeProgram program;
  const std::pair<Words, Words> table[] = {
      {{"explain", "-m", "M", "--beam", "I eat"}, {"explain", "-m", "M", "--beam=3", "I eat"}},
      {{"explain", "-m", "M", "--beam", "5", "I eat"}, {"explain", "-m", "M", "--beam", "5", "I eat"}},
      {{"translate", "--n-best", "a.hi", "-m", "M"}, {"translate", "--n-best=0", "a.hi", "-m", "M"}},
      {{"translate", "--n-best", "-", "-m", "M"}, {"translate", "--n-best=0", "-", "-m", "M"}},
      {{"translate", "--n-best", "-m", "M"}, {"translate", "--n-best", "-m", "M"}},
      {{"translate", "-m", "M", "--n-best"}, {"translate", "-m", "M", "--n-best"}},
      {{"translate", "--", "--n-best", "a.hi"}, {"translate", "--", "--n-best", "a.hi"}},
      {{"score", "--n-best", "list", "a.hi"}, {"score", "--n-best", "list", "a.hi"}},
      {{"train", "--residual", "true"}, {"train", "--residual", "true"}},
  };
  for (const auto& [typed, expected] : table) EXPECT_EQ(arguments_for(program.app(), typed), expected);
}

TEST(Arguments, AcceptHelpAndVersionAsCommands) {
  const WholeProgram program;
  const std::pair<Words, Words> table[] = {
      {{"help"}, {"--help"}},
      {{"help", "train"}, {"train", "--help"}},
      {{"help", "data", "check"}, {"data", "check", "--help"}},
      {{"help", "trian"}, {"trian"}},
      {{"help", "train", "--resume"}, {"train", "--help"}},
      {{"version"}, {"--version"}},
      {{"translate", "help"}, {"translate", "help"}},
      {{}, {}},
  };
  for (const auto& [typed, expected] : table) EXPECT_EQ(arguments_for(program.app(), typed), expected);
}

}  // namespace
}  // namespace dhyan::cli
