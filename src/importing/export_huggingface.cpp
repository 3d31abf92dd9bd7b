#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "importing/export_model.h"
#include "interop/safetensors.h"
#include "models/transformer_config.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

Tensor transpose_of_weight(const Tensor& w) {
  const Tensor result = Tensor::uninitialized({w.cols(), w.rows()});
  for (Index i = 0; i < w.rows(); ++i) {
    for (Index j = 0; j < w.cols(); ++j) result.data()[j * w.rows() + i] = w.data()[i * w.cols() + j];
  }
  return result;
}

// Tensors by the names of MarianMT.
class MarianMtWriter {
 public:
  explicit MarianMtWriter(const ParameterSet& parameters) : parameters_(parameters) {}

  const Tensor& weight(const std::string& name) const {
    const Parameter* parameter = parameters_.find(name);
    if (parameter == nullptr) throw UsageError(cat("export: there is no parameter '", name, "'"));
    return parameter->value;
  }

  void add(const std::string& name, const Tensor& value) { tensors_[name] = value; }

  void add_stack(const std::string& stack, Index layers) {
    for (Index layer = 0; layer < layers; ++layer) {
      const std::string from = cat(stack, ".", layer), to = cat("model.", stack, ".layers.", layer);
      add_attention(to + ".self_attn", from + ".self");
      if (stack == "decoder") add_attention(to + ".encoder_attn", from + ".cross");
      add_linear(to + ".fc1", from + ".feed.in");
      add_linear(to + ".fc2", from + ".feed.out");
      add_norm(to + ".final_layer_norm", from + ".feed.norm");
    }
  }

  void save(const fs::path& path) const {
    std::vector<NamedTensor> all;
    for (const auto& [name, value] : tensors_) all.push_back({name, value});
    save_tensors(path, all, {{"format", "pt"}});
  }

 private:
  void add_attention(const std::string& to, const std::string& from) {
    add_linear(to + ".q_proj", from + ".query");
    add_linear(to + ".k_proj", from + ".key");
    add_linear(to + ".v_proj", from + ".value");
    add_linear(to + ".out_proj", from + ".output");
    add_norm(to + "_layer_norm", from + ".norm");
  }

  void add_linear(const std::string& to, const std::string& from) {
    add(to + ".weight", transpose_of_weight(weight(from + ".weight")));
    add(to + ".bias", weight(from + ".bias"));
  }

  void add_norm(const std::string& to, const std::string& from) {
    add(to + ".weight", weight(from + ".gain"));
    add(to + ".bias", weight(from + ".bias"));
  }

  const ParameterSet& parameters_;
  std::map<std::string, Tensor> tensors_;
};

std::string activation_for_huggingface(const std::string& name) {
  if (name == "gelu") return "gelu_new";
  if (name == "gelu-erf") return "gelu";
  if (name == "gelu-sigmoid") return "quick_gelu";
  return name;
}

// MarianMT has one form of the Transformer.
void expect_marian_form(const Config& config) {
  const TransformerConfig transformer{config.common, config.transformer};
  const auto refuse = [](const std::string& what) {
    throw ModelFileError(cat("export: ", what, ", which Hugging Face's MarianMT does not have"));
  };
  if (transformer.norm != NormPlace::kAfter) refuse("norm is before");
  if (transformer.positions != "sinusoidal-halves" || transformer.first_position != 0) {
    refuse(cat("positions is ", transformer.positions));
  }
  if (transformer.norm_epsilon != 1e-5) refuse(cat("norm-epsilon is ", transformer.norm_epsilon));
}

nlohmann::ordered_json config_for_huggingface(const LoadedModel& model) {
  const Config& config = model.config;
  const TransformerConfig transformer{config.common, config.transformer};
  const Tying tying = config.common.tying;
  return {{"architectures", {"MarianMTModel"}},
          {"model_type", "marian"},
          {"activation_function", activation_for_huggingface(transformer.activation)},
          {"d_model", transformer.hidden},
          {"encoder_layers", transformer.encoder_layers},
          {"decoder_layers", transformer.decoder_layers},
          {"encoder_attention_heads", transformer.attention.heads},
          {"decoder_attention_heads", transformer.attention.heads},
          {"encoder_ffn_dim", transformer.feed_forward},
          {"decoder_ffn_dim", transformer.feed_forward},
          {"vocab_size", model.tokenizers.source->size()},
          {"decoder_vocab_size", model.tokenizers.target->size()},
          {"share_encoder_decoder_embeddings", tying == Tying::kAll},
          {"tie_word_embeddings", tying != Tying::kNone},
          {"scale_embedding", scales_words(transformer)},
          {"static_position_embeddings", true},
          {"normalize_before", false},
          {"normalize_embedding", false},
          {"pad_token_id", kPad},
          {"bos_token_id", kBegin},
          {"eos_token_id", kEnd},
          {"decoder_start_token_id", kBegin},
          {"bad_words_ids", {{kPad}, {kBegin}}},
          {"max_position_embeddings", 512},
          {"max_length", 512},
          {"num_beams", 4},
          {"torch_dtype", "float32"}};
}

nlohmann::ordered_json ids_of(const Tokenizer& tokenizer) {
  auto ids = nlohmann::ordered_json::object();
  for (TokenId id = 0; id < tokenizer.size(); ++id) ids[std::string(tokenizer.piece(id))] = id;
  return ids;
}

void write_json_file(const fs::path& path, const nlohmann::ordered_json& json) {
  write_file(path, json.dump(2) + "\n");
}

}  // namespace

void write_huggingface_marian(const LoadedModel& model, const fs::path& folder) {
  expect_plain_transformer(model, "Hugging Face's MarianMT");
  const Config& config = model.config;
  expect_marian_form(config);
  MarianMtWriter writer(model.model->parameters());
  writer.add_stack("encoder", config.common.encoder_layers);
  writer.add_stack("decoder", config.common.decoder_layers);
  if (config.common.tying == Tying::kAll) {
    writer.add("model.shared.weight", writer.weight("words.table"));
  } else {
    writer.add("model.encoder.embed_tokens.weight", writer.weight("source.table"));
    writer.add("model.decoder.embed_tokens.weight", writer.weight("target.table"));
  }
  if (config.common.tying == Tying::kNone) writer.add("lm_head.weight", writer.weight("output.weight"));
  const Tensor& bias = writer.weight("output.bias");
  writer.add("final_logits_bias", bias.reshaped({1, bias.size()}));
  write_json_file(folder / "config.json", config_for_huggingface(model));
  const bool separate = tokens_of(*model.tokenizers.source) != tokens_of(*model.tokenizers.target);
  write_json_file(folder / "tokenizer_config.json", {{"tokenizer_class", "MarianTokenizer"},
                                                     {"source_lang", config.data.source_language},
                                                     {"target_lang", config.data.target_language},
                                                     {"separate_vocabs", separate}});
  write_json_file(folder / "vocab.json", ids_of(*model.tokenizers.source));
  if (separate) write_json_file(folder / "target_vocab.json", ids_of(*model.tokenizers.target));
  write_piece_models(model, folder);
  writer.save(folder / "model.safetensors");
}

}  // namespace dhyan
