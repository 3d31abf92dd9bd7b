#include "importing/fairseq_layers.h"

#include "core/error.h"

namespace dhyan {

namespace {

class FairseqLayers {
 public:
  FairseqLayers(ForeignTensors& tensors, ImportedModel& model)
      : tensors_(tensors), model_(model), H_(model.config.common.hidden), F_(model.config.transformer.feed_forward) {}

  void read(const std::string& stack, Index layers) {
    for (Index layer = 0; layer < layers; ++layer) {
      const std::string from = cat("model.", stack, ".layers.", layer), to = layer_name(stack, layer);
      attention(to + ".self", from + ".self_attn");
      if (stack == "decoder") attention(to + ".cross", from + ".encoder_attn");
      linear(to + ".feed.in", from + ".fc1", F_);
      linear(to + ".feed.out", from + ".fc2", H_);
      norm(to + ".feed.norm", from + ".final_layer_norm");
    }
    if (model_.config.transformer.norm == NormPlace::kBefore)
      norm(stack + ".norm", cat("model.", stack, ".layer_norm"));
  }

 private:
  void attention(const std::string& to, const std::string& from) {
    linear(to + ".query", from + ".q_proj", H_);
    linear(to + ".key", from + ".k_proj", H_);
    linear(to + ".value", from + ".v_proj", H_);
    linear(to + ".output", from + ".out_proj", H_);
    norm(to + ".norm", from + "_layer_norm");
  }

  void linear(const std::string& to, const std::string& from, Index out) {
    set_linear(model_, to, tensors_.matrix(from + ".weight"), tensors_.vector(from + ".bias", out));
  }

  void norm(const std::string& to, const std::string& from) {
    model_.weights[to + ".gain"] = tensors_.vector(from + ".weight", H_);
    model_.weights[to + ".bias"] = tensors_.vector(from + ".bias", H_);
  }

  ForeignTensors& tensors_;
  ImportedModel& model_;
  Index H_, F_;
};

}  // namespace

void read_fairseq_stack(ForeignTensors& tensors, ImportedModel& model, const std::string& stack) {
  const ModelConfig& config = model.config.common;
  FairseqLayers(tensors, model).read(stack, stack == "encoder" ? config.encoder_layers : config.decoder_layers);
}

}  // namespace dhyan
