// Every number of every weight of recurrent models, moved up and down.

#include <gtest/gtest.h>

#include "models/recurrent_model.h"
#include "models/tiny_recurrent.h"
#include "nn/module_jacobian.h"

namespace dhyan {
namespace {

// Empty if backward and differences agree on d(loss)/d(every weight). The third sentence ends first, the second next.
std::string mismatch(const RecurrentConfig& config, const LossOptions& options = {}) {
  const auto model = make_recurrent_model(config, Rng(1));
  randomise(model->parameters(), 2);
  const Batch batch = random_pairs(3, {{3, 3}, {2, 2}, {3, 1}}, config);
  return module_jacobian_mismatch(model->parameters(), {}, [&](Scope& scope, const std::vector<Var>&) {
    return model->loss(scope, batch, options).loss;  // []
  });
}

TEST(RecurrentGradients, AreRightForEveryScoreTimingAndCell) {
  for (const ScoreEntry& score : scores()) {
    for (const Timing timing : {Timing::kBefore, Timing::kAfter}) {
      for (const CellEntry& cell : cells()) {
        RecurrentConfig config = tiny_recurrent();
        config.directions = Directions::kForward;  // queries and annotations are equally wide
        config.attention.score = score.name;
        config.timing = timing;
        config.cell = cell.name;
        EXPECT_EQ(mismatch(config), "") << score.name << " " << (timing == Timing::kBefore ? "before " : "after ")
                                        << cell.name;
      }
    }
  }
}

}  // namespace
}  // namespace dhyan
