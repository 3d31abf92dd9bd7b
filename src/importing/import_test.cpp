#include <algorithm>
#include <cmath>
#include <deque>
#include <stdexcept>

#include "config/model_kinds.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "importing/export_model.h"
#include "importing/import_model.h"
#include "interop/ctranslate2_file.h"
#include "interop/testing/zip_writer.h"
#include "nn/testing/module_jacobian.h"
#include "text/testing/small_corpus.h"
#include "translator/translator.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

struct Form {
  NormPlace norm = NormPlace::kAfter;
  Tying tying = Tying::kAll;
  std::string positions = "sinusoidal-halves";
  std::string tokenizer = "pieces";
  std::string window = "global";
};

TokenizerPair tokenizers_of(const Form& form) {
  const auto learn = [&](int lines) {
    return std::shared_ptr<const Tokenizer>(
        tokenizer_kind(form.tokenizer).train(lines_of(small_corpus(lines)), small_vocabulary(), {}).tokenizer);
  };
  const auto source = learn(600);
  return {source, form.tying == Tying::kAll ? source : learn(300)};
}

// The folder of a model with random weights, also of norms and biases.
void make_folder(const fs::path& folder, const Form& form = {}) {
  const TokenizerPair tokenizers = tokenizers_of(form);
  Config config;
  config.model = "transformer";
  config.tokenizer.kind = form.tokenizer;
  config.tokenizer.shared = tokenizers.shared();
  config.common.hidden = 16;
  config.common.encoder_layers = config.common.decoder_layers = 2;
  config.common.attention = {.score = "scaled_dot", .window = form.window, .heads = 2};
  config.common.tying = form.tying;
  config.transformer.feed_forward = 24;
  config.transformer.norm = form.norm;
  config.transformer.positions = form.positions;
  config.transformer.activation = "swish";
  config.transformer.longest = 150;
  const auto model = make_model(config, tokenizers, Rng(4));
  randomise(model->parameters(), 5);
  save_model(folder, config, tokenizers, *model);
}

void expect_same_files(const fs::path& a, const fs::path& b, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (!fs::exists(a / name)) continue;
    std::ifstream one(a / name, std::ios::binary), other(b / name, std::ios::binary);
    const std::string first{std::istreambuf_iterator<char>(one), {}}, second{std::istreambuf_iterator<char>(other), {}};
    EXPECT_TRUE(first == second) << name << " has " << first.size() << " and " << second.size() << " bytes";
  }
}

constexpr auto kModelFiles = {"model.safetensors", "config.json",  "source.vocab", "source.model",
                              "target.vocab",      "target.model", "shared.vocab", "shared.model"};

std::vector<std::string> translations(const fs::path& folder) {
  const Translator translator(folder);
  std::vector<std::string> texts;
  ThreadPool pool(1);
  const std::vector<std::string> lines = small_corpus(6);
  for (const auto& n_best : translator.translate(Inputs(lines), {.beam_size = 2, .max_length = 12}, {.pool = &pool})) {
    texts.push_back(n_best.front().text);
  }
  return texts;
}

class Importing : public FolderTest {
 protected:
  void export_and_import(const std::string& to) {
    fs::remove_all(folder_ / "there");
    export_model(folder_ / "model", folder_ / "there", to);
    import_model(folder_ / "there", folder_ / "back", {.existing = Existing::kOverwrite});
  }

  std::string refusal(const fs::path& source, const ImportOptions& options = {}) {
    std::string text = thrown<ModelFileError>([&] { import_model(source, folder_ / "refused", options); });
    EXPECT_FALSE(fs::exists(folder_ / "refused"));
    return text;
  }
};

TEST_F(Importing, OfAnExportedModelGivesTheSameBytes) {
  for (const NormPlace norm : {NormPlace::kAfter, NormPlace::kBefore}) {
    for (const Tying tying : {Tying::kNone, Tying::kDecoder, Tying::kAll}) {
      for (const char* positions : {"sinusoidal", "sinusoidal-halves", "sinusoidal-closed", "learned"}) {
        const bool unigram = norm == NormPlace::kBefore && tying == Tying::kDecoder;
        SCOPED_TRACE(cat(static_cast<int>(norm), " ", static_cast<int>(tying), " ", positions));
        fs::remove_all(folder_ / "model");
        make_folder(folder_ / "model", {norm, tying, positions, unigram ? "unigram" : "pieces"});
        export_and_import("ctranslate2");
        expect_same_files(folder_ / "model", folder_ / "back", kModelFiles);
        if (norm == NormPlace::kBefore || std::string_view(positions) != "sinusoidal-halves") continue;
        export_and_import("huggingface");
        expect_same_files(folder_ / "model", folder_ / "back", kModelFiles);
      }
    }
  }
}

TEST_F(Importing, NeedsNoSettingsOfOurs) {
  for (const NormPlace norm : {NormPlace::kAfter, NormPlace::kBefore}) {
    for (const char* positions : {"sinusoidal", "sinusoidal-closed", "learned"}) {
      fs::remove_all(folder_);
      const std::string window = norm == NormPlace::kBefore ? "no-end" : "global";
      make_folder(folder_ / "model", {norm, Tying::kDecoder, positions, "pieces", window});
      export_model(folder_ / "model", folder_ / "there", "ctranslate2");
      fs::remove_all(folder_ / "there/dhyan");
      import_model(folder_ / "there", folder_ / "back", {});
      expect_same_files(folder_ / "model", folder_ / "back", {"model.safetensors", "source.vocab", "target.vocab"});
      EXPECT_EQ(load_config(folder_ / "back").transformer.positions, positions);
      EXPECT_EQ(load_config(folder_ / "back").common.attention.window, window);
      EXPECT_EQ(translations(folder_ / "model"), translations(folder_ / "back"));
    }
  }
}

TEST_F(Importing, RefusesToExportWhatAFormatDoesNotHave) {
  make_folder(folder_ / "model", {NormPlace::kBefore});
  EXPECT_EQ(thrown<ModelFileError>([&] { export_model(folder_ / "model", folder_ / "there", "huggingface"); }),
            "export: norm is before, which Hugging Face's MarianMT does not have");
  EXPECT_FALSE(fs::exists(folder_ / "there")) << "nothing is left";
  fs::create_directory(folder_ / "there");
  EXPECT_THROW(export_model(folder_ / "model", folder_ / "there", "huggingface"), ModelFileError);
  EXPECT_TRUE(fs::is_empty(folder_ / "there"));
  int calls = 0;
  const auto stop_later = [&] {
    if (++calls == 2) throw std::runtime_error("stopped");
  };
  EXPECT_THROW(export_model(folder_ / "model", folder_ / "there", "ctranslate2", stop_later), std::runtime_error);
  EXPECT_TRUE(fs::is_empty(folder_ / "there")) << "also of what was written";
  EXPECT_EQ(thrown<ConfigError>([&] { export_model(folder_ / "model", folder_ / "there", "onnx"); }),
            "to: 'onnx' is none of ctranslate2, huggingface, safetensors");
}

// Replaces variables of an exported model.
class ChangedCtranslate2 {
 public:
  explicit ChangedCtranslate2(const fs::path& folder)
      : path_(folder / "model.bin"), mapped_(path_), file_(parse_ctranslate2("m", mapped_.bytes())) {}

  // Quantizes all matrices as CTranslate2 does.
  void quantize() {
    std::vector<TensorEntry> all;
    for (const TensorEntry& entry : file_.variables) {
      const bool positions = entry.name.ends_with("encodings");
      if (entry.shape.rank() != 2 || positions) {
        all.push_back(entry);
        continue;
      }
      const Index rows = entry.shape[0], cols = entry.shape[1];
      std::vector<Real> values(static_cast<std::size_t>(rows * cols));
      entry.dtype->to_real(entry.bytes.data(), values.data(), rows * cols);
      std::vector<float>& scales = floats_.emplace_back();
      std::vector<std::int8_t>& int8 = int8_.emplace_back();
      for (Index i = 0; i < rows; ++i) {
        Real largest = 0;
        for (Index j = 0; j < cols; ++j)
          largest = std::max(largest, std::abs(values[static_cast<std::size_t>(i * cols + j)]));
        scales.push_back(static_cast<float>(127 / largest));
        for (Index j = 0; j < cols; ++j) {
          int8.push_back(
              static_cast<std::int8_t>(std::lround(values[static_cast<std::size_t>(i * cols + j)] * scales.back())));
        }
      }
      all.push_back({entry.name, find_file_dtype("I8"), entry.shape, std::as_bytes(std::span(int8))});
      all.push_back({entry.name + "_scale", find_file_dtype("F32"), {rows}, std::as_bytes(std::span(scales))});
    }
    file_.variables = std::move(all);
    save();
  }

  void add(const std::string& name, const Shape& shape, float value) {
    const auto& kept = floats_.emplace_back(static_cast<std::size_t>(shape.size()), value);
    file_.variables.push_back({name, find_file_dtype("F32"), shape, std::as_bytes(std::span(kept))});
    save();
  }

 private:
  void save() { save_ctranslate2(path_, file_); }

  fs::path path_;
  MappedFile mapped_;
  Ctranslate2File file_;
  std::deque<std::vector<float>> floats_;
  std::deque<std::vector<std::int8_t>> int8_;
};

TEST_F(Importing, KeepsInt8Values) {
  make_folder(folder_ / "model", {NormPlace::kAfter, Tying::kNone});
  export_model(folder_ / "model", folder_ / "there", "ctranslate2");
  EXPECT_EQ(refusal(folder_ / "there", {.weights = ImportedWeights::kInt8}),
            (folder_ / "there").string() + ": its weights are not int8");
  ChangedCtranslate2(folder_ / "there").quantize();
  import_model(folder_ / "there", folder_ / "float", {});
  import_model(folder_ / "there", folder_ / "int8", {.weights = ImportedWeights::kInt8});
  EXPECT_LT(fs::file_size(folder_ / "int8/model.safetensors"), fs::file_size(folder_ / "float/model.safetensors") / 2);
  const LoadedModel original = load_model(folder_ / "model"), dequantized = load_model(folder_ / "float");
  for (const Parameter& parameter : original.model->parameters()) {
    const Tensor& other = dequantized.model->parameters().find(parameter.name)->value;
    for (Index i = 0; i < other.size(); ++i)
      ASSERT_NEAR(other.data()[i], parameter.value.data()[i], 0.02) << parameter.name;
  }
  EXPECT_EQ(translations(folder_ / "int8").size(), 6u);
}

TEST_F(Importing, NamesWhatItCannotImportAndWritesNothing) {
  make_folder(folder_ / "model");
  export_model(folder_ / "model", folder_ / "there", "ctranslate2");
  const std::string file = (folder_ / "there/model.bin").string();
  ChangedCtranslate2 changed(folder_ / "there");
  changed.add("decoder/alignment_layer_unused", {}, 1);  // says nothing
  import_model(folder_ / "there", folder_ / "good", {});
  changed.add("encoder/layer_0/self_attention/relative_position_keys", {3, 8}, 1);
  EXPECT_EQ(refusal(folder_ / "there"), file +
                                            ": the model has relative positions, which dhyan does not "
                                            "('encoder/layer_0/self_attention/relative_position_keys')");
  EXPECT_EQ(thrown<ConfigError>([&] { import_model(folder_ / "there", folder_ / "refused", {.from = "onnx"}); }),
            "from: 'onnx' is none of argos, ctranslate2, huggingface, huggingface-bert, huggingface-gpt2, fairseq, "
            "opennmt-py, safetensors, marian");
  fs::create_directory(folder_ / "empty");
  EXPECT_NE(refusal(folder_ / "empty").find("is no model of a format that can be imported"), std::string::npos);
  EXPECT_EQ(refusal(folder_ / "none"), (folder_ / "none").string() + ": there is no such file or folder");
}

TEST_F(Importing, ReadsArgosPackages) {
  make_folder(folder_ / "model");
  export_model(folder_ / "model", folder_ / "there", "ctranslate2");
  std::vector<ZippedFile> files{
      {"hi_en/metadata.json", R"({"from_code": "hi", "to_code": "en", "package_version": "1.0"})"},
      {"hi_en/README.md", "About it"},
      {"hi_en/LICENSE.txt", "Use it freely"},
      {"hi_en/sentencepiece.model", read("there/source.spm"), true}};
  for (const char* name : {"model.bin", "config.json", "shared_vocabulary.json"}) {
    files.push_back({cat("hi_en/model/", name), read(cat("there/", name)), true});
  }
  write("x.argosmodel", zip_of(files));
  const ImportReport report = import_model(folder_ / "x.argosmodel", folder_ / "back", {});
  EXPECT_EQ(report.config.data.source_language, "hi");
  EXPECT_EQ(report.config.data.target_language, "en");
  expect_same_files(folder_ / "model", folder_ / "back", {"model.safetensors"});
  EXPECT_EQ(translations(folder_ / "model"), translations(folder_ / "back"));
  EXPECT_NE(read("back/README.md").find("About it"), std::string::npos);
  EXPECT_NE(read("back/README.md").find("## Licence\n\nUse it freely"), std::string::npos);

  const auto unpack = [&](const std::string& to) {
    for (const ZippedFile& file : files) {
      const std::string path = to + file.name.substr(file.name.find('/'));
      fs::create_directories((folder_ / path).parent_path());
      write(path, file.content);
    }
  };
  unpack("packages/hi_en");
  for (const char* source : {"packages/hi_en", "packages"}) {
    import_model(folder_ / source, folder_ / "unpacked", {.existing = Existing::kOverwrite});
    expect_same_files(folder_ / "back", folder_ / "unpacked", kModelFiles);
  }
  unpack("packages/en_hi");
  EXPECT_EQ(refusal(folder_ / "packages"),
            (folder_ / "packages").string() + ": has 2 packages, 'en_hi' and 'hi_en'; name the folder of one");

  files.push_back({"../evil", "x"});
  write("y.argosmodel", zip_of(files));
  EXPECT_NE(refusal(folder_ / "y.argosmodel").find("leads out of the archive"), std::string::npos);
}

TEST(VocabularyOrders, PutSpecialTokensFirstWhereverTheyAre) {
  const VocabularyOrder order = our_order({"</s>", "<unk>", "a", "<s>", "a", ""}, 7, {.unknown = 1, .end = 0});
  EXPECT_EQ(order.tokens,
            (std::vector<std::string>{"<pad>", "<unk>", "<s>", "</s>", "a", "[<s>]", "a[2]", "[empty]", "[row 6]"}));
  EXPECT_EQ(order.places, (std::vector<Index>{-1, 1, -1, 0, 2, 3, 4, 5, 6}));
  const ForeignMatrix bias = order.output_bias({1, 7, {10, 11, 12, 13, 14, 15, 16}});
  EXPECT_EQ(bias.values, (std::vector<float>{kNeverWritten, 11, kNeverWritten, 10, 12, 13, 14, 15, 16}));
  const ForeignMatrix table = order.table({7, 1, {10, 11, 12, 13, 14, 15, 16}});
  EXPECT_EQ(table.values, (std::vector<float>{0, 11, 0, 10, 12, 13, 14, 15, 16}));
}

TEST(VocabularyOrders, RefuseATableThatLacksTheirRows) {
  const VocabularyOrder order = our_order({"</s>", "a", "b"}, 3, {.end = 0});
  EXPECT_EQ(thrown<ModelFileError>([&] {
              order.table({2, 1, {10, 11}});
            }),
            "import: a table has 2 rows, expected more than 2");
}

TEST(VocabularyOrders, RefuseTablesOfAnotherSize) {
  for (const Index rows : {Index{1}, Index{1} << 40}) {
    EXPECT_EQ(thrown<ModelFileError>([&] {
                our_order({"</s>", "a"}, rows, {.end = 0});
              }),
              cat("import: ", rows, " embeddings for a vocabulary of 2 tokens, expected as many, or a few more"));
  }
}

TEST(VocabularyOrders, GiveTheStartARowOfItsOwn) {
  const SpecialPlaces start_is_end{.unknown = 1, .end = 0, .start = 0};
  EXPECT_EQ(our_order({"</s>", "<unk>"}, 2, start_is_end).places, (std::vector<Index>{-1, 1, 0, 0}));
  EXPECT_EQ(our_order({"</s>", "<unk>"}, 2, start_is_end).never_written, (std::vector<bool>{true, false, true, false}));
  const SpecialPlaces start_is_pad{.pad = 2, .unknown = 1, .end = 0, .start = 2};
  EXPECT_EQ(our_order({"</s>", "<unk>", "<pad>"}, 3, start_is_pad).places, (std::vector<Index>{2, 1, 2, 0}));
  EXPECT_EQ(our_order({"</s>", "<unk>", "<pad>"}, 3, start_is_pad).never_written,
            (std::vector<bool>{false, false, true, false}));
}

}  // namespace
}  // namespace dhyan
