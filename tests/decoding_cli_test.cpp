// Search and word options of `dhyan translate`, and `dhyan score`, as a shell sees them. The models have random
// weights: their translations make no sense, but must obey the options.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "binary.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "process.h"
#include "small_model.h"
#include "translated_lines.h"

namespace dhyan {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kInput = "मैं खाना खा रहा हूँ\nतुम पानी पी रही हो\n\nखाना खा\n";

Texts lines_in(const std::string& text) {
  std::istringstream in(text);
  Texts lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool has_word(const std::string& text, const std::string& words) {
  return (" " + text + " ").find(" " + words + " ") != std::string::npos;
}

class DecodingOptions : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    make_small_model(folder_->path("model"), ContextKind::kAttention);
    make_small_model(folder_->path("thought"), ContextKind::kNone);
    make_small_transformer(folder_->path("transformer"), "transformer", "learned");
    folder_->write("in", kInput);
  }
  static void TearDownTestSuite() { delete std::exchange(folder_, nullptr); }

  static Finished dhyan(Texts arguments, const std::string& input = kInput) {
    arguments.insert(arguments.begin(), kBinary);
    return run(arguments, {}, input);
  }
  static std::string in_folder(const std::string& name) { return folder_->path(name); }
  // The output of a call that must succeed and may warn only of cut translations.
  static Texts translated(Texts arguments, const std::string& model = "model") {
    arguments.insert(arguments.begin(), {"translate", "-m", in_folder(model)});
    const Finished finished = dhyan(arguments);
    EXPECT_EQ(finished.code, 0);
    EXPECT_EQ(without_cut_warning(finished.error), "");
    return lines_in(finished.out);
  }
  static void refused(Texts arguments, const std::string& message, int code = 2) {
    const Finished finished = dhyan(std::move(arguments));
    EXPECT_EQ(finished.code, code) << message;
    EXPECT_TRUE(has(finished.error, "dhyan: error: " + message));
  }

  static TemporaryFolder* folder_;
};

TemporaryFolder* DecodingOptions::folder_ = nullptr;

TEST_F(DecodingOptions, SetTheSearch) {
  const Texts plain = translated({});
  EXPECT_EQ(translated({"--early-stopping", "certain", "--patience", "2"}).size(), plain.size());
  EXPECT_EQ(translated({"--length-norm", "wu", "--length-penalty", "0.6", "--coverage-penalty", "0.2"}).size(), 4U);
  EXPECT_EQ(translated({"--beam-size", "4", "--diverse-groups", "2", "--diversity-penalty", "1"}).size(), 4U);
  for (const std::string& line : translated({"--min-length", "15", "--max-length-factor", "0.1"})) {
    EXPECT_TRUE(line.empty() || std::ranges::count(line, ' ') >= 14) << line;
  }
  for (const std::string& line : translated({"--no-repeat-ngram-size", "1"})) {
    std::istringstream words(line);
    std::set<std::string> seen;
    for (std::string word; words >> word;) EXPECT_TRUE(seen.insert(word).second) << line;
  }
  refused({"translate", "-m", in_folder("thought"), "--coverage-penalty", "0.2"},
          cat("translate: ", in_folder("thought"), " is a model without attention; it has no --coverage-penalty"));
  refused({"translate", "-m", in_folder("model"), "--diverse-groups", "2"},
          "search: a beam of 5 cannot be divided into 2 groups");
}

TEST_F(DecodingOptions, ConstrainTheWords) {
  const std::string prefixes = folder_->write("prefixes", "you are\n\n\nwater\n");
  const std::string required = folder_->write("required", "am eating\tfood\n\n\ndrinking water\n");
  const Texts lines = translated({"--prefix", prefixes, "--require", required});
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(lines[0].starts_with("you are")) << lines[0];
  EXPECT_TRUE(has_word(lines[0], "am eating") && has_word(lines[0], "food")) << lines[0];
  EXPECT_EQ(lines[1], translated({})[1]);
  refused({"translate", "-m", in_folder("model"), "--prefix-open"}, "--prefix-open needs --prefix");
  EXPECT_TRUE(lines[3].starts_with("water") && has_word(lines[3], "drinking water")) << lines[3];
  for (const std::string word : {"am", "food", "I", "you"}) {
    for (const std::string& line : translated({"--forbid", word})) EXPECT_FALSE(has_word(line, word)) << line;
  }
  const std::string forbidden = folder_->write("forbidden", "am\nfood water\nI\n");
  for (const std::string& line : translated({"--forbid-file", forbidden})) {
    EXPECT_FALSE(has_word(line, "am") || has_word(line, "I") || has_word(line, "food water")) << line;
  }
  refused({"translate", "-m", in_folder("model"), "--prefix", folder_->write("short", "I\n")},
          cat(in_folder("short"), ": has 1 line, standard input has more; line 2 has no partner"), 3);
  refused({"translate", "-m", in_folder("model"), "--require", folder_->write("strange", "\n\n\ndance\n")},
          cat(in_folder("strange"), ":4: the model has no word for 'dance' and cannot write 'dance'"), 3);
  refused({"translate", "-m", in_folder("model"), "--forbid", "a\xff"},
          "translate: --forbid: byte 2 is not UTF-8 (0xff)", 3);
}

TEST_F(DecodingOptions, RefuseWordsInPlaceOfAFileWithAHint) {
  for (const std::string option : {"--prefix", "--require", "--forbid-file", "--shortlist"}) {
    refused({"translate", "-m", in_folder("model"), option, "I am"},
            cat("I am: cannot open: No such file or directory; ", option, " takes a FILE with "), 3);
  }
}

TEST_F(DecodingOptions, NamePhrasesThatDoNotFit) {
  const std::string required = folder_->write("long", "\nI am eating food\twater\n\n\n");
  const Finished finished = dhyan({"translate", "-m", in_folder("model"), "--require", required, "--max-length", "3"});
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(without_cut_warning(finished.error),
            cat("dhyan: warning: ", required, ":2: not all phrases fit into the longest translation; ",
                "those that do not are left out\n"));
  EXPECT_TRUE(has_word(lines_in(finished.out)[1], "water")) << finished.out;
}

TEST_F(DecodingOptions, AreRefusedIfTheyHaveNoEffect) {
  const auto translate = [&](Texts more, const std::string& message) {
    more.insert(more.begin(), {"translate", "-m", in_folder("model")});
    refused(more, message);
  };
  for (const std::string option : {"--beam-size", "--coverage-penalty", "--patience", "--diverse-groups"}) {
    translate({"--sampling", option, "1"}, cat(option, " and --sampling do not go together"));
  }
  translate({"--diversity-penalty", "1"}, "--diversity-penalty needs --diverse-groups");
}

TEST_F(DecodingOptions, ReadEachFileOnceAndOverwriteNone) {
  const auto translate = [&](Texts more, const std::string& message) {
    more.insert(more.begin(), {"translate", "-m", in_folder("model")});
    refused(more, message);
  };
  const std::string twice = "standard input is named 2 times; it can be read only once";
  const std::string side = folder_->write("side", "I\n\n\n\n");
  for (const std::string option : {"--prefix", "--require", "--forbid-file", "--shortlist"}) {
    translate({option, "-"}, twice);
    translate({option, side, "-o", side}, cat("translate: '", side, "' is an input; write to another file"));
  }
  translate({"--replace-unk", "--replace-unk-dictionary", "-"}, twice);
  translate({in_folder("in"), "--prefix", "-", "--require", "-"}, twice);
  refused({"score", "-m", in_folder("model"), "-", "--n-best", "-"}, twice);
}

TEST_F(DecodingOptions, LimitTheVocabularyToAShortlist) {
  const std::string lexicon = folder_->write("lex.s2t", "I मैं 0.9\nfood खाना 0.8\nwater पानी 0.7\nNULL हूँ 0.1\n");
  const Texts lines = translated({"--shortlist", lexicon, "--shortlist-first", "0", "--max-length", "6"});
  EXPECT_FALSE(has_word(lines[0], "water") || has_word(lines[1], "food") || has_word(lines[1], "I"));
  for (const std::string& line : lines) EXPECT_FALSE(has_word(line, "am") || has_word(line, "eating")) << line;
  refused({"translate", "-m", in_folder("model"), "--shortlist", lexicon, "--shortlist-first", "9223372036854775807"},
          "--shortlist-first: ");
  refused({"translate", "-m", in_folder("model"), "--shortlist", folder_->write("bad.lex", "I मैं\n")},
          cat(in_folder("bad.lex"), ":1: has 2 fields"), 3);
}

TEST_F(DecodingOptions, SampleTheSameTextForASeedOnAnyNumberOfThreads) {
  const Texts options{"--sampling", "--seed", "3", "--n-best", "4", "--top-k", "5", "--temperature", "1.2"};
  const auto with = [&](Texts more) {
    more.insert(more.begin(), options.begin(), options.end());
    return translated(more);
  };
  const Texts one = with({"--threads", "1"});
  EXPECT_EQ(one.size(), 13U) << "four of each line, and the empty one";
  EXPECT_EQ(with({"--threads", "3"}), one);
  EXPECT_NE(translated({"--sampling", "--seed", "4", "--n-best", "4"}), one);
  EXPECT_EQ(translated({"--sampling", "--temperature", "0"}), translated({"--beam-size", "1"}));
  refused({"translate", "-m", in_folder("model"), "--top-k", "3"}, "--top-k needs --sampling");
}

// With random weights, half of the sampled tokens are bytes.
TEST_F(DecodingOptions, SampleNoPartialCharactersWithByteFallback) {
  make_small_byte_model(in_folder("bytes"), "transformer");
  make_small_byte_model(in_folder("bytes-text"), "language-model");
  const Finished drawn = dhyan({"translate", "-m", in_folder("bytes"), "--sampling", "--n-best", "9"});
  const Finished text = dhyan({"generate", "-m", in_folder("bytes-text"), "-n", "9"});
  for (const Finished& finished : {drawn, text}) {
    EXPECT_EQ(finished.code, 0) << finished.error;
    EXPECT_FALSE(has(finished.out, "\uFFFD")) << finished.out;
    EXPECT_TRUE(std::ranges::none_of(finished.out, [](char c) { return c >= 0 && c < ' ' && c != '\n'; }));
  }
}

TEST_F(DecodingOptions, ReplaceUnknownWordsByThoseOfTheSource) {
  const std::string lexicon = folder_->write("unk.lex", "I मैं 1\n");  // leaves only <unk> for the second line
  const auto with = [&](Texts more) {
    more.insert(more.begin(), {"--shortlist", lexicon, "--shortlist-first", "0", "--min-length", "3"});
    return translated(more)[1];
  };
  EXPECT_EQ(with({}), "") << "nothing else may be written";
  EXPECT_TRUE(has_word(with({"--allow-unk"}), "<unk> <unk> <unk>"));
  EXPECT_FALSE(has_word(with({"--replace-unk"}), "<unk>"));
  const std::string dictionary = folder_->write("dictionary", "तुम\tW\nपानी\tW\nपी\tW\nरही\tW\nहो\tW\n");
  EXPECT_TRUE(has_word(with({"--replace-unk", "--replace-unk-dictionary", dictionary}), "W W W"));
  refused({"translate", "-m", in_folder("thought"), "--replace-unk"},
          cat("translate: ", in_folder("thought"), " is a model without attention; it has no --replace-unk"));
}

TEST_F(DecodingOptions, TranslateWithAnEnsembleOfOneVocabulary) {
  const auto together = [&](Texts more) {
    more.insert(more.begin(), {"translate", "-m", in_folder("model"), "-m", in_folder("thought")});
    const Finished finished = dhyan(more);
    EXPECT_EQ(finished.code, 0) << finished.error;
    return lines_in(finished.out);
  };
  EXPECT_EQ(together({}).size(), 4U);
  EXPECT_EQ(together({"--weights", "1,0"}), translated({}));
  EXPECT_EQ(together({"--weights", "0,1"}), translated({}, "thought"));
  refused({"translate", "-m", in_folder("model"), "-m", in_folder("thought"), "--weights", "1"},
          "ensemble: 1 weights for 2 models");
}

TEST_F(DecodingOptions, SplitLinesOfSeveralSentencesAndJoinThem) {
  const auto translate = [&](const std::string& input, Texts more = {}) {
    more.insert(more.begin(), {"translate", "-m", in_folder("model")});
    return dhyan(more, input);
  };
  const Texts apart = lines_in(translate("मैं खाना ।\nतुम पानी ।\n").out);
  const Texts whole = lines_in(translate("मैं खाना । तुम पानी ।\n\n", {"--split-sentences"}).out);
  EXPECT_EQ(whole, (Texts{apart[0] + " " + apart[1], ""}));
  const auto json = nlohmann::json::parse(
      translate("मैं खाना । तुम पानी ।\n", {"--split-sentences", "--json", "--alignment", "hard"}).out);
  EXPECT_EQ(json["source_tokens"], (Texts{"मैं", "खाना", "।", "तुम", "पानी", "।", "</s>"}));
  EXPECT_EQ(json["translation"], whole[0]);
  EXPECT_EQ(json["attention"].size(), json["tokens"].size());
  const auto first_words = static_cast<std::size_t>(std::ranges::count(apart[0], ' ') + 1);
  for (const auto& link : json["alignment"]) {
    EXPECT_EQ(link[0].get<std::size_t>() < 3, link[1].get<std::size_t>() < first_words) << "within its sentence";
  }
  for (const auto& row : json["attention"]) {
    EXPECT_EQ(row.size(), 7U);
    double sum = 0;
    for (const auto& weight : row) sum += weight.get<double>();
    EXPECT_NEAR(sum, 1, 1e-4);
  }
  for (const std::string option : {"--n-best", "--sampling"}) {
    refused({"translate", "-m", in_folder("model"), "--split-sentences", option},
            cat("translate: --split-sentences does not go with ", option));
  }
}

TEST_F(DecodingOptions, AlignInScoreAsInTranslate) {
  for (const std::string kind : {"hard", "soft"}) {
    std::string targets;
    Texts expected;
    for (const std::string& line : translated({"--alignment", kind, "--length-penalty", "0"})) {
      targets += columns_of(line)[0] + "\n";
      expected.push_back(columns_of(line)[1]);
    }
    const Finished scored = dhyan({"score", "-m", in_folder("model"), in_folder("in"),
                                   folder_->write("aligned", targets), "--alignment", kind, "--word-scores"});
    EXPECT_EQ(scored.code, 0);
    const Texts lines = lines_in(scored.out);
    ASSERT_EQ(lines.size(), expected.size());
    for (const std::size_t i : {0U, 1U, 3U}) {  // the third has no text
      const Texts columns = columns_of(lines[i]);
      ASSERT_EQ(columns.size(), 3U);
      // A cut translation is scored with </s> appended: soft alignments have one more row.
      EXPECT_TRUE(columns[1].starts_with(expected[i])) << columns[1] << " for " << expected[i];
    }
  }
  refused({"score", "-m", in_folder("thought"), in_folder("in"), in_folder("in"), "--alignment", "hard"},
          cat("score: ", in_folder("thought"), " is a model without attention; it has no --alignment"));
}

TEST_F(DecodingOptions, CountOneLineInTheSingular) {
  const Finished finished =
      dhyan({"translate", "-m", in_folder("model"), "--max-length", "2", "--min-length", "1"}, "Delhi Paris हो\n");
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(
      finished.error,
      "dhyan: warning: standard input: 1 of 1 translation did not end within the length limit and was cut "
      "(--max-length, --max-length-factor)\n"
      "dhyan: warning: standard input: 1 of 1 line is mostly unknown words to the model (is it in the language it "
      "translates from?)\n");
}

TEST_F(DecodingOptions, CountCutAndUnknownLinesAtTheEnd) {
  const Finished finished = dhyan({"translate", "-m", in_folder("model"), "--max-length", "2", "--min-length", "1"},
                                  "मैं खाना\nDelhi Paris\n\nDelhi Paris हो\n");
  EXPECT_EQ(finished.code, 0);
  EXPECT_TRUE(has(finished.error, " of 4 translations did not end within the length limit and "));
  EXPECT_TRUE(has(finished.error, "standard input: 2 of 4 lines are mostly unknown words to the model"));
  EXPECT_EQ(std::ranges::count(finished.error, '\n'), 2) << finished.error;
}

TEST_F(DecodingOptions, CountUnknownLinesInEvaluateAndScoreToo) {
  const std::string model = in_folder("model");
  const std::string source = folder_->write("foreign", "मैं खाना\nDelhi Paris\n"),
                    target = folder_->write("native", "I\nI\n");
  for (const Texts& arguments : {Texts{"score", "-m", model, source, target},
                                 {"evaluate", "-m", model, "--test", source, target},
                                 {"compare", model, target, "--test", source, target}}) {
    const Finished finished = dhyan(arguments);
    EXPECT_EQ(finished.code, 0) << finished.error;
    EXPECT_TRUE(has(finished.error, "1 of 2 lines is mostly unknown words to the model")) << arguments.front();
  }
}

// Also on machines with AMX, whose faster GEMM rounds differently.
TEST_F(DecodingOptions, GiveTheSameBytesForFileAndStandardInput) {
  for (const std::string model : {"model", "transformer"}) {
    const Texts arguments{"translate", "-m", in_folder(model), "--json", "--n-best", "5"};
    Texts of_file = arguments;
    of_file.push_back(in_folder("in"));
    EXPECT_EQ(dhyan(of_file, "").out, dhyan(arguments).out);
  }
  for (const std::string command : {"translate", "evaluate", "compare", "score"}) {
    EXPECT_TRUE(has(dhyan({command, "--help-all"}).out, "--amx")) << command;
  }
  EXPECT_EQ(dhyan({"translate", "-m", in_folder("model"), "--amx"}).code, 0);
}

TEST_F(DecodingOptions, NameLinesThatAreTooLongForTheModel) {
  const Finished cut = dhyan({"translate", "-m", in_folder("transformer")}, "मैं\nमैं मैं मैं मैं मैं मैं मैं मैं\n");
  EXPECT_EQ(cut.code, 0);
  EXPECT_EQ(without_cut_warning(cut.error),
            "dhyan: warning: standard input:2: more than 7 tokens; the rest of the line is not translated\n");
}

TEST_F(DecodingOptions, GiveTheSameScoresInScoreAndTranslate) {
  const Texts best = translated({"--word-scores", "--n-best", "2", "--length-penalty", "0"});
  std::string sources, targets;
  Texts scores, words;
  for (const std::string& line : best) {
    const std::size_t text = line.find(" ||| ") + 5, word_scores = line.find(" ||| WordScores= "),
                      score = line.rfind(" ||| ") + 5;
    const auto spaces = [](const std::string& part) { return std::ranges::count(part, ' '); };
    const std::string target = line.substr(text, word_scores - text);
    const bool ended = spaces(line.substr(word_scores + 17, score - 5 - word_scores - 17)) == spaces(target) + 1;
    if (!ended || target.empty()) continue;  // cut at the maximum length
    sources += lines_in(kInput)[std::stoul(line)] + "\n";
    targets += target + "\n";
    scores.push_back(line.substr(score));
    words.push_back(line.substr(word_scores, score - 5 - word_scores));
  }
  ASSERT_GE(scores.size(), 2U);
  const Finished given = dhyan(
      {"score", "-m", in_folder("model"), folder_->write("s", sources), folder_->write("t", targets), "--word-scores"});
  EXPECT_EQ(given.error, "");
  const Texts lines = lines_in(given.out);
  ASSERT_EQ(lines.size(), scores.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_NEAR(std::stod(lines[i]), std::stod(scores[i]), 1e-4);
    EXPECT_EQ(std::ranges::count(lines[i], ' '), std::ranges::count(words[i], ' ')) << lines[i];
  }
}

TEST_F(DecodingOptions, ScorePairsTsvAndNBestLists) {
  const std::string source = folder_->write("src", "मैं खाना\nपानी पी\n"), target = folder_->write("trg", "I am\nyou\n");
  const Finished two = dhyan({"score", "-m", in_folder("model"), source, target});
  EXPECT_EQ(two.code, 0);
  ASSERT_EQ(lines_in(two.out).size(), 2U);
  const std::string tsv = folder_->write("pairs.tsv", "मैं खाना\tI am\nपानी पी\tyou\n");
  EXPECT_EQ(dhyan({"score", "-m", in_folder("model"), tsv}).out, two.out);
  const std::string list = folder_->write("list", "0 ||| I am ||| -1\n1 ||| you ||| -2\n");
  const Texts rescored = lines_in(dhyan({"score", "-m", in_folder("model"), source, "--n-best", list}).out);
  ASSERT_EQ(rescored.size(), 2U);
  EXPECT_EQ(rescored[1], "1 ||| you ||| -2 ||| " + lines_in(two.out)[1]);
  const Texts json =
      lines_in(dhyan({"score", "-m", in_folder("model"), source, target, "--json", "--normalize", "1"}).out);
  const auto object = nlohmann::json::parse(json[0]);
  EXPECT_EQ(object["tokens"], (Texts{"I", "am", "</s>"}));
  EXPECT_NEAR(object["score"].get<double>() * 3, object["log_probability"].get<double>(), 1e-4);
  EXPECT_NEAR(object["log_probability"].get<double>(), std::stod(lines_in(two.out)[0]), 1e-4);
}

TEST_F(DecodingOptions, NameInputsThatCannotBeScored) {
  const std::string source = folder_->write("long.src", "मैं\n\nमैं मैं मैं मैं मैं मैं मैं मैं\n");
  const std::string target = folder_->write("long.trg", "I I I I I I I I\nI\nI\n");
  const Finished finished = dhyan({"score", "-m", in_folder("transformer"), source, target});
  EXPECT_EQ(finished.code, 0);
  const Texts lines = lines_in(finished.out);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], "-inf");
  EXPECT_EQ(lines[1], "-inf");
  EXPECT_LT(std::stod(lines[2]), 0);
  EXPECT_EQ(finished.error,
            cat("dhyan: warning: ", source, ":1: its translation has more tokens than the 8 the model can; it is not ",
                "scored\ndhyan: warning: ", source, ":2: there is no text; it is not scored\ndhyan: warning: ", source,
                ":3: more than 7 tokens; the rest of the line is cut off\n"));
  refused({"score", "-m", in_folder("model"), source}, cat("score: ", source, " has no translations"));
  refused({"score", "-m", in_folder("model"), source, "--n-best", folder_->write("no", "x ||| y\n")},
          cat(in_folder("no"), ":1: expected the number of a line, from 0 ||| its translation"), 3);
  refused({"score", "-m", in_folder("model"), source, "--n-best", folder_->write("far", "9 ||| y\n")},
          cat(in_folder("far"), ":1: there is no line 9 in ", source), 3);
}

}  // namespace
}  // namespace dhyan
