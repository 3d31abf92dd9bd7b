#include "cli/text_input.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "translator/open_request.h"

namespace dhyan::cli {
namespace {

std::vector<std::string> lines_in(const TextInput& input) {
  std::vector<std::string> lines;
  LineReader reader = open_lines(input, {});
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  return lines;
}

TEST(TextInput, DistinguishesASentenceFromAFileName) {
  for (const char* sentence :
       {"I am eating food", "मैं खाना खा रहा हूँ", "This is it.", "two\nlines", "either and/or both"}) {
    EXPECT_TRUE(reads_like_a_sentence(sentence)) << sentence;
  }
  for (const char* name : {"test.hi", "my test.hi", "Hello", "/dev/no such file", "no/such/file", "-x"}) {
    EXPECT_FALSE(reads_like_a_sentence(name)) << name;
  }
}

TEST(TextInput, IsTheFileIfItExists) {
  const TemporaryFolder folder;
  TextInput input{.file = folder.write("a sentence that is a file", "one\ntwo\n")};
  EXPECT_EQ(take_sentence_as_text(input), "");
  EXPECT_EQ(lines_in(input), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(count_lines(input.file), 2u);
  EXPECT_EQ(count_lines("-"), std::nullopt);
}

TEST(TextInput, IsTheSentenceWithANoteIfNoSuchFileExists) {
  TextInput input{.file = "I am eating food"};
  EXPECT_EQ(take_sentence_as_text(input),
            "there is no file 'I am eating food'; it is translated as text (--text does so without this note)");
  EXPECT_EQ(lines_in(input), std::vector<std::string>{"I am eating food"});
  TextInput longer{.file = std::string(3000, 'a') + " b"};  // longer than any file name
  EXPECT_NE(take_sentence_as_text(longer), "");
  EXPECT_EQ(lines_in(longer).front().size(), 3002u);
}

TEST(TextInput, RefusesTextForAnOptionThatTakesAFile) {
  const TemporaryFolder folder;
  const auto expect = [](const std::string& file) { expect_side_file(file, "--prefix", "one prefix per line"); };
  EXPECT_EQ(thrown<IoError>([&] { expect("hello . good"); }),
            "hello . good: cannot open: No such file or directory; --prefix takes a FILE with one prefix per line");
  EXPECT_NO_THROW(expect(folder.write("prefixes", "hello\n")));
  EXPECT_NO_THROW(expect("-"));
  EXPECT_NO_THROW(expect(""));
}

TEST(TextInput, IsAnErrorWithAHintForAMissingFile) {
  TextInput input{.file = "test.hi"};
  EXPECT_EQ(thrown<IoError>([&] { take_sentence_as_text(input); }),
            "test.hi: cannot open: No such file or directory; to translate words of the command line, use --text");
}

TEST(TextInput, MayBeAnEmptyTextOrSeveralLines) {
  EXPECT_EQ(lines_in({.text = ""}), std::vector<std::string>{""});
  EXPECT_EQ(lines_in({.text = "a\nb"}), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(lines_in({.text = "a\n"}), std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace dhyan::cli
