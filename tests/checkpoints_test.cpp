// The models of golden/make_checkpoints.py, in the files of other toolkits, are imported with their tokenizers and give
// the answers of those toolkits.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "config/model_kinds.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "importing/export_model.h"
#include "importing/import_model.h"
#include "text/vocabulary.h"
#include "translator/text_models.h"
#include "translator/translator.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Texts = std::vector<std::string>;

const fs::path kCheckpoints = DHYAN_CHECKPOINTS;
constexpr double kClose = 1e-5;

Json answers_of(const std::string& name) {
  std::ifstream file(kCheckpoints / (name + ".json"));
  return Json::parse(file);
}

class Checkpoints : public FolderTest {
 protected:
  // Imports the golden model of this name.
  fs::path imported(const std::string& name) {
    import_model(kCheckpoints / name, folder_ / name, {.existing = Existing::kOverwrite});
    return folder_ / name;
  }

  // A copy of a golden model in which a text of a file is replaced.
  fs::path changed(const std::string& name, const char* file, const std::string& from, const std::string& to) {
    const fs::path copy = folder_ / "changed";
    fs::remove_all(copy);
    fs::copy(kCheckpoints / name, copy);
    std::ifstream in(copy / file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    text.replace(at, from.size(), to);
    std::ofstream(copy / file, std::ios::binary) << text;
    return copy;
  }

  std::string refusal(const fs::path& source) {
    std::string text = thrown<ModelFileError>([&] { import_model(source, folder_ / "refused", {}); });
    EXPECT_FALSE(fs::exists(folder_ / "refused"));
    return text;
  }
};

// The texts of tokens as the vocabulary has them.
Texts tokens_in_file(const fs::path& folder, std::span<const TokenId> ids) {
  const Vocabulary vocabulary = Vocabulary::load(folder / "shared.vocab");
  Texts texts;
  for (const TokenId id : ids) texts.push_back(vocabulary.token(id));
  return texts;
}

TEST_F(Checkpoints, OfBertHaveItsTokens) {
  for (const char* name : {"bert", "bert-cased"}) {
    const fs::path folder = imported(name);
    const Filler filler(folder);
    const Json answers = answers_of(name);
    for (std::size_t i = 0; i < answers["lines"].size(); ++i) {
      const auto line = answers["lines"][i].get<std::string>();
      auto expected = answers["tokens"][i].get<Texts>();
      std::ranges::replace(expected, "[UNK]", "<unk>");
      EXPECT_EQ(tokens_in_file(folder, filler.tokenizer().encode(line).ids), expected) << name << ": " << line;
    }
  }
}

TEST_F(Checkpoints, OfBertHaveItsStatesAndProbabilities) {
  for (const char* name : {"bert", "bert-cased"}) {
    SCOPED_TRACE(name);
    const Filler filler(imported(name));
    const Json answers = answers_of(name);
    const std::vector<std::vector<Real>> vectors = filler.embed(answers["sentences"].get<Texts>());
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      const auto expected = answers["vectors"][i].get<std::vector<double>>();
      ASSERT_EQ(vectors[i].size(), expected.size());
      for (std::size_t j = 0; j < expected.size(); ++j) EXPECT_NEAR(vectors[i][j], expected[j], kClose) << i;
    }
    const Filled filled = filler.fill(answers["gapped"].get<std::string>(), 3);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(filled.gaps.front()[i].text, answers["fillings"][i][0].get<std::string>());
      EXPECT_NEAR(filled.gaps.front()[i].probability, answers["fillings"][i][1].get<double>(), kClose);
    }
  }
}

TEST_F(Checkpoints, OfGpt2HaveItsTokens) {
  const fs::path folder = imported("gpt2");
  const Writer writer(folder);
  const Json answers = answers_of("gpt2");
  for (std::size_t i = 0; i < answers["lines"].size(); ++i) {
    const auto line = answers["lines"][i].get<std::string>();
    const std::vector<TokenId> ids = writer.tokenizer().encode(line).ids;
    EXPECT_EQ(tokens_in_file(folder, ids), answers["tokens"][i].get<Texts>()) << line;
    EXPECT_EQ(writer.tokenizer().decode(ids), line);
  }
}

TEST_F(Checkpoints, OfGpt2HaveItsProbabilities) {
  const Writer writer(imported("gpt2"));
  const Json answers = answers_of("gpt2");
  for (std::size_t i = 0; i < answers["texts"].size(); ++i) {
    const Continued read = writer.read(answers["texts"][i].get<std::string>());
    const auto expected = answers["log_p"][i].get<std::vector<double>>();
    ASSERT_EQ(read.hypothesis.token_scores.size(), expected.size());
    for (std::size_t t = 0; t < expected.size(); ++t) {
      EXPECT_NEAR(read.hypothesis.token_scores[t], expected[t], kClose) << i << " " << t;
    }
  }
  EXPECT_FALSE(writer.write("The cat", {.sampling = {.max_length = 5}}).front().hypothesis.tokens.empty());
}

TEST_F(Checkpoints, OfFairseqHaveItsTokensScoresAndText) {
  const Translator translator(imported("fairseq"));
  const Json answers = answers_of("fairseq");
  const Tokenizer& source = *translator.tokenizers().source;
  for (std::size_t i = 0; i < answers["lines"].size(); ++i) {
    const auto line = answers["lines"][i].get<std::string>();
    const auto expected = answers["tokens"][i].get<Texts>();
    const std::vector<TokenId> ids = source.encode(line).ids;
    ASSERT_EQ(ids.size(), expected.size()) << line;
    for (std::size_t t = 0; t < ids.size(); ++t) {
      if (ids[t] == kUnknown) continue;
      EXPECT_EQ(source.piece(ids[t]), expected[t]) << line;
    }
  }
  Texts sources, targets;
  for (const Json& pair : answers["pairs"]) {
    sources.push_back(pair[0]);
    targets.push_back(pair[1]);
  }
  const std::vector<Translation> forced = translator.force(Inputs(sources), targets, {});
  for (std::size_t i = 0; i < forced.size(); ++i) {
    EXPECT_NEAR(forced[i].hypothesis.log_probability, answers["log_p"][i].get<double>(), 10 * kClose) << sources[i];
  }
  const auto greedy = translator.translate(Inputs(sources), {.beam_size = 1, .max_length = 12});
  for (std::size_t i = 0; i < greedy.size(); ++i) {
    std::string pieces;
    for (const TokenId id : greedy[i].front().hypothesis.tokens) {
      const auto text = std::string(translator.tokenizers().target->piece(id));
      pieces += cat(pieces.empty() ? "" : " ", text == "[<s>]" ? "<s>" : text);
    }
    EXPECT_EQ(pieces, answers["greedy"][i].get<std::string>());
  }
}

TEST_F(Checkpoints, OfOpenNmtHaveItsScores) {
  const Translator translator(imported("opennmt"));
  const Json answers = answers_of("opennmt");
  Texts sources, targets;
  for (const Json& pair : answers["pairs"]) {
    sources.push_back(pair[0]);
    targets.push_back(pair[1]);
  }
  const std::vector<Translation> forced = translator.force(Inputs(sources), targets, {});
  for (std::size_t i = 0; i < forced.size(); ++i) {
    EXPECT_NEAR(forced[i].hypothesis.log_probability, answers["log_p"][i].get<double>(), 10 * kClose) << sources[i];
  }
}

TEST_F(Checkpoints, ExportedAsSafetensorsGiveTheSameBytes) {
  const auto bytes = [](const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  for (const char* name : {"bert", "gpt2", "fairseq"}) {
    const fs::path model = imported(name), there = folder_ / cat(name, "-there"), back = folder_ / cat(name, "-back");
    export_model(model, there, "safetensors");
    import_model(there, back, {});
    for (const fs::directory_entry& entry : fs::directory_iterator(model)) {
      if (entry.path().filename() == "README.md") continue;
      EXPECT_EQ(bytes(entry.path()), bytes(back / entry.path().filename())) << entry.path();
    }
    const Json names = Json::parse(bytes(there / "names.json"));
    EXPECT_EQ(names.size(), load_model(model).model->parameters().count());
    EXPECT_EQ(names["output.bias"]["shape"].size(), 1u);
  }
}

TEST_F(Checkpoints, WithoutAHeadEncodeAndDoNotFill) {
  const Config config = load_config(imported("bert"));
  LoadedModel loaded = load_model(folder_ / "bert");
  Config headless = config;
  headless.transformer.masked.head = MaskedHead::kNone;
  headless.transformer.masked.vector_length = VectorLength::kOne;
  loaded.model = make_model(headless, loaded.tokenizers, Rng(1));
  loaded.config = headless;
  const Filler filler(std::move(loaded));
  EXPECT_EQ(thrown<UsageError>([&] { filler.fill("a [MASK]", 1); }),
            "fill: the model has no prediction head, it only encodes sentences; dhyan embed uses it");
  const Texts lines{"The cat sat"};
  const std::vector<std::vector<Real>> vectors = filler.embed(lines);
  double squares = 0;
  for (const Real x : vectors.front()) squares += double{x} * double{x};
  EXPECT_NEAR(squares, 1, 1e-5);
}

TEST_F(Checkpoints, AreRefusedByTheNameOfAFeature) {
  const std::string bert = (folder_ / "changed" / "config.json").string();
  EXPECT_EQ(refusal(changed("bert", "config.json", "\"absolute\"", "\"relative_key\"")),
            bert + ": the positions are relative_key, which dhyan does not have");
  EXPECT_EQ(refusal(changed("bert", "config.json", "\"gelu\"", "\"mish\"")),
            "the activation is mish, which dhyan does not have");
  EXPECT_EQ(refusal(changed("bert", "vocab.txt", "[SEP]", "[END]")),
            (folder_ / "changed").string() + ": the vocabulary has no token [SEP]");
  EXPECT_EQ(refusal(changed("gpt2", "config.json", "\"scale_attn_by_inverse_layer_idx\": false",
                            "\"scale_attn_by_inverse_layer_idx\": true")),
            bert + ": the model has attention that is scaled by layer, which dhyan does not");
  EXPECT_EQ(refusal(changed("gpt2", "merges.txt", "#version: 0.2\n", "#version: 0.2\nabc\n")),
            (folder_ / "changed" / "merges.txt").string() + ":2: expected two symbols and a blank between them");
  const fs::path copy = changed("fairseq", "dict.en.txt", " 1\n", " x\n");
  EXPECT_EQ(refusal(copy), (copy / "dict.en.txt").string() + ":1: expected a token and its count");
  fs::remove(copy / "dict.en.txt");
  EXPECT_EQ(refusal(copy),
            "fairseq: 0 dictionaries (dict.LANGUAGE.txt) are of en, expected 1; name them by "
            "--source-vocabulary and --target-vocabulary");
  fs::copy_file(kCheckpoints / "fairseq" / "dict.en.txt", copy / "dict.en.txt");
  fs::remove(copy / "bpe.codes");
  EXPECT_EQ(refusal(copy), copy.string() +
                               ": the tokens are of subword-nmt (@@), and there are no codes (bpe.codes); "
                               "name them by --source-pieces");
}

}  // namespace
}  // namespace dhyan
