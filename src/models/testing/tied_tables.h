#pragma once

#include <gtest/gtest.h>
#include <string>

#include "core/rng.h"
#include "models/tying.h"

namespace dhyan {

// For tests: checks which tables of words a model has for each tying, and whether its output layer has a weight of its
// own.
template <class Make, class Config>
void expect_tied_tables(const Make& make, Config config) {
  const auto names = [&](Tying tying) {
    config.tying = tying;
    const auto model = make(config, Rng(1));
    std::string found;
    for (const char* name : {"source.table", "target.table", "words.table", "output.weight"}) {
      if (model->parameters().find(name) != nullptr) found += std::string(name) + " ";
    }
    return found;
  };
  EXPECT_EQ(names(Tying::kNone), "source.table target.table output.weight ");
  EXPECT_EQ(names(Tying::kDecoder), "source.table target.table ");
  EXPECT_EQ(names(Tying::kAll), "words.table ");
}

}  // namespace dhyan
