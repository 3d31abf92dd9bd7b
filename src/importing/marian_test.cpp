#include <gtest/gtest.h>
#include <numeric>

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

// Its values are 0, 1, 2, ...
ZippedFile numbered(const std::string& name, int rows, int cols) {
  std::vector<float> values(static_cast<std::size_t>(rows * cols));
  std::iota(values.begin(), values.end(), 0.F);
  return npy_file(name, "<f4", cat("(", rows, ", ", cols, ")"),
                  {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

// A recurrent model of Marian of width 2, with embeddings of 3. Layers of a cell that reads `in` numbers by `add_cell`.
template <class AddCell>
std::vector<ZippedFile> small_recurrent(const std::string& more_settings, bool norm, const AddCell& add_cell) {
  std::vector<ZippedFile> files;
  const auto add = [&](const std::string& name, int rows, int cols, float value) {
    files.push_back(filled(name, rows, cols, value));
  };
  const auto dense = [&](const std::string& name, const std::string& number, int in, int out, float value) {
    add(name + "_W" + number, in, out, value);
    add(name + "_b" + number, 1, out, value + 1);
    if (norm) add(name + "_gamma" + number, 1, out, value + 2);
  };
  add_cell(files, "encoder_bi", 3);
  add_cell(files, "encoder_bi_r", 3);
  add_cell(files, "decoder_cell1", 3);
  add_cell(files, "decoder_cell2", 4);
  add("decoder_W_comb_att", 2, 4, 21);
  add("decoder_Wc_att", 4, 4, 22);
  add("decoder_b_att", 1, 4, 23);
  add("decoder_U_att", 4, 1, 24);
  if (norm) add("decoder_att_gamma1", 1, 4, 25);
  if (norm) add("decoder_att_gamma2", 1, 4, 26);
  dense("decoder_ff_state", "", 4, 2, 30);
  dense("decoder_ff_logit_l1", "0", 3, 3, 40);
  dense("decoder_ff_logit_l1", "1", 2, 3, 50);
  dense("decoder_ff_logit_l1", "2", 4, 3, 60);
  add("encoder_Wemb", 3, 3, 70);
  add("decoder_Wemb", 3, 3, 71);
  add("decoder_ff_logit_l2_b", 1, 3, 72);
  const std::string settings = "type: s2s\ndim-emb: 3\ndim-rnn: 2\ntied-embeddings: true\n" + more_settings;
  files.push_back(npy_file("special:model.yml", "|i1", cat("(", settings.size() + 1, ",)"), settings + '\0'));
  return files;
}

void add_gru(std::vector<ZippedFile>& files, const std::string& name, int in) {
  if (in > 0) files.push_back(numbered(name + "_W", in, 4));
  if (in > 0) files.push_back(filled(name + "_Wx", in, 2, 100));
  files.push_back(filled(name + "_U", 2, 4, 101));
  files.push_back(filled(name + "_Ux", 2, 2, 102));
  files.push_back(filled(name + "_b", 1, 4, 103));
  files.push_back(filled(name + "_bx", 1, 2, 104));
}

void add_lstm(std::vector<ZippedFile>& files, const std::string& name, int in) {
  if (in > 0) files.push_back(numbered(name + "_W", in, 8));
  files.push_back(filled(name + "_U", 2, 8, 101));
  files.push_back(numbered(name + "_b", 1, 8));
  if (in > 0) files.push_back(numbered(name + "_gamma1", 1, 8));
  files.push_back(filled(name + "_gamma2", 1, 8, 102));
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
  EXPECT_EQ(model.config.transformer.decoder_keys, DecoderKeys::kPlain) << "as marian-decoder searches";
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

TEST_F(MarianModels, MayBeRecurrentWithGru) {
  write_model(small_recurrent("enc-cell-depth: 2\n", false, [](auto& files, const std::string& name, int in) {
    add_gru(files, name, in);
    if (name.starts_with("encoder")) add_gru(files, name + "_cell2", 0);
  }));
  import();
  const LoadedModel model = load_model(folder_ / "back");
  const auto values = [&](const char* name) {
    const std::span<const Real> all = model.model->parameters().find(name)->value.span();
    return std::vector<Real>(all.begin(), all.end());
  };
  EXPECT_EQ(values("encoder.0.backward.W"),
            (std::vector<Real>{0, 1, 2, 3, 100, 100, 4, 5, 6, 7, 100, 100, 8, 9, 10, 11, 100, 100}));
  EXPECT_EQ(values("decoder.0.b"), (std::vector<Real>{103, 103, 103, 103, 104, 104}));
  EXPECT_EQ(values("decoder.0.c"), std::vector<Real>(6));
  EXPECT_EQ(values("decoder.0.second.b"), (std::vector<Real>{103, 103, 103, 103, 0, 0}));
  EXPECT_EQ(values("decoder.0.second.c"), (std::vector<Real>{0, 0, 0, 0, 104, 104}));
  EXPECT_EQ(values("encoder.0.forward.transition.0.U")[4], 102);
  EXPECT_EQ(values("attention.score.v"), std::vector<Real>(4, 24));
  EXPECT_EQ(values("bridge.weight")[0], 30);
  EXPECT_EQ(values("readout.bias"), std::vector<Real>(3, 41 + 51 + 61));
  const std::vector<Real> readout = values("readout.weight");  // [s; y; c]
  EXPECT_EQ(readout[0], 50);
  EXPECT_EQ(readout[2 * 3], 40);
  EXPECT_EQ(readout[5 * 3], 60);
  EXPECT_EQ(model.config.recurrent.timing, Timing::kBetween);
  EXPECT_EQ(model.config.recurrent.encoder_transitions, 1);
  EXPECT_EQ(model.config.common.tying, Tying::kDecoder);
  EXPECT_EQ(first_values(model, "target.", {"table"}), std::vector<Real>{0}) << "<pad>";
}

TEST_F(MarianModels, MayBeRecurrentWithLstmAndLayerNorms) {
  const std::string settings =
      "enc-cell: lstm\ndec-cell: lstm\nlayer-normalization: true\nskip: true\ndec-depth: 2\ndec-cell-base-depth: 3\n";
  write_model(small_recurrent(settings, true, [](auto& files, const std::string& name, int in) {
    add_lstm(files, name, in);
    if (name == "decoder_cell2") add_lstm(files, "decoder_cell3", 0);
    if (name == "decoder_cell2") add_lstm(files, "decoder_l2_cell1", 2);
  }));
  import();
  const LoadedModel model = load_model(folder_ / "back");
  const auto first_row = [&](const char* name) {
    const std::span<const Real> row = model.model->parameters().find(name)->value.row(0);
    return std::vector<Real>(row.begin(), row.end());
  };
  const std::vector<Real> gates{2, 3, 0, 1, 4, 5, 6, 7};  // i, f, g, o of Marian's f, i, c, o
  EXPECT_EQ(first_row("encoder.0.forward.W"), gates);
  EXPECT_EQ(first_row("decoder.1.b"), gates);
  EXPECT_EQ(first_row("decoder.0.second.W.gain"), gates);
  EXPECT_EQ(first_row("decoder.0.second.transition.0.b"), gates);
  EXPECT_EQ(first_values(model, "",
                         {"attention.score.U.gain", "attention.score.W.gain", "bridge.norm.gain", "readout.y.norm.bias",
                          "readout.s.weight", "readout.c.norm.gain"}),
            (std::vector<Real>{25, 26, 32, 41, 50, 62}));
  EXPECT_TRUE(model.config.recurrent.inner_norm);
  EXPECT_TRUE(model.config.recurrent.residual);
}

TEST_F(MarianModels, ThatAreRecurrentAreRefusedByTheNameOfAFeature) {
  const auto refusal = [&](const std::string& settings) {
    write_model(small_recurrent(settings, false, add_gru));
    return thrown<ModelFileError>([&] { import(); });
  };
  const std::string file = (folder_ / "model.npz").string();
  EXPECT_EQ(refusal("dec-cell: mlstm\nenc-cell: mlstm\n"),
            file + ": dec-cell is 'mlstm', which dhyan does not import; expected 'gru, lstm or tanh'");
  EXPECT_EQ(refusal("dec-cell: lstm\n"), file + ": enc-cell is 'gru', which dhyan does not import; expected 'lstm'");
  EXPECT_EQ(refusal("enc-depth: 2\nenc-type: alternating\n"),
            file + ": enc-type is 'alternating', which dhyan does not import; expected 'bidirectional'");
  EXPECT_EQ(refusal("dec-cell-base-depth: 1\n"),
            file + ": dec-cell-base-depth is '1', which dhyan does not import; expected '2 or more'");
  EXPECT_EQ(refusal("dec-cell-base-depth: 3\n"), file + ": tensor 'decoder_cell3_U': is missing");
  EXPECT_EQ(refusal("enc-cell-depth: 0\n"),
            file + ": enc-cell-depth is '0', which dhyan does not import; expected '1 or more'");
  write_model(small_recurrent("", false, [](auto& files, const std::string& name, int in) {
    add_gru(files, name, in);
    if (name == "decoder_cell2")
      std::erase_if(files, [](const ZippedFile& one) { return one.name == "decoder_cell2_Wx.npy"; });
    if (name == "decoder_cell2") files.push_back(filled("decoder_cell2_Wx", 4, 1, 0));
  }));
  EXPECT_EQ(thrown<ModelFileError>([&] { import(); }),
            file + ": tensor 'decoder_cell2_W': has 5 columns of all gates, expected 6");
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
