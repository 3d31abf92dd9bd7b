#include "training/held_out.h"

#include <cmath>
#include <gtest/gtest.h>

#include "core/error.h"
#include "training/testing/exercise.h"

namespace dhyan {
namespace {

TEST(HeldOutLoss, IsTheMeanOverTokensOfAllBatches) {
  Exercise run(small_options());
  double nll = 0;
  std::size_t tokens = 0;
  for (const Batch& batch : run.validation) {
    Arena arena;
    Scope scope(arena);
    nll += run.model->loss(scope, batch).nll;
    tokens += batch.target.size();
  }
  const std::vector<NamedScore> metrics = run.validate().metrics;
  EXPECT_EQ(metrics[0], (NamedScore{"loss", nll / static_cast<double>(tokens)}));
  EXPECT_EQ(metrics[1], (NamedScore{"perplexity", std::exp(metrics[0].value)}));
  EXPECT_THROW(held_out_loss(*run.model, {}, run.pool), DataError);
}

}  // namespace
}  // namespace dhyan
