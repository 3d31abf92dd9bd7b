#include "decoding/decode_loop.h"

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

void LoopControl::add_sentence(CancelFlag flag) {
  flags_.push_back(flag);
  seen_.push_back(false);
}

void LoopControl::check() {
  if (poll_) poll_();
  for (std::size_t b = 0; b < flags_.size(); ++b) {
    if (is_cancelled(flags_[b])) seen_[b] = true;
  }
}

}  // namespace dhyan
