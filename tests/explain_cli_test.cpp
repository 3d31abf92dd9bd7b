// `dhyan explain` as a shell sees it, with a small model with random weights.

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <pty.h>
#include <sstream>
#include <unistd.h>

#include "binary.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "explain/formats.h"
#include "process.h"
#include "small_model.h"
#include "text/display.h"

namespace dhyan {
namespace {

using Json = nlohmann::json;

const std::string kLine = "मैं खाना खा रहा हूँ";

class ExplainCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    make_small_model(folder_->path("model"), ContextKind::kAttention);
    make_small_model(folder_->path("thought"), ContextKind::kNone);
    make_small_transformer(folder_->path("transformer"));
    make_small_transformer(folder_->path("writer"), "language-model");
    make_small_transformer(folder_->path("filler"), "masked-language-model");
  }
  static void TearDownTestSuite() { delete std::exchange(folder_, nullptr); }

  static std::vector<std::string> command(std::vector<std::string> arguments, const std::string& model = "model") {
    arguments.insert(arguments.begin(), {kBinary, "explain", "-m", folder_->path(model)});
    return arguments;
  }
  // The output of a call that must succeed without warnings.
  static std::string explained(const std::vector<std::string>& arguments, const std::string& model = "model") {
    const Finished finished = run(command(arguments, model));
    EXPECT_EQ(finished.code, 0);
    EXPECT_EQ(finished.error, "");
    return finished.out;
  }
  static Json as_json(std::vector<std::string> arguments, const std::string& model = "model") {
    arguments.insert(arguments.end(), {"-f", "json"});
    return Json::parse(explained(arguments, model));
  }
  static std::string translated(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {kBinary, "translate", "-m", folder_->path("model")});
    const std::string out = run(arguments, {}, kLine + "\n").out;
    return out.substr(0, out.find('\n'));
  }
  static void refused(const std::vector<std::string>& arguments, const std::string& message, int code = 2,
                      const std::string& model = "model") {
    const Finished finished = run(command(arguments, model));
    EXPECT_EQ(finished.code, code) << message;
    EXPECT_EQ(finished.out, "");
    EXPECT_TRUE(has(finished.error, "dhyan: error: " + message));
  }

  static TemporaryFolder* folder_;
};

TemporaryFolder* ExplainCommand::folder_ = nullptr;

TEST_F(ExplainCommand, ShowsAHeatMapOfTheTranslation) {
  const std::string text = explained({kLine});
  EXPECT_TRUE(text.starts_with(kLine + "\n" + translated({}) + "\nlog p = "));
  EXPECT_TRUE(has(text, "\n  1 मैं  2 खाना  3 खा  4 रहा  5 हूँ  6 </s>\n"));
}

TEST_F(ExplainCommand, SearchesWithTheGivenBeamSize) {
  for (const char* beam : {"1", "5"}) {
    EXPECT_EQ(as_json({kLine, "--beam-size", beam})["translation"], translated({"--beam-size", beam}));
  }
}

TEST_F(ExplainCommand, WritesTheFormatOfTheFileExtension) {
  for (const Format& format : formats()) {
    const std::string file = "out" + std::string(format.extension);
    EXPECT_EQ(explained({kLine, "-o", folder_->path(file)}), "");
    EXPECT_EQ(folder_->read(file), explained({kLine, "-f", std::string(format.name)})) << format.name;
    EXPECT_FALSE(folder_->read(file).empty()) << format.name;
  }
}

TEST_F(ExplainCommand, PrefersTheFormatOptionToTheFileExtension) {
  explained({kLine, "-f", "pharaoh", "-o", folder_->path("out.svg")});
  EXPECT_EQ(folder_->read("out.svg"), explained({kLine, "-f", "pharaoh"}));
}

TEST_F(ExplainCommand, AgreesWithTranslateOnAlignments) {
  EXPECT_EQ(translated({}) + " ||| " + explained({kLine, "-f", "pharaoh"}), translated({"--alignment", "hard"}) + "\n");
}

TEST_F(ExplainCommand, HasWeightsThatAreTheSoftmaxOfTheEnergies) {
  const Json explanation = as_json({kLine, "--units", "subword"});
  EXPECT_EQ(explanation["units"], "subword");
  const Json &weights = explanation["attention"]["weights"][0][0],
             &energies = explanation["attention"]["energies"][0][0];
  ASSERT_EQ(weights.size(), explanation["target_units"].size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto row = weights[i].get<std::vector<double>>(), energy = energies[i].get<std::vector<double>>();
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-5);
    double sum = 0;
    for (const double e : energy) sum += std::exp(e);
    for (std::size_t j = 0; j < row.size(); ++j) EXPECT_NEAR(row[j], std::exp(energy[j]) / sum, 1e-5) << i << ',' << j;
  }
}

TEST_F(ExplainCommand, ShowsTheComputationOfOneStep) {
  const std::string step = explained({kLine, "--step", "1"});
  EXPECT_TRUE(step.starts_with("Step 1 of ")) << step;
  for (const char* part : {"\n   Σ ", "c_1 = Σ_j α_1j h_j: 32 values, norm ", " more\n", "The best of 12 tokens"}) {
    EXPECT_TRUE(has(step, part));
  }
  std::istringstream table(step.substr(step.find("  source\n") + 9));
  const Json weights = as_json({kLine, "--units", "subword"})["attention"]["weights"][0][0][0];
  for (const Json& weight : weights) {
    int j = 0;
    double energy = 0, exponential = 0, alpha = 0;
    std::string piece;
    ASSERT_TRUE(table >> j >> energy >> exponential >> alpha >> piece);
    EXPECT_NEAR(std::exp(energy), exponential, 1e-4 * exponential);
    EXPECT_NEAR(alpha, weight.get<double>(), 1e-4);
  }
  EXPECT_FALSE(has(explained({kLine, "--step", "1", "--full"}), " more\n"));
}

TEST_F(ExplainCommand, ExplainsAGivenTranslation) {
  const Json given = as_json({kLine, "--target", "you are eating water"});
  EXPECT_EQ(given["translation"], "you are eating water");
  EXPECT_EQ(given["target_units"], (std::vector<std::string>{"you", "are", "eating", "water", "</s>"}));
  const Json own = as_json({kLine});
  const Json again = as_json({kLine, "--target", own["translation"]});
  EXPECT_NEAR(again["log_probability"].get<double>(), own["log_probability"].get<double>(), 1e-4);
  EXPECT_EQ(as_json({kLine, "--target", ""})["target_units"], std::vector<std::string>{"</s>"});
}

TEST_F(ExplainCommand, ShowsTheContextVectorOfAModelWithoutAttention) {
  const Json explanation = as_json({kLine}, "thought");
  EXPECT_EQ(explanation["thought_vector"].size(), 32u);
  EXPECT_FALSE(explanation.contains("attention"));
  EXPECT_TRUE(has(explained({kLine}, "thought"), "one vector of 32 values"));
  EXPECT_TRUE(has(explained({kLine, "--step", "1"}, "thought"), "one vector of 32 values"));
  EXPECT_NE(as_json({"हूँ"}, "thought")["thought_vector"], explanation["thought_vector"]);
}

// Arguments that force the translation "you eating".
std::vector<std::string> of_transformer(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {kLine, "--target", "you eating"});
  return arguments;
}

TEST_F(ExplainCommand, ShowsEveryAttentionOfATransformer) {
  const Json all = as_json(of_transformer({"--attention", "all"}), "transformer");
  EXPECT_EQ(all["decoder_attention"]["columns"], (std::vector<std::string>{"<s>", "you", "eating"}));
  EXPECT_EQ(all["encoder_attention"]["rows"], all["source_units"]);
  for (const char* place : {"attention", "decoder_attention", "encoder_attention"}) {
    const Json& weights = all[place]["weights"];
    ASSERT_EQ(weights.size(), 2u) << place;
    ASSERT_EQ(weights[1].size(), 2u) << place;
    for (const Json& row : weights[1][1]) {
      const auto numbers = row.get<std::vector<double>>();
      EXPECT_NEAR(std::accumulate(numbers.begin(), numbers.end(), 0.0), 1, 1e-5) << place;
    }
  }
  EXPECT_FALSE(as_json(of_transformer({}), "transformer").contains("encoder_attention"));
}

TEST_F(ExplainCommand, ShowsTheMeanOfATransformerInATerminalUnlessAHeadIsChosen) {
  const std::string mean = explained(of_transformer({}), "transformer");
  EXPECT_TRUE(has(mean, "\ncross-attention, mean of 2 layers and 2 heads\n"));
  const std::string heads = explained(of_transformer({"--head", "all", "--layer", "2"}), "transformer");
  EXPECT_TRUE(has(heads, "\ncross-attention, layer 2, head 1\n"));
  EXPECT_TRUE(has(heads, "\ncross-attention, layer 2, head 2\n"));
  EXPECT_FALSE(has(heads, "layer 1"));
  const std::string rollout =
      explained(of_transformer({"--attention", "encoder", "--summary", "rollout"}), "transformer");
  EXPECT_TRUE(has(rollout, "\nencoder self-attention, rollout through 2 layers\n"));
}

TEST_F(ExplainCommand, DrawsTheHeadsOfATransformerAsAGrid) {
  const std::string svg = explained(of_transformer({"-f", "svg"}), "transformer");
  for (const char* heading : {">layer 1<", ">layer 2<", ">head 1<", ">head 2<"}) EXPECT_TRUE(has(svg, heading));
}

TEST_F(ExplainCommand, ShowsTheComputationOfOneHeadOfATransformer) {
  const std::string step = explained(of_transformer({"--step", "2"}), "transformer");
  EXPECT_TRUE(has(step, "   j   layer 1   layer 2      mean  source\n"));
  EXPECT_TRUE(has(step, "\nIn cross-attention, layer 2, head 1\n"));
  EXPECT_TRUE(has(explained(of_transformer({"--step", "2", "--attention", "decoder"}), "transformer"), "  given\n"));
}

TEST_F(ExplainCommand, ShowsHowALanguageModelReadsAText) {
  const Json read = as_json({"मैं खाना", "--layer", "2"}, "writer");
  EXPECT_EQ(read["translation"], "मैं खाना");
  EXPECT_EQ(read["decoder_attention"]["columns"], (std::vector<std::string>{"<s>", "मैं"}));
  EXPECT_EQ(read["decoder_attention"]["weights"][0][1][0], (std::vector<double>{1, 0}));
  refused({"मैं", "--target", "I"}, "explain: --target is for models that translate", 2, "writer");
  refused({"मैं मैं मैं मैं मैं मैं मैं मैं मैं"}, "explain: the text has 9 tokens; this model sees 8 at once", 2, "writer");
}

TEST_F(ExplainCommand, ShowsTheGapsOfAMaskedModel) {
  const Json seen = as_json({"मैं [MASK] खा"}, "filler");
  EXPECT_TRUE(seen["log_probability"].is_null());
  EXPECT_EQ(seen["encoder_attention"]["columns"], (std::vector<std::string>{"मैं", "[MASK]", "खा", "</s>"}));
  EXPECT_EQ(seen["encoder_attention"]["weights"][1][1].size(), 4u);
  EXPECT_TRUE(explained({"मैं [MASK] खा"}, "filler").starts_with("मैं [MASK] खा\n\nencoder self-attention, mean"));
  refused({"मैं", "--step", "1"}, "explain: --step is for models that write word by word", 2, "filler");
}

TEST_F(ExplainCommand, RefusesAttentionTheModelLacks) {
  refused({kLine, "--attention", "encoder"}, "attention: this model has no encoder self-attention; it has: cross");
  refused({kLine, "--layer", "2"}, "attention: there is no layer 2 of cross-attention; this model has 1");
  refused({kLine, "--head", "0"}, "--head: '0' is neither a number from 1 on nor 'all'");
  refused({kLine, "--attention", "cross"}, "attention: this model does not attend", 2, "thought");
  refused({kLine, "--head", "3"}, "attention: there is no head 3 of cross-attention; this model has 2", 2,
          "transformer");
}

// Output and exit code on a pseudo-terminal with the given number of columns.
std::pair<std::string, int> on_a_terminal(const std::vector<std::string>& command, unsigned short columns) {
  int terminal = -1, inner = -1;
  const winsize size{24, columns, 0, 0};
  EXPECT_EQ(openpty(&terminal, &inner, nullptr, nullptr, &size), 0);
  const pid_t child = start(command, {.out = inner, .error = inner}, {{"TERM", "xterm"}, {"NO_COLOR", ""}});
  ::close(inner);
  const std::string text = read_all(terminal);
  ::close(terminal);
  return {text, exit_code_of(child)};
}

TEST_F(ExplainCommand, FitsATerminal) {
  std::string line;
  for (int i = 0; i < 30; ++i) line += "खाना ";
  const auto [text, code] = on_a_terminal(command({line, "--target", "I"}), 60);
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(has(text, "\x1b[48;5;"));
  EXPECT_TRUE(has(text, "\r\n  11 खाना")) << "a second block of columns";
}

TEST_F(ExplainCommand, WritesNoPngToATerminal) {
  const auto [text, code] = on_a_terminal(command({kLine, "-f", "png"}), 80);
  EXPECT_EQ(code, 2);
  EXPECT_TRUE(has(text, "dhyan: error: explain: this format is not for a terminal; write it to a file with -o"));
}

TEST_F(ExplainCommand, WarnsIfALineIsCut) {
  std::string line;
  for (int i = 0; i < 1001; ++i) line += "हूँ ";
  const Finished finished = run(command({line, "--target", "I", "-f", "pharaoh"}));
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(finished.error,
            "dhyan: warning: the text has more than the 1000 tokens that are translated; its end is cut off\n");
}

TEST_F(ExplainCommand, ShowsTheBeam) {
  const Finished text = run(command({kLine, "--beam", "2", "--beam-size", "3"}));
  EXPECT_EQ(text.code, 0);
  for (const char* part : {"\nword 1 ", "\n * ", "\n   × "}) EXPECT_TRUE(has(text.out, part));
  const Finished json = run(command({kLine, "--beam", "--beam-size", "3", "-f", "json"}));
  const auto tree = nlohmann::json::parse(json.out);
  std::map<int, int> kept, pruned;
  for (const auto& node : tree["nodes"]) ++(node["fate"] == "pruned" ? pruned : kept)[node["step"]];
  for (const auto& [step, count] : kept) EXPECT_LE(count, 3) << step;
  for (const auto& [step, count] : pruned) EXPECT_LE(count, 3) << step;
  EXPECT_EQ(run(command({kLine, "--beam", "-o", folder_->path("beam.svg")})).code, 0);
  EXPECT_TRUE(has(folder_->read("beam.svg"), "<svg "));
  EXPECT_EQ(tree["units"], "word");
  const Finished pieces = run(command({kLine, "--beam", "--units", "subword"}));
  EXPECT_EQ(pieces.code, 0) << pieces.error;
  EXPECT_TRUE(has(pieces.out, "\nsubword 1 "));
  refused({kLine, "--beam", "--step", "1"}, "--step and --beam do not go together");
  refused({kLine, "--beam", "--layer", "1"}, "--layer and --beam do not go together");
  refused({kLine, "--beam", "--head", "1"}, "--head and --beam do not go together");
  refused({kLine, "--beam", "--target", "I am"}, "--target and --beam do not go together");
  refused({kLine, "--beam", "-f", "pharaoh"},
          "explain: there is no format 'pharaoh'; there is: text svg html png json");
}

TEST_F(ExplainCommand, RefusesInputsItCannotExplain) {
  refused({" \t "}, "explain: there are no words in the text to explain");
  refused({kLine, "--step", "100"}, "explain: there is no step 100; the translation has ");
  refused({kLine, "--step", "0"}, "explain: there is no step 0;");
  refused({"a\xFFz"}, "explain: byte 2 is not UTF-8", 3);
  refused({kLine, "--target", "\xFF"}, "explain: --target: byte 1 is not UTF-8", 3);
  refused({kLine, "-o", folder_->path("no/such/folder.svg")}, folder_->path("no/such/folder.svg"), 1);
}

}  // namespace
}  // namespace dhyan
