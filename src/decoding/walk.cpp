#include "decoding/walk.h"

#include <utility>

namespace dhyan {

void Frontier::clear() {
  rows_.clear();
  tokens_.clear();
  lengths_.clear();
}

void Frontier::add(const Extension& last) {
  rows_.push_back(last.row);
  tokens_.push_back(last.token);
  ++open_;
}

void Frontier::end_sentence() { lengths_.push_back(std::exchange(open_, 0)); }

}  // namespace dhyan
