// The server gives the bytes and figures that the command line gives for the same question. The models have random
// weights.

#include <gtest/gtest.h>
#include <sstream>
#include <thread>

#include "binary.h"
#include "core/base64.h"
#include "core/error.h"
#include "core/rng.h"
#include "core/testing/temporary_folder.h"
#include "process.h"
#include "running_server.h"
#include "small_model.h"
#include "translator/testing/tiny_caption_model.h"
#include "vision/write_picture.h"

namespace dhyan {
namespace {

using Json = nlohmann::ordered_json;

const std::string kEating = "मैं खाना खा रहा हूँ";

class ServedFigures : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    make_small_model(folder_->path("attention"), ContextKind::kAttention);
    make_small_model(folder_->path("thought"), ContextKind::kNone);
    make_small_transformer(folder_->path("transformer"));
    make_small_byte_model(folder_->path("bytes"), "transformer");
    LoadedModel captions = tiny_caption_model();
    captions.model->parameters().find("output.bias")->value.span()[kEnd] = 1;
    save_model(folder_->path("captions"), captions.config, captions.tokenizers, *captions.model);
    const Finished quantized = run({kBinary, "quantize", folder_->path("transformer"), "-o", folder_->path("int8")});
    EXPECT_EQ(quantized.code, 0) << quantized.error;
    std::vector<std::string> arguments{"--threads", "2", "--requests-per-minute", "0"};
    for (const char* model : {"attention", "thought", "transformer", "int8", "bytes", "captions"}) {
      arguments.insert(arguments.end(), {"-m", folder_->path(model)});
    }
    server_ = new RunningServer(arguments);
  }
  static void TearDownTestSuite() {
    delete std::exchange(server_, nullptr);
    delete std::exchange(folder_, nullptr);
  }

  static const TemporaryFolder& folder() { return *folder_; }

  // Standard output of a command with a model.
  static std::string dhyan(const std::string& command, const std::string& model, std::vector<std::string> arguments,
                           const std::string& input = "") {
    arguments.insert(arguments.begin(), {kBinary, command, "-m", folder_->path(model)});
    const Finished finished = run(arguments, {}, input);
    EXPECT_EQ(finished.code, 0) << finished.error;
    return finished.out;
  }
  static std::vector<Json> json_lines(const std::string& text) {
    std::vector<Json> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
    return lines;
  }

  static std::string posted(const std::string& path, const Json& body) {
    const RunningServer::Answer answer = server_->post(path, body);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer.body;
  }
  static Json asked(const std::string& path, const Json& body) { return Json::parse(posted(path, body)); }

 private:
  static inline TemporaryFolder* folder_ = nullptr;
  static inline RunningServer* server_ = nullptr;
};

// The same search, for the server and for the command line.
struct Search {
  const char* model;
  Json options;
  std::vector<std::string> flags;
};

const std::vector<Search> kSearches = {
    {"attention", {{"n_best", 1}}, {}},
    {"attention", {{"n_best", 3}, {"length_penalty", 0.2}}, {"--n-best", "3", "--length-penalty", "0.2"}},
    {"attention", {{"n_best", 1}, {"beam_size", 1}, {"forbidden", {"food"}}}, {"--beam-size", "1", "--forbid", "food"}},
    {"thought", {{"n_best", 2}, {"max_length", 7}}, {"--n-best", "2", "--max-length", "7"}},
    {"transformer", {{"n_best", 1}, {"beam_size", 8}}, {"--beam-size", "8"}},
    {"int8", {{"n_best", 2}}, {"--n-best", "2"}},
    {"transformer",
     {{"n_best", 2}, {"sampling", true}, {"seed", 7}, {"temperature", 0.7}},
     {"--n-best", "2", "--sampling", "--seed", "7", "--temperature", "0.7"}},
};

std::vector<std::string> different_sentences(int count) {
  Rng rng(11);
  std::vector<std::string> sentences;
  for (int i = 0; i < count; ++i) {
    std::string sentence;
    for (std::uint64_t left = 1 + rng.below(7); left > 0; --left) {
      sentence += (sentence.empty() ? "" : " ") + kSourceWords[rng.below(kSourceWords.size())];
    }
    sentences.push_back(sentence);
  }
  return sentences;
}

TEST_F(ServedFigures, EverySentenceUnderLoadIsThatOfItAloneOnTheCommandLine) {
  const std::vector<std::string> sentences = different_sentences(6);
  std::vector<std::vector<Json>> expected;  // [search][sentence] n-best list
  for (const Search& search : kSearches) {
    std::vector<Json>& lists = expected.emplace_back();
    std::vector<std::string> flags = search.flags;
    flags.push_back("--json");
    for (const std::string& sentence : sentences) {
      Json& list = lists.emplace_back(Json::array());
      for (const Json& line : json_lines(dhyan("translate", search.model, flags, sentence + "\n"))) {
        list.push_back({{"text", line["translation"]},
                        {"score", line["score"]},
                        {"log_probability", line["log_probability"]},
                        {"finished", line["finished"]}});
      }
    }
  }

  std::atomic<int> wrong = 0, compared = 0;
  std::vector<std::jthread> clients;
  for (std::uint64_t client = 0; client < 16; ++client) {
    clients.emplace_back([&, client] {
      Rng rng(client);
      for (int request = 0; request < 25; ++request) {
        const std::size_t search = rng.below(kSearches.size());
        std::vector<std::size_t> picked;
        Json texts = Json::array();
        for (std::uint64_t left = 1 + rng.below(4); left > 0; --left) {
          picked.push_back(rng.below(sentences.size()));
          texts.push_back(sentences[picked.back()]);
        }
        Json question = kSearches[search].options;
        question["model"] = kSearches[search].model;
        question["q"] = texts;
        const Json answer = asked("/v1/translate", question);
        for (std::size_t i = 0; i < picked.size(); ++i, ++compared) {
          const Json& given = answer["translations"][i]["sentences"][0]["n_best"];
          if (given != expected[search][picked[i]] && wrong++ == 0) {
            ADD_FAILURE() << kSearches[search].model << kSearches[search].options << '\n'
                          << given << "\nexpected\n"
                          << expected[search][picked[i]];
          }
        }
      }
    });
  }
  clients.clear();
  EXPECT_GT(compared, 16 * 25);
  EXPECT_EQ(wrong, 0);
}

TEST_F(ServedFigures, ConstraintsAreThoseOfTheCommandLine) {
  const Json prefixed = asked("/v1/translate", {{"model", "attention"}, {"q", kEating}, {"prefix", "you are"}});
  const std::string file = folder().write("prefix", "you are\n");
  EXPECT_EQ(prefixed["translations"][0]["text"].get<std::string>() + "\n",
            dhyan("translate", "attention", {"--prefix", file}, kEating + "\n"));
  const Json required = asked("/v1/translate", {{"model", "attention"}, {"q", kEating}, {"required", {"water"}}});
  const std::string phrases = folder().write("required", "water\n");
  EXPECT_EQ(required["translations"][0]["text"].get<std::string>() + "\n",
            dhyan("translate", "attention", {"--require", phrases}, kEating + "\n"));
}

TEST_F(ServedFigures, ScoresAndAlignmentsAreThoseOfDhyanScore) {
  const std::vector<std::string> sources{kEating, "तुम पानी पी रही हो"},
      targets{"I am eating food", "you drinking water"};
  const std::string source = folder().write("s", sources[0] + "\n" + sources[1] + "\n");
  const std::string target = folder().write("t", targets[0] + "\n" + targets[1] + "\n");
  for (const char* model : {"attention", "transformer", "bytes"}) {
    for (const char* units : {"word", "subword"}) {
      const Json question{{"model", model}, {"q", sources}, {"target", targets}, {"units", units}};
      const Json scores = asked("/v1/score", question)["scores"],
                 alignments = asked("/v1/align", question)["alignments"];
      const auto lines =
          json_lines(dhyan("score", model, {"--json", "--alignment", "hard", "--units", units, source, target}));
      ASSERT_EQ(lines.size(), 2u);
      for (std::size_t i = 0; i < 2; ++i) {
        for (const char* name : {"score", "log_probability", "tokens", "token_scores"}) {
          EXPECT_EQ(scores[i][name], lines[i][name]) << model << units;
        }
        EXPECT_EQ(alignments[i]["attention"], lines[i]["attention"]) << model << units;
        EXPECT_EQ(alignments[i]["source_tokens"], lines[i]["source_tokens"]);
        std::string pharaoh;
        for (const Json& link : lines[i]["alignment"])
          pharaoh += cat(pharaoh.empty() ? "" : " ", link[0], '-', link[1]);
        EXPECT_EQ(alignments[i]["alignment"], pharaoh);
      }
    }
  }
}

TEST_F(ServedFigures, DrawingsAreTheBytesOfDhyanExplain) {
  struct Case {
    const char* model;
    Json options;
    std::vector<std::string> flags;
  };
  const std::vector<Case> cases = {
      {"attention", Json::object(), {}},
      {"attention", {{"target", "I am drinking water"}, {"beam_size", 2}}, {"--target", "I am drinking water"}},
      {"thought", Json::object(), {}},
      {"transformer", Json::object(), {}},
      {"transformer", {{"layers", {2}}, {"heads", {1}}}, {"--layer", "2", "--head", "1"}},
      {"transformer", {{"attention", "encoder"}, {"heads", {2}}}, {"--attention", "encoder", "--head", "2"}},
      {"transformer", {{"attention", "all"}}, {"--attention", "all"}},
      {"bytes", {{"target", "I am"}, {"units", "subword"}}, {"--target", "I am", "--units", "subword"}},
  };
  for (const Case& one : cases) {
    const bool aligned = one.model != std::string("thought") && one.options.value("attention", "all") == "all";
    for (const std::string format : {"svg", "png", "csv", "html", "pharaoh", "json"}) {
      if (format == "pharaoh" && !aligned) continue;
      Json question = one.options;
      question.update(
          Json{{"model", one.model}, {"q", kEating}, {"format", format == "json" ? "explain-json" : format}});
      std::vector<std::string> flags = one.flags;
      flags.insert(flags.end(), {"-f", format, "-o", folder().path("drawn"), kEating});
      dhyan("explain", one.model, flags);
      EXPECT_TRUE(posted("/v1/explain", question) == folder().read("drawn"))
          << one.model << ' ' << format << one.options;
    }
  }
}

TEST_F(ServedFigures, ExplanationsHaveTheFiguresOfDhyanTranslate) {
  const std::string kOneHead = "attention";
  for (const std::string& model : {kOneHead, std::string("bytes")}) {
    const Json explained = asked("/v1/explain", {{"model", model}, {"q", kEating}});
    const Json line = json_lines(dhyan("translate", model, {"--json", "--alignment", "hard"}, kEating + "\n"))[0];
    for (const char* name : {"source", "translation", "score", "log_probability", "token_scores", "finished"}) {
      EXPECT_EQ(explained[name], line[name]) << name;
    }
    std::string pharaoh;
    for (const Json& link : line["alignment"]) pharaoh += cat(pharaoh.empty() ? "" : " ", link[0], '-', link[1]);
    EXPECT_EQ(explained["alignment"], pharaoh);
    Json words = Json::array();
    for (const Json& token : explained["source_tokens"]) words.push_back(token["text"]);
    EXPECT_EQ(words, line["source_tokens"]);
    if (model == kOneHead) {
      EXPECT_EQ(explained["attention"][0]["weights"], line["attention"]);
    }
  }
}

TEST_F(ServedFigures, CaptionsAreThoseOfDhyanCaption) {
  const std::string scene = "small red circle above large blue square";
  const Json answer = asked("/v1/caption", {{"model", "captions"}, {"scene", scene}, {"n_best", 2}});
  const auto lines = json_lines(dhyan("caption", "captions", {"--json", "--n-best", "2", "--scene", scene}));
  ASSERT_EQ(answer["n_best"].size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const char* name : {"caption", "score", "log_probability", "finished"}) {
      EXPECT_EQ(answer["n_best"][i][name], lines[i][name]);
    }
  }
  const std::string bytes = to_png_bytes(picturebook::draw(picturebook::scene(3, Part::kTest)));
  const std::string file = folder().write("picture.png", bytes);
  const Json coded = asked("/v1/caption", {{"image", base64(bytes)}});
  EXPECT_EQ(coded["caption"].get<std::string>() + "\n", dhyan("caption", "captions", {file}));
  for (const Json& word : coded["words"]) EXPECT_EQ(word["weights"].size(), 4u);
  for (const std::string format : {"svg", "png", "html"}) {
    dhyan("caption", "captions", {"--scene", scene, "--overlay", folder().path("over." + format)});
    const std::string drawn = posted("/v1/caption", {{"scene", scene}, {"format", format}});
    EXPECT_TRUE(drawn == folder().read("over." + format)) << format;
  }
}

TEST_F(ServedFigures, TokensAreThoseOfDhyanEncode) {
  const Json texts = asked("/v1/tokenize", {{"model", "bytes"}, {"q", {kEating, "x"}}})["texts"];
  std::string pieces, ids;
  for (const Json& piece : texts[0]["tokens"]) pieces += (pieces.empty() ? "" : " ") + piece.get<std::string>();
  EXPECT_EQ(pieces + "\n", dhyan("encode", "bytes", {}, kEating + "\n"));
  EXPECT_EQ(texts[0]["offsets"].size(), texts[0]["ids"].size());
  EXPECT_EQ(texts[0]["offsets"].back()[1], 19) << "characters, not bytes";
}

}  // namespace
}  // namespace dhyan
