#include "text/tokenizer.h"

namespace dhyan {

Encoded Tokenizer::encode_sampled(std::string_view line, Rng&) const { return encode(line); }

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t hash) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

}  // namespace dhyan
