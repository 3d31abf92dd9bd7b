#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "importing/import_model.h"
#include "interop/marian_vocabulary.h"
#include "interop/testing/zip_writer.h"
#include "translator/model_folder.h"

namespace dhyan {
namespace {

TEST(MarianVocabulary, ReadsEveryFormOfAKey) {
  const std::string text =
      "</s>: 0\n\"<unk>\": 1\n'it''s': 3\n=: 2\n\"a\\\"b\\x41\\u00e9\": 4\n? \"long\"\n: 5\n::: 6\n<<: 7\n\n";
  EXPECT_EQ(parse_marian_vocabulary("v", text),
            (std::vector<std::string>{"</s>", "<unk>", "=", "it's", "a\"bAé", "long", "::", "<<"}));
  const auto refusal = [](std::string_view bad) {
    return thrown<ModelFileError>([&] { parse_marian_vocabulary("v.yml", bad); });
  };
  EXPECT_EQ(refusal("a: 0\nb"), "v.yml:2: expected 'token: id'");
  EXPECT_EQ(refusal("a: 0\nb: 0"), "v.yml:2: the id 0 occurs again");
  EXPECT_EQ(refusal("a: 99999999999"), "v.yml:1: the id is '99999999999', expected a whole number below 1000");
  EXPECT_EQ(refusal("\"\\q\": 0"), "v.yml:1: an escape is none of YAML");
  EXPECT_EQ(refusal(""), "v.yml: has no tokens");
}

ZippedFile filled(const std::string& name, int rows, int cols, float value) {
  const std::vector<float> values(static_cast<std::size_t>(rows * cols), value);
  return npy_file(name, "<f4", cat("(", rows, ", ", cols, ")"),
                  {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

// A Transformer of Marian with width 4 and one layer; every value of a tensor is the number of its kind. The decoder
// has self-attention, or these tensors instead.
std::vector<ZippedFile> small_marian(const std::string& more_settings = "", const std::string& suffix = "",
                                     const std::vector<ZippedFile>& decoder_layer = {}) {
  std::vector<ZippedFile> files = decoder_layer;
  const auto add = [&](const std::string& name, int rows, int cols, float value) {
    files.push_back(filled(name, rows, cols, value));
  };
  const auto attention = [&](const std::string& name) {
    for (const char* part : {"q", "k", "v", "o"}) {
      add(cat(name, "_W", part), 4, 4, 0.5F);
      add(cat(name, "_b", part), 1, 4, 0.25F);
    }
    add(name + "_Wo_ln_scale" + suffix, 1, 4, 1);
    add(name + "_Wo_ln_bias" + suffix, 1, 4, 2);
  };
  for (const std::string stack : {"encoder", "decoder"}) {
    if (stack == "encoder" || decoder_layer.empty()) attention(stack + "_l1_self");
    if (stack == "decoder") attention(stack + "_l1_context");
    add(stack + "_l1_ffn_W1", 4, 6, 3);
    add(stack + "_l1_ffn_b1", 1, 6, 4);
    add(stack + "_l1_ffn_W2", 6, 4, 5);
    add(stack + "_l1_ffn_b2", 1, 4, 6);
    add(stack + "_l1_ffn_ffn_ln_scale" + suffix, 1, 4, 1);
    add(stack + "_l1_ffn_ffn_ln_bias" + suffix, 1, 4, 0);
    if (!suffix.empty()) add(stack + "_top_ln_scale", 1, 4, 7);
    if (!suffix.empty()) add(stack + "_top_ln_bias", 1, 4, 8);
  }
  add("Wemb", 3, 4, 9);
  add("decoder_ff_logit_out_b", 1, 3, 10);
  const std::string settings =
      "type: transformer\nenc-depth: 1\ndec-depth: 1\ndim-emb: 4\ntransformer-heads: 2\n"
      "transformer-dim-ffn: 6\ntransformer-ffn-activation: relu\nversion: v1.12\n" +
      more_settings;
  files.push_back(npy_file("special:model.yml", "|i1", cat("(", settings.size() + 1, ",)"), settings + '\0'));
  return files;
}

class MarianModels : public FolderTest {
 protected:
  void write_model(const std::vector<ZippedFile>& files) {
    write("model.npz", zip_of(files));
    write("vocab.yml", "</s>: 0\n<unk>: 1\nword: 2\n");
  }
  static std::vector<Real> first_values(const LoadedModel& model, const std::string& prefix,
                                        const std::vector<std::string>& names) {
    std::vector<Real> values;
    for (const std::string& name : names) {
      values.push_back(model.model->parameters().find(prefix + name)->value.span()[0]);
    }
    return values;
  }
  void import() { import_model(folder_ / "model.npz", folder_ / "back", {.existing = Existing::kOverwrite}); }
};

TEST_F(MarianModels, AreReadWithTheirSettings) {
  write_model(small_marian());
  import();
  const LoadedModel model = load_model(folder_ / "back");
  const auto value = [&](const char* name, std::size_t i = 0) {
    return model.model->parameters().find(name)->value.span()[i];
  };
  EXPECT_EQ(value("encoder.0.self.query.weight"), Real(0.5));
  EXPECT_EQ(value("decoder.0.cross.norm.bias"), 2);
  EXPECT_EQ(value("decoder.0.feed.in.weight"), 3);
  EXPECT_EQ(value("words.table", 2 * 4), 0) << "the decoder starts with zeros";
  EXPECT_EQ(value("words.table", 3 * 4), 9);
  EXPECT_EQ(value("output.bias", 3), 10);
  const TransformerSettings& settings = model.config.transformer;
  EXPECT_EQ(settings.positions, "sinusoidal-closed");
  EXPECT_EQ(settings.norm, NormPlace::kAfter);
  EXPECT_EQ(settings.norm_epsilon, 1e-9);
  EXPECT_EQ(model.config.tokenizer.kind, "word");
  EXPECT_EQ(model.tokenizers.source->piece(4), "word");
}

TEST_F(MarianModels, MayNormaliseBeforeSublayers) {
  write_model(
      small_marian("transformer-preprocess: n\ntransformer-postprocess: da\ntransformer-postprocess-top: n\n", "_pre"));
  import();
  const LoadedModel model = load_model(folder_ / "back");
  EXPECT_EQ(model.config.transformer.norm, NormPlace::kBefore);
  EXPECT_EQ(model.model->parameters().find("decoder.norm.gain")->value.span()[0], 7);
}

TEST_F(MarianModels, MayHaveDecodersOfSsru) {
  const std::string l1 = "decoder_l1_rnn_";
  write_model(small_marian("transformer-decoder-autoreg: rnn\ndec-cell: ssru\n", "",
                           {filled(l1 + "W", 4, 4, 11), filled(l1 + "Wf", 4, 4, 12), filled(l1 + "bf", 1, 4, 13),
                            filled(l1 + "ffn_ln_scale", 1, 4, 14), filled(l1 + "ffn_ln_bias", 1, 4, 15)}));
  import();
  const LoadedModel model = load_model(folder_ / "back");
  EXPECT_EQ(model.config.transformer.decoder_layer, "ssru");
  EXPECT_EQ(first_values(model, "decoder.0.ssru.", {"value.weight", "forget.weight", "forget.bias", "norm.bias"}),
            (std::vector<Real>{11, 12, 13, 15}));
}

TEST_F(MarianModels, MayHaveDecodersOfAverageAttention) {
  const std::string l1 = "decoder_l1_aan_";
  write_model(small_marian(
      "transformer-decoder-autoreg: average-attention\ntransformer-dim-aan: 5\ntransformer-aan-activation: relu\n", "",
      {filled(l1 + "W1", 4, 5, 11), filled(l1 + "b1", 1, 5, 12), filled(l1 + "W2", 5, 4, 13),
       filled(l1 + "b2", 1, 4, 14), filled(l1 + "Wi", 4, 4, 15), filled(l1 + "bi", 1, 4, 16),
       filled(l1 + "Wf", 4, 4, 17), filled(l1 + "bf", 1, 4, 18), filled(l1 + "ffn_ln_scale", 1, 4, 19),
       filled(l1 + "ffn_ln_bias", 1, 4, 20)}));
  import();
  const LoadedModel model = load_model(folder_ / "back");
  EXPECT_EQ(model.config.transformer.average_hidden, 5);
  EXPECT_EQ(first_values(model, "decoder.0.aan.",
                         {"feed.in.weight", "feed.out.weight", "input.bias", "forget.weight", "norm.gain"}),
            (std::vector<Real>{11, 13, 16, 17, 19}));
}

TEST_F(MarianModels, AreRefusedByTheNameOfAFeature) {
  const auto refusal = [&](const std::string& settings) {
    write_model(small_marian(settings));
    return thrown<ModelFileError>([&] { import(); });
  };
  const std::string file = (folder_ / "model.npz").string();
  EXPECT_EQ(refusal("transformer-decoder-autoreg: rnn\n"),
            file + ": dec-cell is 'gru', which dhyan does not import; expected 'ssru'");
  EXPECT_EQ(refusal("transformer-decoder-autoreg: memory\n"),
            "marian: transformer-decoder-autoreg is 'memory', which dhyan does not import");
  EXPECT_EQ(refusal("transformer-decoder-autoreg: average-attention\n"),
            file + ": transformer-aan-activation is 'swish', which dhyan does not import; expected 'relu'");
  EXPECT_EQ(refusal("transformer-preprocess: n\n"),
            "marian: layers are normalised by 'n', 'dan' and ''; dhyan has '', 'dan', '' and 'n', 'da', 'n'");
  std::vector<ZippedFile> more = small_marian();
  more.push_back(npy_file("encoder_l1_extra", "<f4", "(1,)", std::string(4, '\0')));
  write_model(more);
  EXPECT_EQ(thrown<ModelFileError>([&] { import(); }),
            file + ": tensor 'encoder_l1_extra': dhyan does not know what it is for");
}

}  // namespace
}  // namespace dhyan
