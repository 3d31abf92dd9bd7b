// Changes the files of model folders at random, a few thousand times. Every changed folder either loads and works, or
// is refused with a typed error. Nothing else is thrown, no access is out of bounds (the address sanitizer runs this
// test), and no length in a file makes the loader allocate much memory.

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "config/model_kinds.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "runs/quantize.h"
#include "runs/testing/tiny_run.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/testing/small_subwords.h"
#include "text/testing/trained_on.h"
#include "text/word_tokenizer.h"
#include "training/training_state.h"
#include "translator/scene_pictures.h"
#include "translator/testing/tiny_caption_model.h"
#include "translator/translator.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

constexpr int kMutations = 700;              // of a folder
constexpr int kResumedMutations = 100;       // of a training that is resumed, which takes longer
constexpr std::size_t kMostMegabytes = 600;  // the address sanitizer keeps up to 256 MB of freed memory

// Replaces numbers in a text by values that a reader may not expect.
constexpr std::array<std::string_view, 14> kOddNumbers{"0",
                                                       "-1",
                                                       "1",
                                                       "16",
                                                       "65536",
                                                       "2147483648",
                                                       "9223372036854775807",
                                                       "18446744073709551616",
                                                       "1e308",
                                                       "-0",
                                                       "0.5",
                                                       "\"\"",
                                                       "null",
                                                       "99999999999999999999999"};

class Mutator {
 public:
  explicit Mutator(const Rng& rng) : rng_(rng) {}

  std::string operator()(std::string bytes) {
    for (std::uint64_t changes = 1 + rng_.below(3); changes > 0; --changes) change(bytes);
    return bytes;
  }

 private:
  // Headers come first and hold the lengths, so half of the changes are among the first bytes.
  std::size_t place(const std::string& bytes) {
    const std::size_t size = bytes.size() + 1;
    return rng_.below(rng_.below(2) == 0 ? std::min<std::size_t>(size, 400) : size);
  }

  void change(std::string& bytes) {
    const std::size_t at = place(bytes), length = std::min<std::size_t>(1 + rng_.below(16), bytes.size() - at);
    switch (rng_.below(8)) {
      case 0:
        if (length > 0) bytes[at] = static_cast<char>(bytes[at] ^ (1 << rng_.below(8)));
        return;
      case 1:
        for (std::size_t i = 0; i < length; ++i) bytes[at + i] = static_cast<char>(rng_.below(256));
        return;
      case 2:
        return bytes.resize(at);
      case 3:
        bytes.erase(at, length);
        return;
      case 4:
        bytes.insert(at, bytes.substr(place(bytes), length));
        return;
      case 5:
        return swap_pieces(bytes);
      default:
        return change_number(bytes, at);
    }
  }

  void swap_pieces(std::string& bytes) {
    constexpr std::size_t kPiece = 8;
    if (bytes.size() < 2 * kPiece) return;
    const std::size_t a = rng_.below(bytes.size() - kPiece), b = rng_.below(bytes.size() - kPiece);
    for (std::size_t i = 0; i < kPiece; ++i) std::swap(bytes[a + i], bytes[b + i]);
  }

  void change_number(std::string& bytes, std::size_t at) {
    constexpr std::string_view kDigits = "0123456789";
    const std::size_t begin = bytes.find_first_of(kDigits, at);
    if (begin == bytes.npos) return;
    const std::size_t end = std::min(bytes.find_first_not_of(kDigits, begin), bytes.size());
    bytes.replace(begin, end - begin, kOddNumbers[rng_.below(kOddNumbers.size())]);
  }

  Rng rng_;
};

// A safetensors file without our checksum, so that changes reach the readers behind it.
std::string without_checksum(const std::string& file) {
  std::uint64_t size = 0;
  for (std::size_t i = 8; i-- > 0;) size = size << 8 | static_cast<unsigned char>(file[i]);
  auto header = nlohmann::json::parse(file.substr(8, size));
  for (const char* key : {"checksum", "written_by"}) {
    if (header.contains("__metadata__")) header["__metadata__"].erase(key);
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(text.size() >> shift);
  return bytes + text + file.substr(8 + size);
}

std::size_t megabytes_used() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) / 1024;
}

Config mutated_config(const std::string& kind, const std::string& tokenizer) {
  Config config;
  config.model = kind;
  config.tokenizer.kind = tokenizer;
  config.recurrent.embedding = config.common.hidden = config.recurrent.output_hidden = 16;
  config.transformer.feed_forward = 16;
  if (kind != "recurrent") config.common.attention = {.score = "scaled_dot", .heads = 2};
  return config;
}

class MutatedFolders : public FolderTest {
 protected:
  // Changes one of these files at a time, and counts the folders that were accepted and refused.
  struct Outcomes {
    int used = 0, refused = 0;
  };

  // f(folder) must return or throw a typed error about files.
  template <class F>
  Outcomes mutate(const fs::path& folder, const std::vector<std::string>& names, const F& f, int times = kMutations) {
    std::vector<std::pair<std::string, std::string>> originals;
    for (const std::string& name : names) {
      originals.emplace_back(name, content(folder / name));
      if (!name.ends_with(".safetensors")) continue;
      originals.emplace_back(name, without_checksum(originals.back().second));
    }
    const std::size_t before = megabytes_used();
    Outcomes outcomes;
    const Rng rng(11);
    for (int i = 0; i < times; ++i) {
      const auto& [name, bytes] = originals[static_cast<std::size_t>(i) % originals.size()];
      const std::string whole = content(folder / name);
      put(folder / name, Mutator(rng.split(static_cast<std::uint64_t>(i)))(bytes));
      try {
        f(folder);
        ++outcomes.used;
      } catch (const std::exception& error) {
        ++outcomes.refused;
        EXPECT_TRUE(is_for_files(error)) << name << ", mutation " << i << ": " << error.what();
      }
      put(folder / name, whole);
    }
    EXPECT_LT(megabytes_used(), before + kMostMegabytes);
    return outcomes;
  }

  static void translate_with(const fs::path& folder) {
    const std::vector<std::string> lines{"मैं खाना", "राम"};
    Translator(folder).translate(lines, {.beam_size = 2, .max_length = 3});
  }

 private:
  static bool is_for_files(const std::exception& error) {
    return dynamic_cast<const ModelFileError*>(&error) != nullptr ||
           dynamic_cast<const ConfigError*>(&error) != nullptr || dynamic_cast<const DataError*>(&error) != nullptr ||
           dynamic_cast<const IoError*>(&error) != nullptr;
  }
  static std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void put(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }
};

TEST_F(MutatedFolders, WithWordsAndRecurrentLayersAreUsedOrRefused) {
  const Config config = mutated_config("recurrent", "word");
  const TokenizerPair words = pair_trained_on<WordTokenizer>("मैं खाना खा रहा हूँ", "I am eating food");
  save_model(folder_, config, words, *make_model(config, words, Rng(3)));
  const Outcomes outcomes =
      mutate(folder_, {"config.json", "model.safetensors", "source.vocab", "target.vocab"}, translate_with);
  EXPECT_GT(outcomes.used, kMutations / 50);
  EXPECT_GT(outcomes.refused, kMutations / 4);
}

TEST_F(MutatedFolders, WithSubwordsAndTransformersAreUsedOrRefused) {
  const Config config = mutated_config("transformer", "unigram");
  const auto subwords =
      std::make_shared<SentencePieceTokenizer>(small_subwords(SubwordAlgorithm::kUnigram), "small", std::nullopt);
  const TokenizerPair both{subwords, subwords};
  save_model(folder_, config, both, *make_model(config, both, Rng(3)));
  const Outcomes outcomes = mutate(folder_, {"shared.model", "config.json", "model.safetensors"}, translate_with);
  EXPECT_GT(outcomes.used, kMutations / 50);
  EXPECT_GT(outcomes.refused, kMutations / 4);
}

TEST_F(MutatedFolders, WithInt8WeightsAreUsedOrRefused) {
  const Config config = mutated_config("recurrent", "word");
  const TokenizerPair words = pair_trained_on<WordTokenizer>("मैं खाना खा रहा हूँ क ख ग घ च छ ज झ ट ठ ड",
                                                             "I am eating food a b c d e f g h i j k l m");
  save_model(folder_ / "full", config, words, *make_model(config, words, Rng(3)));
  quantize_model(folder_ / "full", folder_ / "int8", Existing::kRefuse);
  const Outcomes outcomes = mutate(folder_ / "int8", {"model.safetensors"}, translate_with);
  EXPECT_GT(outcomes.used, kMutations / 50);
  EXPECT_GT(outcomes.refused, kMutations / 4);
}

TEST_F(MutatedFolders, WithPicturesAreUsedOrRefused) {
  for (const char* kind : {"recurrent", "transformer"}) {
    const LoadedModel loaded = tiny_caption_model(kind);
    save_model(folder_, loaded.config, loaded.tokenizers, *loaded.model);
    const auto caption = [](const fs::path& folder) {
      const Translator translator(folder);
      const std::vector<std::string> names{"scene 0", "scene 1"};
      const PictureInput input = translator.model().pictures();
      const ScenePictures scenes(Part::kTest, input ? input.pixels : GridShape{16, 16});
      translator.translate({names, input ? &scenes : nullptr}, {.beam_size = 2, .max_length = 3});
    };
    const Outcomes outcomes = mutate(folder_, {"config.json", "model.safetensors", "config.json"}, caption);
    EXPECT_GT(outcomes.used, kMutations / 50);
    EXPECT_GT(outcomes.refused, kMutations / 4);
  }
}

TEST_F(MutatedFolders, OfATrainingAreResumedOrRefused) {
  const TinyCorpus corpus;
  Config config = corpus.config();
  config.validation.samples = 0;
  config.training.max_steps = 2;
  RunObserver nobody;
  TrainingRun(config, {.folder = folder_, .existing = Existing::kOverwrite}, nobody).run([] { return false; });
  const auto resume = [&](const fs::path& folder) {
    TrainingRun(load_config(folder), {.folder = folder, .existing = Existing::kResume}, nobody);
  };
  const Outcomes outcomes = mutate(
      folder_, {"training/state.safetensors", "config.json", "training/train-0.tokens", "train.jsonl", "source.vocab"},
      resume);
  EXPECT_GT(outcomes.used, kResumedMutations / 20);
  EXPECT_GT(outcomes.refused, kResumedMutations / 4);
}

}  // namespace
}  // namespace dhyan
