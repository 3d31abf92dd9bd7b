#include "attention/multi_head.h"

#include "ops/cast.h"
#include "ops/prepack.h"

namespace dhyan {

MultiHeadAttention::MultiHeadAttention(ParameterSet& parameters, const std::string& name, Index width,
                                       const AttentionConfig& config, const Rng& rng)
    : query_(parameters, name + ".query", width, width, {.rng = rng}),
      key_(parameters, name + ".key", width, width, {.rng = rng}),
      value_(parameters, name + ".value", width, width, {.rng = rng}),
      output_(parameters, name + ".output", width, width, {.rng = rng}),
      attention_(parameters, name, {width, width}, config, rng) {}

Memory MultiHeadAttention::prepare(const Ragged& annotations) const {
  Frame frame(annotations.rows.scope());
  const Ragged keys{key_(annotations.rows), annotations.segments};  // [ΣS,H]
  return keep(frame, attention_.prepare(keys, value_(annotations.rows)));
}

Dtype MultiHeadAttention::kv_cache_dtype() const {
  const Prepacked* form = key_.weight().prepacked.get();
  const bool rounds = form != nullptr && form->int8 != nullptr && form->int8->activation() == 0;
  return rounds && attention_.reads_bfloat16() ? Dtype::kBfloat16 : Dtype::kReal;
}

MultiHeadAttended MultiHeadAttention::operator()(const Ragged& x, const Memory& memory, const QueryPositions& positions,
                                                 KeepAttention keep, const LayerEdits& edits) const {
  Frame frame(x.rows.scope());
  const Ragged query{query_(x.rows), x.segments};                               // [ΣT,H]
  const Attended attended = attention_(query, memory, positions, keep, edits);  // c [ΣT,H]
  const Var output = frame.keep(output_(attended.context));                     // [ΣT,H]
  return {output, keep == KeepAttention::kNo ? Attended{} : attended};
}

Memory cast(const Memory& memory, Dtype dtype) {
  if (memory.keys.value().dtype() == dtype) return memory;
  return {cast(memory.keys, dtype), cast(memory.values, dtype), memory.segments};
}

}  // namespace dhyan
