// `dhyan translate` as a shell sees it, with a small model with random weights: its translations make no sense, but
// must be consistent.

#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <unistd.h>

#include "binary.h"
#include "conversation.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "kernels/simd/runtime.h"
#include "process.h"
#include "small_model.h"
#include "translated_lines.h"
#include "translator/translator.h"

namespace dhyan {
namespace {

using Json = nlohmann::json;

// Different lines of one to twelve words, a few of them empty.
std::vector<std::string> some_lines(int count) {
  Rng rng(8);
  std::vector<std::string> lines;
  for (int i = 0; i < count; ++i) {
    std::string line;
    for (std::uint64_t left = i % 10 == 3 ? 0 : 1 + rng.below(12); left > 0; --left) {
      line += (line.empty() ? "" : " ") + kSourceWords[rng.below(kSourceWords.size())];
    }
    lines.push_back(line);
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class TranslateCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    make_small_model(folder_->path("model"), ContextKind::kAttention);
    make_small_model(folder_->path("thought"), ContextKind::kNone);
    kernels::prepare_thread();
  }
  static void TearDownTestSuite() { delete std::exchange(folder_, nullptr); }

  static std::vector<std::string> command(std::vector<std::string> arguments, const std::string& model = "model") {
    arguments.insert(arguments.begin(), {kBinary, "translate", "-m", folder_->path(model)});
    return arguments;
  }
  static Finished translate(const std::string& input, const std::vector<std::string>& arguments = {},
                            const std::string& model = "model") {
    return run(command(arguments, model), {}, input);
  }
  // The output of a call that must succeed and may warn only of cut translations.
  static std::vector<std::string> translated(const std::vector<std::string>& lines,
                                             const std::vector<std::string>& arguments = {},
                                             const std::string& model = "model") {
    const Finished finished = translate(joined(lines), arguments, model);
    EXPECT_EQ(finished.code, 0);
    EXPECT_EQ(without_cut_warning(finished.error), "");
    return lines_of(finished.out);
  }
  static std::vector<Json> objects(const std::vector<std::string>& lines, std::vector<std::string> arguments = {}) {
    arguments.push_back("--json");
    std::vector<Json> objects;
    for (const std::string& line : translated(lines, arguments)) objects.push_back(Json::parse(line));
    return objects;
  }
  static void refused(const std::vector<std::string>& arguments, const std::string& message, int code = 2) {
    const Finished finished = translate("", arguments);
    EXPECT_EQ(finished.code, code) << message;
    EXPECT_EQ(finished.out, "");
    EXPECT_TRUE(has(finished.error, "dhyan: error: " + message));
  }

  static TemporaryFolder* folder_;
};

TemporaryFolder* TranslateCommand::folder_ = nullptr;

TEST_F(TranslateCommand, WritesALineForEachLineInOrder) {
  const std::vector<std::string> lines = some_lines(300), out = translated(lines);
  ASSERT_EQ(out.size(), lines.size());
  std::size_t texts = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_TRUE(out[i].empty() || !lines[i].empty()) << i;
    texts += !out[i].empty();
  }
  EXPECT_GT(texts, 200U);
  const std::vector<Json> json = objects(lines);
  ASSERT_EQ(json.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(json[i]["line"], i);
    EXPECT_EQ(json[i]["source"], lines[i]);
    EXPECT_EQ(json[i]["translation"], out[i]);
  }
  EXPECT_EQ(translate("").out, "");
  EXPECT_EQ(translate("\n\n").out, "\n\n");
  EXPECT_EQ(translate("मैं").out, out.empty() ? "" : translate("मैं\n").out) << "the last line needs no end";
}

TEST_F(TranslateCommand, ReadsAndWritesFiles) {
  const std::vector<std::string> lines = some_lines(20);
  const std::string in = folder_->write("in.txt", joined(lines)), out = folder_->path("out.txt");
  const Finished finished = run(command({in, "-o", out}));
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(lines_of(folder_->read("out.txt")), translated(lines));
  refused({in, "-o", in}, cat("translate: '", in, "' is an input; write to another file"));
}

TEST_F(TranslateCommand, TranslatesALineIndependentlyOfTheOthers) {
  const std::vector<std::string> lines = some_lines(16);
  const std::vector<Json> together = objects(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Json alone = objects({lines[i]}).front();
    EXPECT_EQ(alone["translation"], together[i]["translation"]) << lines[i];
    EXPECT_EQ(alone["score"], together[i]["score"]) << lines[i];
    ASSERT_EQ(alone["attention"].size(), together[i]["attention"].size());
  }
}

TEST_F(TranslateCommand, WritesTheSameBytesOnAnyNumberOfThreads) {
  const std::string input = joined(some_lines(400));
  const Finished one = translate(input, {"--json", "--n-best", "--threads", "1"});
  EXPECT_EQ(one.code, 0);
  for (const char* threads : {"2", "4"}) {
    EXPECT_EQ(translate(input, {"--json", "--n-best", "--threads", threads}).out, one.out) << threads;
  }
}

TEST_F(TranslateCommand, IsGreedyWithABeamOfOne) {
  const Translator translator(folder_->path("model"));
  const std::vector<std::string> lines = some_lines(30);
  const std::vector<std::string> out = translated(lines, {"--beam-size", "1"});
  ASSERT_EQ(out.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    std::vector<TokenId> source = translator.tokenizers().source->encode(lines[i]).ids;
    source.push_back(kEnd);
    const auto decoding = translator.model().decode({source, Segments::one(std::ssize(source))});
    const std::vector<RowId> row{0};
    std::vector<TokenId> last{kBegin}, tokens;
    while (last.front() != kEnd && std::ssize(tokens) < 3 * std::ssize(source) + 10) {
      const Tensor logits = decoding->step({row, last, Segments::one(1)}).logits.value();
      logits.row(0)[kPad] = logits.row(0)[kBegin] = logits.row(0)[kUnknown] = -100;
      last[0] = static_cast<TokenId>(std::ranges::max_element(logits.span()) - logits.span().begin());
      tokens.push_back(last[0]);
    }
    EXPECT_EQ(out[i], translator.tokenizers().target->decode(tokens)) << lines[i];
  }
}

TEST_F(TranslateCommand, HasTheScoresOfForcedDecoding) {
  const Translator translator(folder_->path("model"));
  std::vector<std::string> sources, targets;
  std::vector<Json> ended;
  for (const Json& one : objects(some_lines(150), {"--n-best", "3", "--length-penalty", "0.7"})) {
    if (one["tokens"].empty() || one["tokens"].back() != "</s>") continue;
    sources.push_back(one["source"]);
    targets.push_back(one["translation"]);
    ended.push_back(one);
  }
  ASSERT_GT(ended.size(), 50U);
  const std::vector<Translation> forced = translator.force(sources, targets, {.length_penalty = 0.7});
  for (std::size_t i = 0; i < forced.size(); ++i) {
    EXPECT_NEAR(forced[i].hypothesis.score, ended[i]["score"].get<double>(), 1e-4);
    EXPECT_NEAR(forced[i].hypothesis.log_probability, ended[i]["log_probability"].get<double>(), 1e-4);
    const auto scores = ended[i]["token_scores"].get<std::vector<double>>();
    EXPECT_NEAR(std::accumulate(scores.begin(), scores.end(), 0.0), forced[i].hypothesis.log_probability, 1e-4);
  }
}

TEST_F(TranslateCommand, HasAttentionOfWords) {
  for (const Json& one : objects(some_lines(20))) {
    ASSERT_EQ(one["attention"].size(), one["tokens"].size());
    ASSERT_EQ(one["token_scores"].size(), one["tokens"].size());
    for (const Json& row : one["attention"]) {
      const auto weights = row.get<std::vector<double>>();
      EXPECT_EQ(weights.size(), one["source_tokens"].size());
      EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-4);
    }
  }
}

TEST_F(TranslateCommand, WritesNBestListsAlignmentsAndWordScores) {
  const std::vector<std::string> lines = some_lines(12);
  const std::vector<std::string> best = translated(lines);
  std::size_t line = 0, rank = 0;
  std::pair last(true, 0.0);
  for (const std::string& text :
       translated(lines, {"--n-best", "3", "--beam-size", "4", "--alignment", "hard", "--word-scores"})) {
    const std::vector<std::string> columns = columns_of(text);
    ASSERT_EQ(columns.size(), 5U) << text;
    const std::size_t number = std::stoul(columns[0]);
    if (number != line) {
      EXPECT_EQ(number, line + 1);
      EXPECT_EQ(rank, lines[line].empty() ? 1U : 3U);
      line = number;
      rank = 0;
    }
    EXPECT_TRUE(columns[3].starts_with("WordScores= "));
    const auto words = std::ranges::count(columns[1], ' ') + (columns[1].empty() ? 0 : 1),
               scores = std::ranges::count(columns[3], ' ');
    const std::pair ended_and_score(scores > words, std::stod(columns[4]));  // </s> has a score but is not a word
    EXPECT_TRUE(rank == 0 || ended_and_score <= last) << text;
    last = ended_and_score;
    ++rank;
  }
  EXPECT_EQ(line, lines.size() - 1);
  EXPECT_GT(translated(lines, {"--n-best"}).size(), translated(lines, {"--n-best", "2"}).size()) << "all of the beam";
  EXPECT_EQ(translated(lines, {"--n-best"}), translated(lines, {"--n-best", "0"}));
  EXPECT_EQ(columns_of(translated(lines, {"--n-best", "1"}).front())[1], best.front());
  const std::string soft = columns_of(translated({"मैं खाना"}, {"--alignment", "soft"}).front()).back();
  EXPECT_EQ(std::ranges::count(soft, ','), 2 * (std::ranges::count(soft, ' ') + 1));
}

TEST_F(TranslateCommand, TranslatesWithAModelWithoutAttention) {
  EXPECT_EQ(translated(some_lines(20), {}, "thought").size(), 20U);
  const Json one = Json::parse(translated({"मैं"}, {"--json"}, "thought").front());
  EXPECT_EQ(one["attention"], Json::array());
  const Finished aligned = translate("मैं\n", {"--alignment", "hard"}, "thought");
  EXPECT_EQ(aligned.code, 2);
  EXPECT_EQ(aligned.error, cat("dhyan: error: translate: ", folder_->path("thought"),
                               " is a model without attention; it has no --alignment\n"));
}

TEST_F(TranslateCommand, TranslatesTheLinesBeforeAMalformedOne) {
  const Finished finished = translate("मैं\nतुम\nखा\xff\nपी\n");
  EXPECT_EQ(finished.code, 3);
  EXPECT_EQ(lines_of(finished.out), translated({"मैं", "तुम"}));
  EXPECT_EQ(finished.error, "dhyan: error: standard input:3: byte 7: not UTF-8 (0xFF)\n");
  EXPECT_EQ(lines_of(translate("मैं\nखा\xff\n", {"--on-bad-utf8", "replace"}).out),
            lines_of(translate("मैं\nखा\ufffd\n").out));
  const Finished nul = translate(std::string("a\0b\n", 4));
  EXPECT_EQ(nul.code, 3);
  EXPECT_TRUE(has(nul.error, "standard input:1: byte 2: a NUL byte"));
}

TEST_F(TranslateCommand, CutsLinesAndTranslations) {
  const Finished cut = translate("मैं\nमैं खाना खा रहा\n", {"--max-source-length", "2"});
  EXPECT_EQ(cut.code, 0);
  EXPECT_EQ(without_cut_warning(cut.error),
            "dhyan: warning: standard input:2: more than 2 tokens; the rest of the line is not translated\n");
  EXPECT_EQ(lines_of(cut.out), translated({"मैं", "मैं खाना"}));
  for (const Json& one : objects(some_lines(20), {"--max-length", "2"})) EXPECT_LE(one["tokens"].size(), 2U);
}

TEST_F(TranslateCommand, AnswersALineBeforeTheNextArrives) {
  const std::vector<std::string> expected = translated({"मैं", "तुम खाना", "रहा"});
  Conversation conversation(command({}));
  conversation.say("मैं\n");
  EXPECT_EQ(conversation.hear_line(), expected[0]);
  conversation.say("तुम खाना\nरहा\n");
  EXPECT_EQ(conversation.hear_line(), expected[1]);
  EXPECT_EQ(conversation.hear_line(), expected[2]);
  EXPECT_EQ(conversation.end(), 0);
}

TEST_F(TranslateCommand, StopsOnASignal) {
  Conversation conversation(command({"-o", folder_->path("never")}));
  conversation.say("मैं\n");
  Conversation answering(command({}));
  answering.say("मैं\n");
  answering.hear_line();  // by now it waits for more
  answering.signal(SIGINT);
  EXPECT_EQ(answering.exit_code(), 130);
  conversation.signal(SIGINT);
  EXPECT_EQ(conversation.exit_code(), 130);
  EXPECT_FALSE(std::filesystem::exists(folder_->path("never")));
}

TEST_F(TranslateCommand, ExitsIfItsReaderIsGone) {
  Conversation conversation(command({}));
  conversation.stop_listening();
  conversation.say("मैं\n");
  EXPECT_EQ(conversation.exit_code(), 1);
}

TEST_F(TranslateCommand, RefusesAWrongCommandLine) {
  refused({"--bean-size", "2"}, "unknown option '--bean-size'; did you mean '--beam-size'?");
  refused({"--beam-size", "0"}, "--beam-size: expected a whole number from 1 to 1000, got '0'");
  refused({"--n-best", "6"}, "search: n-best is 6, expected at most the beam size, 5");
  refused({"--alignment", "firm"}, "--alignment: expected hard or soft, got 'firm'");
  refused({folder_->path("none")}, folder_->path("none") + ": cannot open: No such file or directory", 3);
  const Finished none = run({kBinary, "translate", "-m", folder_->path("none")});
  EXPECT_EQ(none.code, 3);
  EXPECT_EQ(none.error, cat("dhyan: error: ", folder_->path("none"), ": there is no such folder\n"));
  EXPECT_EQ(run({kBinary, "translate"}).code, 2);
}

}  // namespace
}  // namespace dhyan
