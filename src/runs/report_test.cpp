#include "runs/report.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "explain/testing/parsed_xml.h"
#include "runs/training_log.h"
#include "text/character_tokenizer.h"
#include "text/testing/trained_on.h"
#include "translator/model_folder.h"

namespace dhyan {
namespace {

// A folder with the files of a training that a report reads.
class Report : public testing::Test {
 protected:
  Report() {
    Config config;
    config.tokenizer.kind = "unigram";
    save_config(folder_.path(), config);
    const std::vector<NamedScore> first{{"loss", 3}, {"BLEU", 5}}, second{{"loss", 2.5}, {"BLEU", 9.25}};
    std::string log;
    for (const std::string& line :
         {to_json(IntervalEvent{.at = {.step = 50, .seconds = 2}, .loss = 4, .perplexity = 54, .learning_rate = 0.01}),
          to_json(ValidationEvent{.at = {.step = 60, .seconds = 3}, .metrics = first, .best = true}),
          to_json(IntervalEvent{.at = {.step = 100, .seconds = 4}, .loss = 3, .perplexity = 20}),
          to_json(ValidationEvent{.at = {.step = 1200, .seconds = 120}, .metrics = second, .best = true})}) {
      log += line + '\n';
    }
    folder_.write("train.jsonl", log);
  }

  void write_samples(const std::string& lines) const {
    std::filesystem::create_directories(folder_.path("training"));
    folder_.write("training/samples.jsonl", lines);
  }

  std::string page() const { return training_report(folder_.path()); }

  // Fails unless the page is well-formed XML.
  std::vector<XmlElement> elements() const {
    const std::string html = page();
    return parsed_xml(html.substr(html.find("<html")));
  }

  TemporaryFolder folder_;
};

TEST_F(Report, HasCurvesScoresAndEveryOption) {
  const std::vector<XmlElement> all = elements();
  std::vector<std::string> titles;
  for (const XmlElement& title : named(all, "title")) titles.push_back(title.text);
  for (const char* title : {"loss", "perplexity", "learning rate", "gradient norm", "tokens per second", "BLEU"}) {
    EXPECT_NE(std::ranges::find(titles, title), titles.end()) << title;
  }
  const std::string html = page();
  for (const char* part :
       {"<b>1,200</b><span>steps", "<b>9.25</b><span>held-out BLEU", "<th scope=\"row\">attention-hidden</th>",
        "kept (step 1200)", "<th scope=\"row\">BLEU</th><td>9.25</td><td>5</td><td>9.25</td>"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
}

TEST_F(Report, IsSelfContained) {
  write_samples("{\"step\":60,\"source\":[\"a\"],\"translation\":[\"b\"],\"weights\":[[1]]}\n");
  const std::string html = page();
  for (const char* part : {"<script", "<link", "<img", "src=", "@import", "url("}) {
    EXPECT_EQ(html.find(part), std::string::npos) << part;
  }
  for (std::size_t at = html.find("http"); at != html.npos; at = html.find("http", at + 1)) {
    const std::string_view rest = std::string_view(html).substr(at);
    EXPECT_TRUE(rest.starts_with("http://www.w3.org/2000/svg") || rest.starts_with("http-equiv")) << rest.substr(0, 40);
  }
}

TEST_F(Report, ShowsHowAttentionSharpened) {
  EXPECT_NE(page().find("No samples with attention were kept"), std::string::npos);
  const auto sample = [](Index step, const char* weights) {
    return cat("{\"step\":", step,
               ",\"source\":[\"मैं\",\"<b>\"],\"translation\":[\"I\"],\"reference\":\"I & you\",\"weights\":[[", weights,
               "]]}\n");
  };
  write_samples(sample(60, "0.5,0.5") + sample(600, "0.75,0.25") + sample(900, "0.8,0.2") + sample(1200, "1,0"));
  const std::vector<XmlElement> all = elements();
  std::vector<std::string> headings;
  for (const XmlElement& text : named(all, "text", "heading")) headings.push_back(text.text);
  for (const char* heading : {"step 60", "step 600", "step 1200", "largest weight of a row of attention, mean"}) {
    EXPECT_NE(std::ranges::find(headings, heading), headings.end()) << heading;
  }
  EXPECT_EQ(std::ranges::find(headings, "step 900"), headings.end());
  EXPECT_NE(page().find("I &amp; you"), std::string::npos);
}

TEST_F(Report, DrawsBleuLinearlyAndPerplexityByItsLogarithm) {
  std::string log;
  for (const double bleu : {0.1, 10.0, 30.0}) {
    const std::vector<NamedScore> scores{{"bleu", bleu}, {"perplexity", 1000 / (bleu + 0.1)}};
    log += to_json(ValidationEvent{.at = {.step = static_cast<Index>(100 * bleu)}, .metrics = scores}) + '\n';
  }
  folder_.write("train.jsonl", log);
  const std::vector<XmlElement> all = elements();
  std::vector<std::string> axes;
  for (const XmlElement& name : named(all, "text", "axis-name")) axes.push_back(name.text);
  EXPECT_EQ(axes,
            (std::vector<std::string>{"step", "BLEU (the full scale is 0 to 100)", "step", "perplexity, logarithmic"}));
  std::vector<double> dots;
  for (const XmlElement& dot : named(all, "circle")) dots.push_back(std::stod(dot.attributes.at("cy")));
  ASSERT_EQ(dots.size(), 6u);
  EXPECT_NEAR((dots[0] - dots[2]) / (dots[0] - dots[1]), 29.9 / 9.9, 0.02);
}

TEST_F(Report, ExplainsAttentionEntropy) {
  const std::vector<NamedScore> scores{{"attention_entropy_nats", 1.25}};
  folder_.write("train.jsonl", to_json(ValidationEvent{.at = {.step = 60}, .metrics = scores, .best = true}) + '\n');
  const std::string html = page();
  EXPECT_EQ(html.find("entropy nats"), std::string::npos);
  for (const char* part :
       {"<b>1.25</b><span>held-out attention entropy (nats)", "<th scope=\"row\">attention entropy (nats)</th>",
        "low is sharp", "Across: step; up: attention entropy (nats)."}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
}

TEST_F(Report, NamesTheAxesOfEveryPictureAndExplainsIt) {
  write_samples("{\"step\":60,\"source\":[\"a\",\"</s>\"],\"translation\":[\"b\"],\"weights\":[[0.5,0.5]]}\n");
  const std::vector<XmlElement> all = elements();
  std::size_t axes = 0, readings = 0, pictures = 0;
  for (const XmlElement& element : all) {
    const auto kind = element.attributes.find("class");
    if (element.name == "svg") {
      EXPECT_EQ(axes, 2 * pictures);
      EXPECT_GE(readings, pictures);
      ++pictures;
    }
    axes += kind != element.attributes.end() && kind->second == "axis-name";
    readings += kind != element.attributes.end() && kind->second == "reading";
  }
  EXPECT_GE(pictures, 8u);
  EXPECT_EQ(axes, 2 * pictures);
  EXPECT_NE(page().find("&lt;/s&gt; marks"), std::string::npos);
}

// The characters of "hot tea", and the weights of each on the two tokens "I" and </s>.
TEST_F(Report, ShowsWordsNotPieces) {
  Config config;
  config.tokenizer.kind = "char";
  save_config(folder_.path(), config);
  save_tokenizers(pair_trained_on<CharacterTokenizer>("I am", "hot tea"), folder_.path());
  write_samples(
      "{\"step\":60,\"source\":[\"I\",\" \",\"a\",\"m\",\"</s>\"],"
      "\"translation\":[\"h\",\"o\",\"t\",\" \",\"t\",\"e\",\"a\",\"</s>\"],\"weights\":["
      "[1,0,0,0,0],[1,0,0,0,0],[0.25,0.25,0.25,0.25,0],"
      "[0,0,0,0,1],[0,0,0,0,1],[0,0,0,0,1],[0,0,0,0,1],[0,0,0,0,1]]}\n");
  const std::vector<XmlElement> all = elements();
  const auto labels = [&](const char* kind) {
    std::vector<std::string> texts;
    for (const XmlElement& text : named(all, "text", kind)) texts.push_back(text.text);
    return texts;
  };
  EXPECT_EQ(labels("column"), (std::vector<std::string>{"I", "am", "</s>"}));
  EXPECT_EQ(labels("row"), (std::vector<std::string>{"hot", "tea", "</s>"}));
  const std::string html = page();
  for (const char* part : {">hot ← I: α = 0.7500<", ">hot ← am: α = 0.2500<", ">tea ← &lt;/s&gt;: α = 1.0000<",
                           "<dt>source</dt><dd><span lang=\"\" dir=\"auto\">I am</span></dd>",
                           "<dt>step 60</dt><dd><span lang=\"\" dir=\"auto\">hot tea</span></dd>"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
}

TEST_F(Report, ShowsTokensThatItsTokenizersDoNotHave) {
  Config config;
  config.tokenizer.kind = "char";
  save_config(folder_.path(), config);
  save_tokenizers(pair_trained_on<CharacterTokenizer>("I", "a"), folder_.path());
  write_samples("{\"step\":60,\"source\":[\"I\",\"</s>\"],\"translation\":[\"▁x\"],\"weights\":[[1,0]]}\n");
  const auto rows = named(elements(), "text", "row");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows.front().text, "▁x");
}

TEST_F(Report, ShowsTheSamplesOfAModelWithoutAttention) {
  write_samples("{\"step\":60,\"source\":[\"a\"],\"translation\":[\"b\"],\"reference\":\"c\",\"weights\":[]}\n");
  const std::string html = page();
  EXPECT_NE(html.find("No samples with attention were kept"), std::string::npos);
  EXPECT_NE(html.find("<dt>step 60</dt><dd><span lang=\"\" dir=\"auto\">b</span></dd>"), std::string::npos);
}

TEST_F(Report, ReportsAveragedCheckpoints) {
  const std::vector<NamedScore> mean{{"loss", 2.25}, {"BLEU", 9.75}};
  const std::string log = folder_.read("train.jsonl");
  folder_.write("train.jsonl", log + to_json(AverageEvent{.checkpoints = 3, .metrics = mean, .taken = true}) + '\n');
  const std::string html = page();
  for (const char* part : {"<b>9.75</b><span>held-out BLEU", "kept (mean of 3)",
                           "<th scope=\"row\">BLEU</th><td>9.75</td><td>5</td><td>9.25</td>"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
  folder_.write("train.jsonl", log + to_json(AverageEvent{.checkpoints = 3, .metrics = mean}) + '\n');
  EXPECT_NE(page().find("kept (step 1200)"), std::string::npos);
}

TEST_F(Report, OmitsMapsThatAreTooLarge) {
  std::string words = "\"a\"", weights = "0";
  for (int i = 1; i < 101; ++i) words += ",\"a\"", weights += ",0";
  write_samples(cat("{\"step\":60,\"source\":[", words, "],\"translation\":[\"b\"],\"weights\":[[", weights, "]]}\n"));
  const std::string html = page();
  EXPECT_NE(html.find("step 60: the map is left out; 1 by 101 words, and up to 100 by 100 are drawn."), html.npos);
  EXPECT_EQ(html.find("sample-0-0"), html.npos);
}

TEST_F(Report, IncludesReadmeAndEvaluation) {
  folder_.write("README.md", "# A model\n<i>trained</i>\n");
  folder_.write("evaluation.json",
                "{\"BLEU\":{\"score\":31.5,\"signature\":\"tok:13a\"},"
                "\"sentences\":[1],\"scores\":[{\"name\":\"chrF2\",\"score\":58.1}]}");
  elements();
  const std::string html = page();
  for (const char* part :
       {"# A model\n&lt;i&gt;trained&lt;/i&gt;\n", "<th scope=\"row\">BLEU.score</th><td>31.5</td>",
        "<th scope=\"row\">BLEU.signature</th><td>tok:13a</td>", "<th scope=\"row\">chrF2</th><td>58.1</td>"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
}

TEST_F(Report, NamesUnreadableFiles) {
  folder_.write("evaluation.json", "[");
  EXPECT_EQ(thrown<DataError>([&] { page(); }), folder_.path("evaluation.json") + ": expected a JSON object");
  write_samples("nonsense\n");
  EXPECT_EQ(thrown<DataError>([&] { page(); }), folder_.path("training/samples.jsonl") + ":1: expected a JSON object");
  std::filesystem::remove(folder_.path("train.jsonl"));
  EXPECT_EQ(thrown<DataError>([&] { page(); }),
            folder_.path("train.jsonl") + ": cannot be read: No such file or directory");
  std::filesystem::remove(folder_.path("config.json"));
  EXPECT_THROW(page(), ModelFileError);
}

}  // namespace
}  // namespace dhyan
