#pragma once

#include "importing/imported_model.h"

namespace dhyan {

// The layers of a stack, "encoder" or "decoder", by the names of fairseq, which MarianMT of Hugging Face has too:
// model.encoder.layers.0.self_attn.q_proj.weight. Norms before sublayers have one more at the end.
void read_fairseq_stack(ForeignTensors& tensors, ImportedModel& model, const std::string& stack);

}  // namespace dhyan
