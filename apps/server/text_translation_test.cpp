#include "server/text_translation.h"

#include <gtest/gtest.h>

#include "server/testing/small_models.h"

namespace dhyan::server {
namespace {

TEST(TextTranslation, AlignsEachSentenceAndForgetsItsAttention) {
  const SmallModels models;
  const ModelSet served(models.specs());
  const std::shared_ptr<const ServedModel> model = served.named("transformer");
  SearchRequest search;
  search.search.beam_size = 3;
  search.n_best = 2;
  const auto job = sentence_job(*model, search, RecordedAttention::kWeights, {"मैं खाना", "मैं पानी", "तुम"});
  const auto lists = aligned_results(*job, model);
  JobQueue queue({});
  job->done = [&](Job&) { queue.close(); };
  ASSERT_TRUE(queue.add(job));
  JobWorkers(queue, 2, [](const BatchReport&) {}).join();

  ASSERT_EQ(job->error, nullptr);
  ASSERT_EQ(lists->size(), 3U);
  for (std::size_t i = 0; i < lists->size(); ++i) {
    ASSERT_EQ(lists->at(i).size(), 2U);
    for (std::size_t rank = 0; rank < 2; ++rank) {
      EXPECT_TRUE(job->results[i][rank].hypothesis.attention.empty());
      EXPECT_EQ(lists->at(i)[rank].text, job->results[i][rank].text);
    }
    EXPECT_FALSE(lists->at(i).front().links.empty()) << i;
  }
}

}  // namespace
}  // namespace dhyan::server
