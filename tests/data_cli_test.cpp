// `dhyan data` as a shell sees it.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

#include "binary.h"
#include "core/error.h"
#include "data/testing/test_corpus.h"
#include "process.h"

namespace dhyan {
namespace {

Finished data(std::vector<std::string> arguments, std::string_view input = {}) {
  arguments.insert(arguments.begin(), {kBinary, "data"});
  return run(arguments, {}, input);
}

class DataCommand : public testing::Test {
 protected:
  // Expects exit code 3, this message and no output.
  void expect_unusable(const std::vector<std::string>& arguments, const std::string& message) {
    const std::size_t files = folder_.files();
    const Finished finished = data(arguments);
    EXPECT_EQ(finished.code, 3) << message;
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(finished.error, "dhyan: error: " + message + "\n");
    EXPECT_EQ(folder_.files(), files) << "something was left behind";
  }

  CorpusFolder folder_;
};

TEST_F(DataCommand, CheckReportsStatisticsOfACorpus) {
  folder_.write("a.hi", "मैं खाना खा रहा हूँ\nतुम\n\nOK\nमैं खाना खा रहा हूँ\nमैं\n");
  folder_.write("a.en", "I am eating food\nyou\nx\nOK\nI am eating food\nI am the one who is in here\n");
  const std::vector<std::string> arguments{"check", folder_.path("a.hi"), folder_.path("a.en")};
  const Finished table = data(arguments);
  EXPECT_EQ(table.code, 0);
  EXPECT_EQ(table.error, "");
  EXPECT_TRUE(has(table.out, "pairs                          6\n"));
  EXPECT_TRUE(has(table.out, "words                         13            19\n"));
  EXPECT_TRUE(has(table.out, "script                Devanagari         Latin\n"));
  EXPECT_TRUE(has(table.out, "  0                            1  ########\n  1 to 5                       5  #####"));
  EXPECT_TRUE(has(table.out, "would be kept                  3         50.0%\n"));

  std::vector<std::string> with_json = arguments;
  with_json.insert(with_json.end(), {"--json", "--max-ratio", "8"});
  const auto json = nlohmann::json::parse(data(with_json).out);
  EXPECT_EQ(json["pairs"], 6);
  EXPECT_EQ(json["source"]["longest"], 5);
  EXPECT_EQ(json["target"]["words"], 19);
  EXPECT_EQ(json["target"]["histogram"][2]["from"], 6);
  EXPECT_EQ(json["target"]["histogram"][2]["sentences"], 1);
  EXPECT_EQ(json["kept"], 2);
  std::map<std::string, std::pair<int, int>> counts;
  for (const auto& filter : json["filters"]) counts[filter["name"]] = {filter["matched"], filter["dropped"]};
  EXPECT_EQ(counts["empty"], std::pair(1, 1));
  EXPECT_EQ(counts["identical"], std::pair(1, 1));
  EXPECT_EQ(counts["ratio"], std::pair(1, 1));
  EXPECT_EQ(counts["script"], std::pair(1, 0));
  EXPECT_EQ(counts["duplicate"], std::pair(1, 1));
}

TEST_F(DataCommand, CheckReadsPlainTextAndStandardInput) {
  const std::string plain = folder_.text("a.txt.zst", "one two\n\nthree\n");
  EXPECT_TRUE(has(data({"check", plain}).out, "sentences                      3\n"));
  folder_.text("a.gz", "a\tb\nc\td\n");
  const Finished from_stdin = data({"check", "-"}, folder_.read("a.gz"));
  EXPECT_EQ(from_stdin.code, 0);
  EXPECT_TRUE(has(from_stdin.out, "pairs                          2\n"));
}

TEST_F(DataCommand, CheckOfAnEmptyCorpusIsZero) {
  const Finished finished = data({"check", folder_.write("a.tsv", "")});
  EXPECT_EQ(finished.code, 0);
  EXPECT_TRUE(has(finished.out, "would be kept                  0          0.0%\n"));
}

TEST_F(DataCommand, CleanWritesKeptAndDroppedPairs) {
  const std::string tsv = folder_.write("a.tsv", "एक\tone\n\tempty\nदो\ttwo\nएक\tone\n");
  const Finished to_stdout = data({"clean", tsv, "--dropped", folder_.path("dropped.tsv")});
  EXPECT_EQ(to_stdout.code, 0);
  EXPECT_EQ(to_stdout.out, "एक\tone\nदो\ttwo\n");
  EXPECT_EQ(to_stdout.error, "kept: 2 of 4\ndropped, empty: 1\ndropped, duplicate: 1\n");
  EXPECT_EQ(folder_.read("dropped.tsv"), "empty\t2\t\tempty\nduplicate\t4\tएक\tone\n");

  const Finished to_files = data({"clean", tsv, "-o", folder_.path("c.hi"), "-o", folder_.path("c.en.gz")});
  EXPECT_EQ(to_files.code, 0);
  EXPECT_EQ(to_files.out, "");
  EXPECT_EQ(folder_.read("c.hi"), "एक\nदो\n");
  EXPECT_EQ(folder_.read("c.en.gz").substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(data({"clean", folder_.path("c.hi"), folder_.path("c.en.gz")}).out, to_stdout.out);
}

TEST_F(DataCommand, CleanReportsEveryChange) {
  const std::string a = folder_.write("a", "one two three four\nx\ty\nbad\xff\n"),
                    b = folder_.write("b", "a b c\nz\nw\n");
  const Finished cut = data({"clean", a, b, "--max-words", "3", "--too-long", "cut", "--on-bad-utf8", "skip"});
  EXPECT_EQ(cut.out, "one two three\ta b c\nx y\tz\n");
  EXPECT_EQ(cut.error, "pairs skipped, not UTF-8: 1\nkept: 2 of 2\ncut: 1\ntabs replaced by spaces: 1\n");
  const Finished replaced = data({"clean", a, b, "--on-bad-utf8", "replace", "--no-filter", "ratio"});
  EXPECT_TRUE(has(replaced.out, "bad\ufffd\tw\n"));
  EXPECT_TRUE(has(replaced.error, "lines repaired that were not UTF-8: 1\n"));
  const Finished lines = data({"clean", folder_.write("c.tsv", "a\nb\tc\n"), "--on-bad-lines", "skip"});
  EXPECT_EQ(lines.out, "b\tc\n");
  EXPECT_EQ(lines.error, "lines skipped, not exactly one tab: 1\nkept: 1 of 1\n");
}

TEST_F(DataCommand, CleanReadsSeveralCorporaInOrder) {
  const std::string a = folder_.write("a.hi", "1 a\n\n"), b = folder_.write("a.en", "2 b\nx\n"),
                    c = folder_.write("c.tsv", "3 c\t4 d\n\ty\n");
  const Finished finished = data({"clean", a, b, c, "--dropped", folder_.path("dropped")});
  EXPECT_EQ(finished.out, "1 a\t2 b\n3 c\t4 d\n");
  EXPECT_EQ(folder_.read("dropped"), cat("empty\t", a, ":2\t\tx\nempty\t", c, ":2\t\ty\n"));
}

TEST_F(DataCommand, CleanTurnsTmxIntoTsv) {
  const std::string tmx = folder_.text("m.tmx.gz",
                                       "<tmx><body><tu><tuv xml:lang='hi-IN'><seg>एक</seg></tuv>"
                                       "<tuv xml:lang='en'><seg>one</seg></tuv></tu><tu/></body></tmx>");
  const Finished finished = data({"clean", tmx, "--source-lang", "hi", "--target-lang", "en"});
  EXPECT_EQ(finished.out, "एक\tone\n");
  EXPECT_TRUE(has(finished.error, "units skipped, without both languages: 1\n"));
}

TEST_F(DataCommand, CleanNeverWritesOverItsInputs) {
  const std::string a = folder_.write("a.tsv", "a\tb\n");
  std::filesystem::create_hard_link(a, folder_.path("linked"));
  const auto refused = [&](std::vector<std::string> arguments, const std::string& message) {
    arguments.insert(arguments.begin(), {"clean", a});
    const Finished finished = data(arguments);
    EXPECT_EQ(finished.code, 2);
    EXPECT_EQ(finished.error, "dhyan: error: data clean: " + message + "\n");
    EXPECT_EQ(folder_.read("a.tsv"), "a\tb\n");
  };
  const std::string linked = folder_.path("linked"), out = folder_.path("out");
  refused({"-o", a}, cat("'", a, "' is an input; write to another file"));
  refused({"-o", folder_.path("./a.tsv")}, cat("'", folder_.path("./a.tsv"), "' is an input; write to another file"));
  refused({"--dropped", linked}, cat("'", linked, "' is an input; write to another file"));
  refused({"-o", out, "--dropped", out}, cat("'", out, "' is an output twice"));
  refused({"-o", out, "-o", linked + "2", "-o", linked + "3"}, "3 outputs; expected at most two");
}

TEST_F(DataCommand, SplitLeaksNoSourceAndIsReproducible) {
  std::string source, target;
  for (int i = 0; i < 300; ++i) {
    source += cat("source ", i * 7 % 200, '\n');
    target += cat("target ", i, '\n');
  }
  const std::string a = folder_.write("all.hi", source), b = folder_.write("all.en.gz", target);
  const std::vector<std::string> arguments{"split",  a,    b,        "--output", folder_.path("parts"), "--dev", "20",
                                           "--test", ".1", "--seed", "3"};
  const Finished finished = data(arguments);
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(finished.out, "train: 250 pairs\ndev: 20 pairs\ntest: 30 pairs\n");
  std::map<std::string, std::set<std::string>> parts_of_source;
  std::map<std::string, std::string> before;
  for (const std::string part : {"train", "dev", "test"}) {
    before[part] = folder_.read("parts/" + part + ".hi");
    std::istringstream lines(before[part]);
    for (std::string line; std::getline(lines, line);) parts_of_source[line].insert(part);
  }
  EXPECT_EQ(parts_of_source.size(), 200U);
  for (const auto& [line, parts] : parts_of_source) EXPECT_EQ(parts.size(), 1U) << line;
  EXPECT_EQ(data({"check", folder_.path("parts/dev.hi"), folder_.path("parts/dev.en.gz")}).code, 0);

  std::filesystem::remove_all(folder_.path("parts"));
  EXPECT_EQ(data(arguments).code, 0);
  for (const auto& [part, text] : before) EXPECT_EQ(folder_.read("parts/" + part + ".hi"), text);
}

TEST_F(DataCommand, SplitKeepsOrderAndNamesFilesAfterTheirKind) {
  const std::string tsv = folder_.text("all.tsv.zst", "a\t1\nb\t2\nc\t3\nd\t4\n");
  EXPECT_EQ(data({"split", tsv, "-o", folder_.path("p"), "--dev", "1"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("p/test.tsv.zst"))) << "none was asked for";
  const std::string train = data({"clean", folder_.path("p/train.tsv.zst")}).out;
  EXPECT_EQ(train.size(), 12U);
  EXPECT_TRUE(train[0] < train[4] && train[4] < train[8]);

  const std::string a = folder_.write("a.txt", "a\nb\n"), b = folder_.write("b.txt", "1\n2\n");
  EXPECT_EQ(data({"split", a, b, "-o", folder_.path("q"), "--dev", "1"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_.path("q/train.source.txt")));
  EXPECT_TRUE(std::filesystem::exists(folder_.path("q/dev.target.txt")));
}

TEST_F(DataCommand, RefusesMalformedInputWithItsLine) {
  const std::string good = folder_.write("good", "a\nb\n"), longer = folder_.write("longer", "a\nb\nc\n");
  expect_unusable({"check", good, longer},
                  longer + ":3: 1 more line than " + good + " (2); parallel files must have equally many lines");
  const std::string bytes = folder_.write("bytes",
                                          "fine\nab\xe0"
                                          "A\n");
  expect_unusable({"clean", bytes, "-o", folder_.path("out")}, bytes + ":2: byte 3: not UTF-8 (0xE0 0x41)");
  const std::string nul = folder_.write("nul", std::string("a\0b\n", 4));
  expect_unusable({"check", nul}, nul + ":1: byte 2: a NUL byte; expected text in UTF-8");
  const std::string tsv = folder_.write("bad.tsv", "a\tb\na\tb\tc\n");
  expect_unusable({"clean", tsv, "-o", folder_.path("out"), "--dropped", folder_.path("dropped")},
                  tsv + ":2: 3 columns; expected source, tab, target");
  const std::string huge = folder_.write("huge", cat("a\n", std::string(3 << 20, 'x')));
  expect_unusable({"check", huge},
                  huge + ":2: the line is longer than 1048576 bytes; does the text have one sentence per line?");
  expect_unusable({"check", folder_.path("none")}, folder_.path("none") + ": cannot open: No such file or directory");
  const std::string tmx = folder_.write("bad.tmx", "<tmx>\n</tu>");
  expect_unusable({"check", tmx, "--source-lang", "hi", "--target-lang", "en"},
                  tmx + ":2: mismatched tag; expected well-formed XML");
  const std::string entity = folder_.write("e.tmx", "<!DOCTYPE tmx [<!ENTITY a 'ha'>]><tmx>&a;</tmx>");
  expect_unusable({"check", entity, "--source-lang", "hi", "--target-lang", "en"},
                  entity + ":1: the file declares entities or elements of its own; refused");
}

TEST_F(DataCommand, RefusesDamagedCompression) {
  for (const std::string kind : {"gzip", "zstd"}) {
    const std::string name = kind == "gzip" ? "a.gz" : "a.zst";
    std::string text;
    for (int i = 0; i < 10'000; ++i) text += cat(i * 7919 % 10'007, '\n');
    folder_.text(name, text);
    const std::string cut = folder_.write("cut", folder_.read(name).substr(0, 5000));
    expect_unusable({"clean", cut, "-o", folder_.path("out.gz")},
                    cut + ": " + kind + " data end too early; the file is truncated");
  }
}

TEST_F(DataCommand, PhrasebookPrintsTheBuiltInCorpus) {
  const Finished test = data({"phrasebook", "hi-en", "--split", "test"});
  EXPECT_EQ(test.code, 0);
  EXPECT_TRUE(has(test.out, "मैं खाना खा रहा हूँ\tI am eating food\n"));
  const Finished aligned = data({"phrasebook", "fr-en", "--split", "test", "--alignments"});
  EXPECT_TRUE(has(aligned.out, "zone économique européenne\tEuropean Economic Area\t0-2 1-1 2-0\n"));
  const std::string train = folder_.write("train.tsv", data({"phrasebook", "hi-en"}).out);
  const auto checked = nlohmann::json::parse(data({"check", train, "--json", "--filter", "duplicate-source"}).out);
  EXPECT_GE(checked["pairs"], 12'000);
  EXPECT_EQ(checked["kept"], checked["pairs"]) << "it needs no cleaning";
}

TEST_F(DataCommand, PhrasebookHasLongSentencesOnRequest) {
  const auto longest = [](const std::string& tsv) {
    std::ptrdiff_t most = 0;
    std::istringstream lines(tsv);
    for (std::string line; std::getline(lines, line);) {
      most = std::max(most, 1 + std::ranges::count(line.substr(0, line.find('\t')), ' '));
    }
    return most;
  };
  EXPECT_EQ(longest(data({"phrasebook", "fr-en", "--split", "test", "--max-words", "60"}).out), 60);
  EXPECT_EQ(longest(data({"phrasebook", "fr-en", "--split", "test"}).out), 40);
}

TEST_F(DataCommand, ReferencePrintsWhatItStandsFor) {
  const Finished test = data({"reference", "--split", "test", "--alignments", "--antecedents"});
  EXPECT_EQ(test.code, 0);
  EXPECT_TRUE(
      test.out.starts_with("the restaurant refused to serve me a ham sandwich because it only cooks vegetarian "
                           "food\tle restaurant a refusé de me servir un sandwich au jambon parce qu'il ne "
                           "cuisine que de la nourriture végétarienne\t0-0 1-1 "))
      << test.out.substr(0, 300);
  EXPECT_TRUE(has(test.out, "\tit=10 antecedent=1 rival=8 translated=12\n"));
  EXPECT_FALSE(has(data({"reference"}).out, "\tit="));
}

TEST_F(DataCommand, RefusesAWrongCommandLine) {
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& message) {
    const Finished finished = data(arguments);
    EXPECT_EQ(finished.code, 2) << message;
    EXPECT_TRUE(has(finished.error, "dhyan: error: " + message));
  };
  const std::string tsv = folder_.write("a.tsv", "a\tb\n"), plain = folder_.write("plain", "a\n");
  refused({}, "no command given\nRun 'dhyan data --help'.");
  refused({"chekc"}, "unknown command 'chekc'; did you mean 'check'?\nRun 'dhyan data --help'.");
  refused({"check", tsv, "--jsn"}, "unknown option '--jsn'; did you mean '--json'?\nRun 'dhyan data check --help'.");
  refused({"check"}, "FILES is required");
  refused({"phrasebook", "hi-fr"}, "phrasebook: ");
  refused({"phrasebook", "hi-en", "--max-words", "61"}, "--max-words: expected a whole number from 10 to 60, got '61'");
  refused({"reference", "--split", "all"}, "--split: expected train, dev or test, got 'all'");
  refused({"phrasebook", "hi-en", "--split", "all"}, "--split: expected train, dev or test, got 'all'");
  refused({"check", tsv, "--on-bad-utf8", "ignore"}, "--on-bad-utf8: expected error, skip or replace, got 'ignore'");
  refused({"check", tsv, plain}, cat("'", plain, "' has no second file beside it; parallel files come in pairs"));
  refused({"check", tsv, "--filter", "long"}, "filters: there is no 'long'; expected one of empty,");
  refused({"check", "-", "-"}, "data: standard input can be read only once");
  refused({"split", "-", "-o", folder_.path("p")},
          "data split: the input is read twice, which standard input cannot be");
  refused({"check", folder_.write("m.tmx", "<tmx/>")}, folder_.path("m.tmx") + ": TMX holds texts in any number");
}

TEST_F(DataCommand, StopsOnASignalWhileItWaitsForInput) {
  int in[2];
  ASSERT_EQ(::pipe2(in, O_CLOEXEC), 0);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  const std::string out = folder_.path("out");
  const pid_t child =
      start({kBinary, "data", "clean", "-", "-o", out}, {.in = in[0], .out = nowhere, .error = nowhere});
  const std::string text = "a\tb\n";
  ASSERT_EQ(::write(in[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  int unread = 1;
  while (unread > 0) {  // until it has read everything and waits for more
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_EQ(::ioctl(in[0], FIONREAD, &unread), 0);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ::kill(child, SIGINT);
  EXPECT_EQ(exit_code_of(child), 130);
  EXPECT_EQ(folder_.files(), 0U);
  for (const int descriptor : {in[0], in[1], nowhere}) ::close(descriptor);
}

TEST_F(DataCommand, FailsWhenItCannotWrite) {
  const std::string tsv = folder_.write("a.tsv", "a\tb\n");
  const Finished finished = data({"clean", tsv, "-o", folder_.path("none/out")});
  EXPECT_EQ(finished.code, 1);
  EXPECT_TRUE(has(finished.error, cat("there is no folder '", folder_.path("none"), "'")));
}

TEST_F(DataCommand, SplitLeavesNoPartialFilesOnAFullDisk) {
  const std::string tsv = folder_.write("a.tsv", "a\tb\nc\td\n");
  const Finished finished = data({"split", tsv, "-o", folder_.path("p"), "--dev", "2"});
  EXPECT_EQ(finished.code, 3);
  EXPECT_EQ(finished.error, "dhyan: error: split: dev 2 and test 0 of 2 pairs leave none to train on\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("p/dev.tsv")));
}

}  // namespace
}  // namespace dhyan
