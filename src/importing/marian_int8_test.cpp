#include <gtest/gtest.h>

#include "core/error.h"
#include "core/file.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "importing/import_model.h"
#include "interop/marian_shortlist.h"
#include "interop/parameter_file.h"
#include "interop/testing/zip_writer.h"
#include "ops/prepack.h"
#include "runs/quantize.h"
#include "translator/model_folder.h"
#include "translator/translator.h"

namespace dhyan {
namespace {

constexpr std::uint64_t kFloat32 = 0x404, kBytes = 0x101, kIntgemm8 = 0x4101;

struct BinTensor {
  std::string name;
  std::uint64_t type = kFloat32;
  int rows = 1, cols = 1;
  std::string data;
};

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string bin_of(const std::vector<BinTensor>& tensors) {
  std::string bytes, data;
  append_little_endian(bytes, 1, 8);
  append_little_endian(bytes, tensors.size(), 8);
  for (const BinTensor& one : tensors) {
    for (const std::uint64_t number : {one.name.size() + 1, one.type, std::uint64_t{2}, one.data.size()}) {
      append_little_endian(bytes, number, 8);
    }
    data += one.data;
  }
  for (const BinTensor& one : tensors) bytes += one.name + '\0';
  for (const BinTensor& one : tensors) {
    append_little_endian(bytes, static_cast<std::uint64_t>(one.rows), 4);
    append_little_endian(bytes, static_cast<std::uint64_t>(one.cols), 4);
  }
  append_little_endian(bytes, 0, 8);
  return bytes + data;
}

// A Transformer with a decoder of SSRU, width 4 and one layer, as Firefox has them: matrices of intgemm8, which count
// from 1 in the order they are stored, times 1/2, and multipliers of activations.
class SmallFirefox {
 public:
  SmallFirefox() {
    attention("encoder_l1_self"), feed_forward("encoder_l1_ffn");
    quantized("decoder_l1_rnn_W", 4, 4), quantized("decoder_l1_rnn_Wf", 4, 4), floats("decoder_l1_rnn_bf", 4);
    floats("decoder_l1_rnn_ffn_ln_scale", 4), floats("decoder_l1_rnn_ffn_ln_bias", 4);
    attention("decoder_l1_context"), feed_forward("decoder_l1_ffn");
    matrix("Wemb", 5, 4);
    tensors.push_back({"Wemb_QuantMultA", kIntgemm8, 1, 1, std::string(1, 127) + bytes_of<float>({10})});
    floats("none_QuantMultA", 1, 12.5F), floats("decoder_ff_logit_out_b", 5);
    std::string settings =
        "type: transformer\nenc-depth: 1\ndec-depth: 1\ndim-emb: 4\ntransformer-heads: 2\ntransformer-dim-ffn: 6\n"
        "transformer-ffn-activation: relu\ntransformer-decoder-autoreg: rnn\ndec-cell: ssru\nversion: v1.9\n";
    settings += '\0';
    tensors.push_back({"special:model.yml", kBytes, 1, static_cast<int>(settings.size()), settings});
  }

  std::vector<BinTensor> tensors;

 private:
  void floats(const std::string& name, int count, float value = 0.25F) {
    tensors.push_back({name, kFloat32, 1, count, bytes_of(std::vector<float>(static_cast<std::size_t>(count), value))});
  }
  void matrix(const std::string& name, int rows, int cols) {
    std::string data;
    for (int i = 0; i < rows * cols; ++i) data += static_cast<char>(i + 1);
    tensors.push_back({name, kIntgemm8, rows, cols, data + bytes_of<float>({2})});
  }
  void quantized(const std::string& name, int rows, int cols) {
    matrix(name, rows, cols);
    floats(name + "_QuantMultA", 1, 20);
  }
  void attention(const std::string& name) {
    for (const char* part : {"q", "k", "v", "o"}) {
      quantized(cat(name, "_W", part), 4, 4);
      floats(cat(name, "_b", part), 4);
    }
    floats(name + "_Wo_ln_scale", 4), floats(name + "_Wo_ln_bias", 4);
  }
  void feed_forward(const std::string& name) {
    quantized(name + "_W1", 4, 6), floats(name + "_b1", 6);
    quantized(name + "_W2", 6, 4), floats(name + "_b2", 4);
    floats(name + "_ffn_ln_scale", 4), floats(name + "_ffn_ln_bias", 4);
  }
};

class FirefoxModels : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    write("model.bin", bin_of(SmallFirefox().tensors));
    write("vocab.yml", "</s>: 0\n<unk>: 1\none: 2\ntwo: 3\nthree: 4\n");
  }

  // In their ids: "one" becomes "three", "two" nothing, "three" becomes "one" and "two".
  void write_shortlist() {
    write("lex.bin", to_bytes({.first = 2, .best = 2, .begins = {0, 0, 0, 1, 1, 3}, .words = {4, 2, 3}}));
  }

  LoadedModel imported(ImportedWeights weights = ImportedWeights::kFloat) {
    import_model(folder_ / "model.bin", folder_ / "ours", {.weights = weights, .existing = Existing::kOverwrite});
    return load_model(folder_ / "ours");
  }
  std::string refusal() {
    return thrown<ModelFileError>([&] { imported(); });
  }
};

const Parameter& weight_of(const LoadedModel& model, const std::string& name) {
  return *model.model->parameters().find(name);
}

TEST_F(FirefoxModels, AreReadAsFloats) {
  const LoadedModel model = imported();
  const std::span<const Real> w = weight_of(model, "encoder.0.feed.in.weight").value.span();  // [4,6], stored [6,4]
  EXPECT_EQ(w[0], Real(0.5));
  EXPECT_EQ(w[1], Real(2.5)) << "the second output of the first input is the fifth value";
  EXPECT_EQ(w[6], Real(1));
  const std::span<const Real> words = weight_of(model, "words.table").value.span();  // [7,4]
  EXPECT_EQ(words[4], Real(2.5)) << "<unk>, their row 1, which is stored as it is";
  EXPECT_EQ(words[3 * 4 + 1], Real(1)) << "</s>, their row 0";
  EXPECT_EQ(model.config.transformer.decoder_layer, "ssru");
  EXPECT_EQ(model.shortlist, nullptr);
}

TEST_F(FirefoxModels, KeepTheirInt8ValuesAndMultipliers) {
  const LoadedModel model = imported(ImportedWeights::kInt8);
  const auto multiplier = [&](const std::string& name) {
    const auto& form = weight_of(model, name).prepacked;
    return form->int8 == nullptr ? -1 : form->int8->activation();
  };
  EXPECT_EQ(multiplier("encoder.0.self.query.weight"), 20);
  EXPECT_EQ(multiplier("decoder.0.ssru.forget.weight"), 20);
  EXPECT_EQ(multiplier("words.table"), 12.5F) << "that of the output layer";
  EXPECT_EQ(multiplier("output.bias"), -1);
  std::vector<Real> row(4);
  const std::vector<RowId> unknown{kUnknown};
  weight_of(model, "words.table").prepacked->int8->columns(unknown, {row.data(), 1, 4, 4});
  EXPECT_EQ(row, (std::vector<Real>{2.5, 3, 3.5, 4}));
  LoadedModel floats = imported();
  import_model(folder_ / "model.bin", folder_ / "int8", {.weights = ImportedWeights::kInt8});
  const Matched matched = load_matching_parameters(folder_ / "int8" / kWeightsFile, floats.model->parameters());
  EXPECT_GT(matched.dequantized, 10U) << "to train";
  EXPECT_TRUE(matched.other_tensors.empty());
}

TEST_F(FirefoxModels, TranslateWithTheirShortlist) {
  write_shortlist();
  for (const ImportedWeights weights : {ImportedWeights::kFloat, ImportedWeights::kInt8}) {
    LoadedModel model = imported(weights);
    ASSERT_NE(model.shortlist, nullptr);
    EXPECT_TRUE(model.config.tokenizer.shortlist);
    const auto words = [&](TokenId word) { return model.shortlist->words_for(std::vector<TokenId>{word, kEnd}); };
    const auto id = [&](const char* word) { return model.tokenizers.source->encode(word).ids.front(); };
    EXPECT_EQ(words(id("two")), (std::vector<TokenId>{kUnknown, kEnd, id("two")})) << "the source's own words too";
    EXPECT_EQ(words(id("one")), (std::vector<TokenId>{kUnknown, kEnd, id("one"), id("three")}));
    const Translator translator(std::move(model));
    const std::vector<std::string> lines{"one two", "two", "three"};
    TranslationOptions options{.search = {.beam_size = 2, .max_length = 5}};
    for (const auto& best : translator.translate_with(lines, options)) {
      const std::vector<TokenId> allowed = translator.model_shortlist()->words_for(best.front().source_tokens);
      for (const TokenId token : best.front().hypothesis.tokens) {
        EXPECT_TRUE(std::ranges::binary_search(allowed, token)) << best.front().source << ": " << token;
      }
    }
  }
}

TEST_F(FirefoxModels, KeepTheirShortlistWhenTheyAreQuantized) {
  write_shortlist();
  imported();
  quantize_model(folder_ / "ours", folder_ / "int8", Existing::kRefuse, {});
  EXPECT_NE(load_model(folder_ / "int8").shortlist, nullptr);
}

// As models with two vocabularies have it.
TEST_F(FirefoxModels, QuantizeTheInputsOfTheOutputLayerByRowsIfItsMultiplierIsEmpty) {
  SmallFirefox without;
  std::erase_if(without.tensors, [](const BinTensor& tensor) { return tensor.name == "none_QuantMultA"; });
  for (BinTensor& tensor : without.tensors) {
    if (tensor.name == "Wemb_QuantMultA") tensor = {tensor.name, kFloat32, 0, 1, ""};
  }
  write("model.bin", bin_of(without.tensors));
  const LoadedModel model = imported(ImportedWeights::kInt8);
  EXPECT_EQ(weight_of(model, "words.table").prepacked->int8->activation(), 0);
  EXPECT_EQ(weight_of(model, "encoder.0.self.query.weight").prepacked->int8->activation(), 20);
}

TEST_F(FirefoxModels, AreRefusedIfAPartDoesNotFit) {
  write("lex.bin", to_bytes({.first = 2, .best = 2, .begins = {0, 1}, .words = {99}}));
  EXPECT_EQ(refusal(), (folder_ / "lex.bin").string() +
                           ": lists words up to 99 for 1 source words; the vocabularies have 7 and 7");
  write_shortlist();
  SmallFirefox broken;
  for (BinTensor& tensor : broken.tensors) {
    if (tensor.name == "none_QuantMultA") tensor.data = bytes_of<float>({-1});
  }
  write("model.bin", bin_of(broken.tensors));
  EXPECT_EQ(refusal(),
            (folder_ / "model.bin").string() + ": tensor 'none_QuantMultA': is -1, expected a number above 0");
}

TEST_F(FirefoxModels, NeedTheShortlistThatTheirConfigStates) {
  write_shortlist();
  imported();
  std::filesystem::remove(folder_ / "ours" / kShortlistFile);
  EXPECT_THROW(load_model(folder_ / "ours"), Error);
  write("ours/shortlist.bin", "damaged");
  EXPECT_EQ(thrown<ModelFileError>([&] { load_model(folder_ / "ours"); }),
            (folder_ / "ours/shortlist.bin").string() + ": is no binary shortlist of Marian");
}

}  // namespace
}  // namespace dhyan
