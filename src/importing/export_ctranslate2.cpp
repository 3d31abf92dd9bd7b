#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/table.h"
#include "importing/export_model.h"
#include "interop/ctranslate2_file.h"
#include "kernels/elementwise/fill.h"
#include "nn/positions.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

constexpr Index kPositions = 2048;  // as many as CTranslate2's own converters write

// Collects variables and owns the values that are not parameters themselves.
class VariableWriter {
 public:
  explicit VariableWriter(const ParameterSet& parameters) : parameters_(parameters) {
    file_.specification = "TransformerSpec";
    file_.revision = 7;
  }

  const Tensor& weight(const std::string& name) const {
    const Parameter* parameter = parameters_.find(name);
    if (parameter == nullptr) throw UsageError(cat("export: there is no parameter '", name, "'"));
    return parameter->value;
  }

  void add(const std::string& name, const Tensor& value) {
    std::vector<float>& kept = floats_.emplace_back(value.span().begin(), value.span().end());
    file_.variables.push_back({name, find_file_dtype("F32"), value.shape(), std::as_bytes(std::span(kept))});
  }

  void add_number(const std::string& name, std::string_view dtype, std::int16_t value) {
    const std::int16_t& kept = numbers_.emplace_back(value);  // little-endian: its first byte is the same number
    const FileDtype* type = find_file_dtype(dtype);
    file_.variables.push_back(
        {name, type, {}, std::as_bytes(std::span(&kept, 1)).first(static_cast<std::size_t>(type->bytes))});
  }

  void add_alias(const std::string& alias, const std::string& name) { file_.aliases.emplace(alias, name); }

  // Weights [I,O] of ours, side by side, as one [O,I].
  void add_linear(const std::string& to, const std::vector<std::string>& from) {
    const Index in = weight(from.front() + ".weight").rows();
    const Index out = weight(from.front() + ".weight").cols(), count = std::ssize(from);
    const Tensor all = Tensor::uninitialized({count * out, in}), biases = Tensor::uninitialized({count * out});
    for (Index part = 0; part < count; ++part) {
      const Tensor& w = weight(from[static_cast<std::size_t>(part)] + ".weight");
      const Tensor& b = weight(from[static_cast<std::size_t>(part)] + ".bias");
      for (Index o = 0; o < out; ++o) {
        biases.data()[part * out + o] = b.data()[o];
        for (Index i = 0; i < in; ++i) all.data()[(part * out + o) * in + i] = w.data()[i * out + o];
      }
    }
    add(to + "/weight", all);
    add(to + "/bias", biases);
  }

  void add_norm(const std::string& to, const std::string& from) {
    add(to + "/gamma", weight(from + ".gain"));
    add(to + "/beta", weight(from + ".bias"));
  }

  void save(const fs::path& path) {
    std::ranges::sort(file_.variables, {}, &TensorEntry::name);
    save_ctranslate2(path, file_);
  }

 private:
  const ParameterSet& parameters_;
  Ctranslate2File file_;
  std::deque<std::vector<float>> floats_;
  std::deque<std::int16_t> numbers_;
};

std::int16_t activation_number(const std::string& name) {
  if (name == "relu") return 0;
  if (name == "gelu") return 1;
  if (name == "swish") return 2;
  if (name == "gelu-erf") return 3;
  if (name == "gelu-sigmoid") return 4;
  throw ModelFileError(cat("export: the activation is ", name, ", which CTranslate2 does not have"));
}

void add_stack(VariableWriter& writer, const std::string& stack, const Config& config) {
  const Index layers = stack == "encoder" ? config.common.encoder_layers : config.common.decoder_layers;
  for (Index layer = 0; layer < layers; ++layer) {
    const std::string from = cat(stack, ".", layer), to = cat(stack, "/layer_", layer);
    writer.add_norm(to + "/self_attention/layer_norm", from + ".self.norm");
    writer.add_linear(to + "/self_attention/linear_0",
                      {from + ".self.query", from + ".self.key", from + ".self.value"});
    writer.add_linear(to + "/self_attention/linear_1", {from + ".self.output"});
    if (stack == "decoder") {
      writer.add_norm(to + "/attention/layer_norm", from + ".cross.norm");
      writer.add_linear(to + "/attention/linear_0", {from + ".cross.query"});
      writer.add_linear(to + "/attention/linear_1", {from + ".cross.key", from + ".cross.value"});
      writer.add_linear(to + "/attention/linear_2", {from + ".cross.output"});
    }
    writer.add_norm(to + "/ffn/layer_norm", from + ".feed.norm");
    writer.add_linear(to + "/ffn/linear_0", {from + ".feed.in"});
    writer.add_linear(to + "/ffn/linear_1", {from + ".feed.out"});
  }
  const TransformerConfig transformer{config.common, config.transformer};
  const bool before = transformer.norm == NormPlace::kBefore;
  if (before) writer.add_norm(stack + "/layer_norm", stack + ".norm");
  writer.add_number(stack + "/num_heads", "I16", static_cast<std::int16_t>(config.common.attention.heads));
  writer.add_number(stack + "/pre_norm", "I8", before ? 1 : 0);
  writer.add_number(stack + "/activation", "I8", activation_number(transformer.activation));
  writer.add_number(stack + "/scale_embeddings", "I8", scales_words(transformer) ? 1 : 0);
}

// The table of a side: a parameter, or the sinusoids of as many positions as usual.
void add_positions(VariableWriter& writer, const std::string& stack, const std::string& side, const Config& config) {
  const TransformerConfig transformer{config.common, config.transformer};
  const std::string to = stack + "/position_encodings/encodings";
  if (!positions_by_formula(transformer)) return writer.add(to, writer.weight(side + ".positions.table"));
  ParameterSet none;
  const auto positions = make_positions(transformer.positions, none, side,
                                        {.hidden = transformer.hidden, .first = transformer.first_position});
  Arena arena;
  Scope scope(arena);
  const Ragged zeros{scope.constant(Tensor::zeros({kPositions, transformer.hidden})), Segments::one(kPositions)};
  writer.add(to, positions->add_to(zeros).value());
}

void add_words(VariableWriter& writer, Tying tying) {
  const std::string encoder = "encoder/embeddings_0/weight", decoder = "decoder/embeddings/weight",
                    output = "decoder/projection/weight";
  const bool all = tying == Tying::kAll;
  writer.add(decoder, writer.weight(all ? "words.table" : "target.table"));
  if (all) {
    writer.add_alias(encoder, decoder);
  } else {
    writer.add(encoder, writer.weight("source.table"));
  }
  if (tying == Tying::kNone) {
    writer.add(output, writer.weight("output.weight"));
  } else {
    writer.add_alias(output, decoder);
  }
  writer.add("decoder/projection/bias", writer.weight("output.bias"));
}

void write_json(const fs::path& path, const nlohmann::ordered_json& json) { write_file(path, json.dump(2) + "\n"); }

}  // namespace

void write_ctranslate2_folder(const LoadedModel& model, const fs::path& folder) {
  expect_plain_transformer(model, kCtranslate2Name);
  const Config& config = model.config;
  VariableWriter writer(model.model->parameters());
  for (const char* stack : {"encoder", "decoder"}) add_stack(writer, stack, config);
  add_positions(writer, "encoder", "source", config);
  add_positions(writer, "decoder", "target", config);
  add_words(writer, config.common.tying);
  writer.add_number("encoder/embeddings_merge", "I8", 0);
  writer.add_number("decoder/alignment_layer", "I16", -1);
  writer.add_number("decoder/alignment_heads", "I16", 0);
  const std::vector<std::string> source = tokens_of(*model.tokenizers.source),
                                 target = tokens_of(*model.tokenizers.target);
  if (source == target) {
    write_json(folder / "shared_vocabulary.json", source);
  } else {
    write_json(folder / "source_vocabulary.json", source);
    write_json(folder / "target_vocabulary.json", target);
  }
  write_json(folder / "config.json", {{"add_source_bos", false},
                                      {"add_source_eos", config.common.attention.window != "no-end"},
                                      {"bos_token", kSpecialTokens[kBegin]},
                                      {"decoder_start_token", kSpecialTokens[kBegin]},
                                      {"eos_token", kSpecialTokens[kEnd]},
                                      {"layer_norm_epsilon", config.transformer.norm_epsilon},
                                      {"unk_token", kSpecialTokens[kUnknown]}});
  write_piece_models(model, folder);
  writer.save(folder / "model.bin");
}

}  // namespace dhyan
