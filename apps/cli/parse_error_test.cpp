#include "cli/parse_error.h"

#include <gtest/gtest.h>

#include "cli/testing/whole_program.h"

namespace dhyan::cli {
namespace {

std::string error_of(const std::string& arguments) {
  WholeProgram program;
  try {
    program.parse(arguments);
  } catch (const CLI::ParseError& error) {
    const CLI::App* command = &program.app();
    while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
    return parse_error_text(error, *command);
  }
  return "no error";
}

TEST(ParseError, NamesTheExpectedAndTheGivenValue) {
  const std::pair<const char*, const char*> table[] = {
      {"translate -m M --beam-size x", "--beam-size: expected a whole number from 1 to 1000, got 'x'"},
      {"translate -m M --beam-size 0", "--beam-size: expected a whole number from 1 to 1000, got '0'"},
      {"translate -m M --length-penalty -1", "--length-penalty: expected a number from 0 to 100, got '-1'"},
      {"translate -m M --patience 0", "--patience: expected a number from 0.01 to 100, got '0'"},
      {"translate -m M --sampling --top-k 1.5", "--top-k: expected a whole number from 0 on, got '1.5'"},
      {"translate -m M --replace-unk --replace-unk-layer 0",
       "--replace-unk-layer: expected a whole number from 1 to 1048576 or all, got '0'"},
      {"generate -m M --top-p 2", "--top-p: expected a number from 0 to 1, got '2'"},
      {"evaluate --hypothesis a --smooth-value -1", "--smooth-value: expected a number from 0 to 1e+06, got '-1'"},
      {"explain -m M --step 1.5", "--step: expected a whole number, got '1.5'"},
      {"evaluate --hypothesis a --fail-under x", "--fail-under: expected a number, got 'x'"},
      {"translate -m M --alignment foo", "--alignment: expected hard or soft, got 'foo'"},
      {"translate -m M --weights a,b", "--weights: expected numbers, with commas between them, got 'a,b'"},
      {"translate -m M --text", "--text needs a value (TEXT)"},
      {"translate -m M --alignment", "--alignment needs a value (hard or soft)"},
      {"translate -m M a --text b", "--text and FILE do not go together"},
      {"translate -m M --top-k 3", "--top-k needs --sampling"},
      {"translate", "--model is required"},
      {"data lexicon a b --best -1", "--best: expected a whole number from 0 on, got '-1'"},
      {"data check a --max-words 0", "--max-words: expected a whole number from 1 on, got '0'"},
      {"data check", "FILES is required"},
      {"compare one", "SYSTEMS: expected at least 2, got 1"},
      {"explain -m a -m b text", "--model: expected at most 1, got 2"},
  };
  for (const auto& [arguments, expected] : table) EXPECT_EQ(error_of(arguments), expected) << arguments;
}

TEST(ParseError, QuotesValuesThatLookLikeParserMessages) {
  EXPECT_EQ(error_of("translate -m M --alignment 'a not in {b}: c'"),
            "--alignment: expected hard or soft, got 'a not in {b}: c'");
}

}  // namespace
}  // namespace dhyan::cli
