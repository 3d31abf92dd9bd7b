#include "attention/multi_head.h"

#include "ops/bfloat16_rows.h"

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

KvCacheDtype MultiHeadAttention::kv_cache_dtype() const {
  return key_.is_int8() && attention_.reads_bfloat16() ? KvCacheDtype::kBfloat16 : KvCacheDtype::kReal;
}

MultiHeadAttended MultiHeadAttention::operator()(const Ragged& x, const Memory& memory, const QueryPositions& positions,
                                                 KeepAttention keep) const {
  Frame frame(x.rows.scope());
  const Ragged query{query_(x.rows), x.segments};                        // [ΣT,H]
  const Attended attended = attention_(query, memory, positions, keep);  // c [ΣT,H]
  const Var output = frame.keep(output_(attended.context));              // [ΣT,H]
  return {output, keep == KeepAttention::kNo ? Attended{} : attended};
}

Memory in_dtype(const Memory& memory, KvCacheDtype numbers) {
  if (numbers == KvCacheDtype::kReal) return memory;
  return {to_bfloat16(memory.keys), to_bfloat16(memory.values), memory.segments};
}

}  // namespace dhyan
