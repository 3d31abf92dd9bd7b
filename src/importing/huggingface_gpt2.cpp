#include <algorithm>

#include "core/error.h"
#include "importing/formats.h"
#include "importing/huggingface_files.h"
#include "importing/own_folder.h"
#include "text/merges_tokenizer.h"

namespace dhyan {

namespace {

constexpr std::string_view kBpeVocabulary = "vocab.json", kBpeMerges = "merges.txt", kFastTokenizer = "tokenizer.json";

struct Gpt2Tokens {
  std::vector<std::string> pieces;
  PairMerges merges;
};

// merges are "a b" or, in newer files, ["a", "b"].
PairMerges merges_of_json(const std::string& where, const nlohmann::json& merges) {
  PairMerges::Pairs pairs;
  for (const nlohmann::json& one : merges) {
    const bool is_pair = one.is_array() && one.size() == 2 && one[0].is_string() && one[1].is_string();
    const std::string text = one.is_string() ? one.get<std::string>() : "";
    const std::size_t blank = text.find(' ');
    if (!is_pair && blank == text.npos)
      throw ModelFileError(cat(where, ": merge ", pairs.size(), " is no pair of symbols"));
    if (pairs.size() == PairMerges::kMost)
      throw ModelFileError(cat(where, ": more than ", PairMerges::kMost, " merges"));
    if (is_pair) {
      pairs.emplace_back(one[0].get<std::string>(), one[1].get<std::string>());
    } else {
      pairs.emplace_back(text.substr(0, blank), text.substr(blank + 1));
    }
  }
  return PairMerges(pairs);
}

std::vector<std::string> without_empty_end(std::vector<std::string> pieces) {
  while (!pieces.empty() && pieces.back().empty()) pieces.pop_back();
  return pieces;
}

// vocab.json and merges.txt, or tokenizer.json, which has both.
Gpt2Tokens gpt2_tokens(const SourceFiles& files, Index rows) {
  if (files.has(kBpeVocabulary) && files.has(kBpeMerges)) {
    const std::string where = files.where(kBpeVocabulary);
    return {without_empty_end(pieces_by_id(where, parsed_json(where, files.text(kBpeVocabulary)), rows)),
            PairMerges::parse(files.where(kBpeMerges), files.text(kBpeMerges))};
  }
  const std::string where = files.where(kFastTokenizer);
  const nlohmann::json json = parsed_json(where, files.text(kFastTokenizer));
  const auto child = [](const nlohmann::json& object, const char* name) {
    return object.is_object() && object.contains(name) ? object[name] : nlohmann::json();
  };
  const nlohmann::json model = child(json, "model"), cutter = child(json, "pre_tokenizer");
  const std::string type = JsonReader{where, model}.text("type", "BPE"),
                    cuts = JsonReader{where, cutter}.text("type", "ByteLevel");
  if (type != "BPE" || cuts != "ByteLevel") {
    throw ModelFileError(cat(where, ": the tokenizer is ", type, " after ", cuts, "; expected BPE after ByteLevel"));
  }
  expect_off({where, cutter}, "add_prefix_space", "a space before each text");
  std::vector<std::string> pieces = pieces_by_id(where, child(model, "vocab"), rows);
  for (const nlohmann::json& added : child(json, "added_tokens")) {
    const JsonReader read{where, added};
    const double id = read.number("id", -1);
    if (id >= 0 && id < static_cast<double>(rows)) pieces[static_cast<std::size_t>(id)] = read.text("content", "");
  }
  return {without_empty_end(std::move(pieces)), merges_of_json(where, child(model, "merges"))};
}

void read_gpt2_config(const JsonReader& read, Config& config) {
  expect_off(read, "add_cross_attention", "cross-attention in GPT-2");
  expect_off(read, "scale_attn_by_inverse_layer_idx", "attention that is scaled by layer");
  if (!read.flag("scale_attn_weights", true)) {
    throw ModelFileError(cat(read.where, ": attention is not scaled by the root of its width, as it is in dhyan"));
  }
  config.model = "language-model";
  config.training.loss.label_smoothing = 0;
  config.common.hidden = huggingface_size(read, "n_embd", 768);
  config.common.decoder_layers = huggingface_size(read, "n_layer", 12);
  config.common.attention.heads = huggingface_size(read, "n_head", 12);
  TransformerSettings& transformer = config.transformer;
  transformer.feed_forward = huggingface_size(read, "n_inner", 4 * config.common.hidden);
  transformer.norm = NormPlace::kBefore;
  transformer.activation = huggingface_activation(read.text("activation_function", "gelu_new"));
  transformer.positions = "learned";
  transformer.longest = huggingface_size(read, "n_positions", 1024);
  transformer.word_scale = WordScale::kNone;
  transformer.norm_epsilon = read.number("layer_norm_epsilon", 1e-5);
  BatchLimits& batch = config.training.batch;
  batch.max_tokens = std::max(batch.max_tokens, transformer.longest);
}

// Reads the tensors of a GPT-2, whose names may begin with "transformer.". Its weights are [in,out], like ours.
class Gpt2Reader {
 public:
  Gpt2Reader(ForeignTensors& tensors, ImportedModel& model)
      : tensors_(tensors),
        model_(model),
        prefix_(tensors.has("transformer.wte.weight") ? "transformer." : ""),
        H_(model.config.common.hidden) {}

  void read_layers() {
    for (Index layer = 0; layer < model_.config.common.decoder_layers; ++layer) {
      const std::string from = cat(prefix_, "h.", layer), to = layer_name("decoder", layer);
      attention(to + ".self", from + ".attn.c_attn");
      linear(to + ".self.output", from + ".attn.c_proj", H_);
      norm(to + ".self.norm", from + ".ln_1");
      linear(to + ".feed.in", from + ".mlp.c_fc", model_.config.transformer.feed_forward);
      linear(to + ".feed.out", from + ".mlp.c_proj", H_);
      norm(to + ".feed.norm", from + ".ln_2");
      for (const char* mask : {".attn.bias", ".attn.masked_bias"}) {  // constants of the program
        if (tensors_.has(from + mask)) tensors_.take(from + mask);
      }
    }
    norm("decoder.norm", prefix_ + "ln_f");
    model_.weights["words.positions.table"] = tensors_.matrix(prefix_ + "wpe.weight");
  }

  ForeignMatrix words() { return tensors_.matrix(prefix_ + "wte.weight"); }

  void read_output(const VocabularyOrder& order, const ForeignMatrix& words) {
    model_.weights["words.table"] = order.table(words);
    const bool own = tensors_.has("lm_head.weight") && !tensors_.are_one("lm_head.weight", prefix_ + "wte.weight");
    model_.config.common.tying = own ? Tying::kNone : Tying::kDecoder;
    if (own) model_.weights["output.weight"] = order.table(tensors_.matrix("lm_head.weight"));
    if (!own && tensors_.has("lm_head.weight")) tensors_.take("lm_head.weight");
    model_.weights["output.bias"] = order.output_bias(zeros(1, words.rows));
  }

 private:
  // Query, key and value are one matrix [H,3H].
  void attention(const std::string& to, const std::string& from) {
    const ForeignMatrix columns = tensors_.matrix(from + ".weight").transposed();  // [3H,H]
    const ForeignMatrix bias = tensors_.vector(from + ".bias", 3 * H_).transposed();
    if (columns.rows != 3 * H_)
      tensors_.fail(from + ".weight", cat("has ", columns.rows, " columns, expected ", 3 * H_));
    Index begin = 0;
    for (const char* part : {".query", ".key", ".value"}) {
      set_linear(model_, to + part, columns.row_range(begin, begin + H_),
                 bias.row_range(begin, begin + H_).transposed());
      begin += H_;
    }
  }

  void linear(const std::string& to, const std::string& from, Index out) {
    set_linear_as_stored(model_, to, tensors_.matrix(from + ".weight"), tensors_.vector(from + ".bias", out));
  }

  void norm(const std::string& to, const std::string& from) {
    model_.weights[to + ".gain"] = tensors_.vector(from + ".weight", H_);
    model_.weights[to + ".bias"] = tensors_.vector(from + ".bias", H_);
  }

  ForeignTensors& tensors_;
  ImportedModel& model_;
  std::string prefix_;
  Index H_;
};

}  // namespace

bool is_huggingface_gpt2(const SourceFiles& files) { return is_huggingface_model(files, "gpt2"); }

ImportedModel read_huggingface_gpt2(const SourceFiles& files, const GivenFiles&) {
  const nlohmann::json json = parsed_json(files.where(kHuggingFaceConfig), files.text(kHuggingFaceConfig));
  const JsonReader read{files.where(kHuggingFaceConfig), json};
  ImportedModel model{.config = config_of_imported_transformer()};
  read_gpt2_config(read, model.config);
  HuggingFaceWeights weights = open_huggingface_weights(files);
  Gpt2Reader reader(weights.tensors, model);
  const ForeignMatrix words = reader.words();
  Gpt2Tokens tokens = gpt2_tokens(files, words.rows);
  // A text begins with the token that ends one.
  const double end = read.number("eos_token_id", static_cast<double>(words.rows - 1));
  if (!(end >= 0 && end < static_cast<double>(tokens.pieces.size()))) {
    throw ModelFileError(cat(read.where, ": eos_token_id is ", end, ", which is no token"));
  }
  const auto place = static_cast<Index>(end);
  const VocabularyOrder order = our_order(tokens.pieces, words.rows, {.end = place, .start = place});
  reader.read_output(order, words);
  reader.read_layers();
  expect_all_read(weights.tensors);
  const auto tokenizer = std::make_shared<const ByteBpeTokenizer>(order.vocabulary(), std::move(tokens.merges));
  model.tokenizers = {tokenizer, tokenizer};
  model.config.tokenizer.kind = ByteBpeTokenizer::kKind;
  model.config.tokenizer.shared = true;
  take_own_settings(files, model);
  model.origin = "Hugging Face GPT-2";
  if (files.has("README.md")) model.readme = files.text("README.md");
  return model;
}

}  // namespace dhyan
