#include "decoding/decode_loop.h"

#include <utility>

namespace dhyan {

void LiveBatch::clear() {
  rows_.clear();
  tokens_.clear();
  lengths_.clear();
}

void LiveBatch::add(const Extension& last) {
  rows_.push_back(last.row);
  tokens_.push_back(last.token);
  ++open_;
}

void LiveBatch::end_sentence() { lengths_.push_back(std::exchange(open_, 0)); }

}  // namespace dhyan
