// A training step calls malloc only during warm-up. The test replaces all allocating functions; while it counts, it
// attributes each call to the shared object that contains the caller.
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <map>
#include <new>
#include <string>

#include "attention/attention.h"
#include "kernels/simd/runtime.h"
#include "models/decoder_only.h"
#include "models/masked_model.h"
#include "models/testing/tiny_captions.h"
#include "models/transformer_model.h"
#include "nn/embedding.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "nn/positions.h"
#include "nn/recurrent.h"
#include "ops/dropout.h"
#include "ops/output_loss.h"
#include "training/gradients.h"
#include "training/optimizers.h"
#include "training/parallel_step.h"
#include "training/testing/tiny_model.h"

extern "C" {
// The C library's functions, under names that cannot be replaced.
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace {

std::atomic<bool> counting = false;
std::atomic<std::size_t> asked = 0;
std::array<void*, 65536> asked_from;

void note(void* from) {
  if (!counting.load(std::memory_order_relaxed)) return;
  const std::size_t i = asked++;
  if (i < asked_from.size()) asked_from[i] = from;
}

void* checked(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

#define NOTE_CALLER() note(__builtin_return_address(0))

extern "C" {

void* malloc(std::size_t bytes) noexcept {
  NOTE_CALLER();
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) noexcept {
  NOTE_CALLER();
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) noexcept {
  NOTE_CALLER();
  return __libc_realloc(memory, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  NOTE_CALLER();
  return __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  NOTE_CALLER();
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept {
  NOTE_CALLER();
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}

}  // extern "C"

// Without these, every `new` would be attributed to the C++ library.
void* operator new(std::size_t bytes) {
  NOTE_CALLER();
  return checked(__libc_malloc(bytes));
}
void* operator new[](std::size_t bytes) {
  NOTE_CALLER();
  return checked(__libc_malloc(bytes));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  NOTE_CALLER();
  return checked(__libc_memalign(static_cast<std::size_t>(alignment), bytes));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  NOTE_CALLER();
  return checked(__libc_memalign(static_cast<std::size_t>(alignment), bytes));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace dhyan {
namespace {

// The number of allocations by each shared object during f, by file name.
template <class F>
std::map<std::string, int> allocations(const F& f) {
  asked = 0;
  counting = true;
  f();
  counting = false;
  EXPECT_LE(asked, asked_from.size());
  std::map<std::string, int> by_object;
  for (std::size_t i = 0; i < std::min(asked.load(), asked_from.size()); ++i) {
    Dl_info info{};
    const std::string object = dladdr(asked_from[i], &info) != 0 ? info.dli_fname : "unknown";
    ++by_object[object.substr(object.rfind('/') + 1)];
  }
  return by_object;
}

TEST(NoMalloc, CountsEveryAllocatingFunction) {
  std::array<void*, 8> memory{};
  auto counts = allocations([&] {
    memory = {std::malloc(8),
              std::calloc(2, 8),
              std::realloc(nullptr, 8),
              std::aligned_alloc(64, 64),
              ::operator new(8),
              ::operator new[](8),
              ::operator new (64, std::align_val_t{64}),
              nullptr};
    EXPECT_EQ(::posix_memalign(&memory.back(), 64, 64), 0);
  });
  for (void* one : memory) std::free(one);
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_EQ(counts.begin()->first, "no_malloc_test");
  EXPECT_EQ(counts.begin()->second, 8);
}

TEST(NoMalloc, HoldsForATrainingStepAfterWarmUp) {
  constexpr int kShards = 4;
  ThreadPool pool = kernels::make_thread_pool(2);
  for (const OptimizerEntry& entry : optimizers()) {
    TinyModel model;
    ParallelStep step(model.parameters(), pool, kShards);
    const auto optimizer = make_optimizer(entry.name, model.parameters(), {.momentum = 0.9});
    const TinyBatch batch(1, 100);
    const auto train = [&](std::uint64_t t) {
      step.run(Rng(3).split(t), [&](Scope& scope, Index shard) {
        return model.loss(scope, TinyBatch::cut(batch.from, shard, kShards), TinyBatch::cut(batch.to, shard, kShards),
                          0.1);
      });
      clip_by_global_norm(step.gradients(), 1, &pool);
      optimizer->step(model.parameters(), step.gradients(), 0.01, &pool);
    };
    const auto warming_up = allocations([&] {
      for (std::uint64_t t = 0; t < 3; ++t) train(t);
    });
    EXPECT_FALSE(warming_up.empty()) << "nothing is counted on the pool's threads";
    const auto counts = allocations([&] {
      for (std::uint64_t t = 3; t < 13; ++t) train(t);
    });
    for (const auto& [object, count] : counts) ADD_FAILURE() << entry.name << ": " << count << " by " << object;
  }
}

// A network with every kind of op that a step has: lookup, dropout, recurrence over sentences of different length,
// norms, attention, fused loss.
class RecurrentAttention {
 public:
  explicit RecurrentAttention(const AttentionConfig& attention)
      : embedding_(parameters_, "embedding", kWords, kWidth),
        positions_({.hidden = kWidth, .limit = 4}),  // shorter than the sentences: the rest is computed in the step
        recurrent_(parameters_, "encoder", {kWidth, kWidth / 2},
                   {.cell = "lstm", .layers = 2, .directions = Directions::kBoth, .between_layers = Dropout(0.2)}),
        norm_(parameters_, "norm", kWidth),
        query_(parameters_, "query", kWidth, kWidth),
        attention_(parameters_, "attention", {kWidth, kWidth}, attention, Rng(0)) {}

  ParameterSet& parameters() { return parameters_; }

  Var loss(Scope& scope) const {
    const Var x = positions_.add_to({dropout(embedding_(scope, words_), 0.1), plan_.segments()});  // [ΣS,H]
    const Var h = norm_(recurrent_({x, plan_.segments()}, plan_).annotations);                     // [ΣS,H]
    const Memory memory = attention_.prepare({h, plan_.segments()});
    const Attended attended = attention_({query_(h), plan_.segments()}, memory);
    return output_loss(attended.context, {scope.parameter(embedding_.table()), {}}, words_).loss;  // []
  }

 private:
  static constexpr Index kWords = 20, kWidth = 16;
  ParameterSet parameters_;
  Embedding embedding_;
  SinusoidalPositions positions_;
  Recurrent recurrent_;
  LayerNorm norm_;
  Linear query_;
  Attention attention_;
  RecurrentPlan plan_{Segments::from_lengths({5, 0, 2, 7})};
  std::vector<RowId> words_{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
};

// The allocations of ten steps after three warm-up steps.
auto allocations_of_training(const AttentionConfig& config, Precision precision, ThreadPool& pool) {
  RecurrentAttention network(config);
  ParallelStep step(network.parameters(), pool, 2, 0, precision);
  const auto train = [&](std::uint64_t t) {
    step.run(Rng(1).split(t), [&](Scope& scope, Index) { return network.loss(scope); });
  };
  for (std::uint64_t t = 0; t < 3; ++t) train(t);
  return allocations([&] {
    for (std::uint64_t t = 3; t < 13; ++t) train(t);
  });
}

TEST(NoMalloc, HoldsForRecurrenceAndEveryScoreAndWindow) {
  ThreadPool pool = kernels::make_thread_pool(2);
  for (const ScoreEntry& score : scores()) {
    for (const WindowEntry& window : windows()) {
      for (const auto& [precision, of_products] : kPrecisions) {
        const auto counts = allocations_of_training(
            {.score = std::string(score.name), .window = std::string(window.name), .heads = 2, .radius = 2},
            of_products, pool);
        for (const auto& [object, count] : counts) {
          ADD_FAILURE() << score.name << ", " << window.name << ", " << precision << ": " << count << " by " << object;
        }
      }
    }
  }
}

// The allocations of one step of a model.
int allocations_of_model(Model& model, const Batch& batch, ThreadPool& pool) {
  ParallelStep step(model.parameters(), pool, 1);
  const auto train = [&] { step.run(Rng(1), [&](Scope& scope, Index) { return model.loss(scope, batch).loss; }); };
  for (int t = 0; t < 3; ++t) train();
  const auto counts = allocations(train);
  int sum = 0;
  for (const auto& [object, count] : counts) sum += count;
  return sum;
}

// With four sentences of `words` words.
int allocations_of_model(Model& model, Index vocabulary, Index words, ThreadPool& pool) {
  const std::vector<ExampleSize> sizes{{words, words}, {words / 2, words / 2}, {3, 3}, {1, 1}};
  return allocations_of_model(model, random_pairs(1, sizes, vocabulary, vocabulary), pool);
}

// A new batch needs plans: a few lists whose number grows with the logarithm of its length.
TEST(NoMalloc, HoldsForTheTimeStepsOfARecurrentModel) {
  ThreadPool pool = kernels::make_thread_pool(1);
  for (const ContextKind context : {ContextKind::kNone, ContextKind::kFixed, ContextKind::kAttention}) {
    for (const Timing timing : {Timing::kBefore, Timing::kAfter}) {
      RecurrentConfig config = tiny_recurrent();
      config.source_vocabulary = config.target_vocabulary;
      config.context = context;
      config.timing = timing;
      config.decoder_layers = 2;
      config.dropout = 0.2;
      const auto model = make_recurrent_model(config, Rng(1));
      const int few = allocations_of_model(*model, config.target_vocabulary, 8, pool),
                many = allocations_of_model(*model, config.target_vocabulary, 128, pool);
      EXPECT_LE(few, 60);
      EXPECT_LE(many - few, 20);
    }
  }
}

// A new batch needs a few lists: decoder inputs, segments, masked positions.
TEST(NoMalloc, HoldsForTheLayersAndWordsOfATransformer) {
  ThreadPool pool = kernels::make_thread_pool(1);
  const auto expect_few = [&](const auto& make, const char* name, int most) {
    for (const char* window : {"global", "local-m"}) {
      TransformerConfig config = tiny_transformer();
      config.attention.window = window;
      config.dropout = config.feed_forward_dropout = config.attention.dropout = 0.2;
      const auto model = make(config, Rng(1));
      config.encoder_layers = config.decoder_layers = 5;
      const auto deep = make(config, Rng(1));
      const int few = allocations_of_model(*model, config.target_vocabulary, 8, pool),
                many = allocations_of_model(*model, config.target_vocabulary, 128, pool),
                layers = allocations_of_model(*deep, config.target_vocabulary, 8, pool);
      std::printf("%s: %d allocations in a step, %d with longer sentences\n", name, few, many);
      EXPECT_LE(few, most) << name;
      EXPECT_LE(many, most) << name;
      EXPECT_EQ(layers, few) << name;
    }
  };
  expect_few(make_transformer_model, "encoder-decoder", 1);
  expect_few(make_language_model, "decoder-only", 0);
  expect_few(make_decoder_only_model, "decoder-only as a translator", 6);
  expect_few(make_masked_model, "encoder-only", 30);
}

TEST(NoMalloc, HoldsForPictures) {
  ThreadPool pool = kernels::make_thread_pool(1);
  const auto expect_few = [&](Model& model, const ModelConfig& config, const char* name, int most) {
    const int few = allocations_of_model(model, random_captions(1, {5, 3}, config), pool),
              many = allocations_of_model(model, random_captions(1, {5, 5, 4, 4, 4, 3, 3, 3, 2, 2}, config), pool);
    std::printf("%s: %d allocations in a step, %d with more pictures\n", name, few, many);
    EXPECT_LE(few, most) << name;
    EXPECT_LE(many, few + 2) << name;
  };
  const RecurrentConfig recurrent = tiny_captions();
  expect_few(*make_recurrent_model(recurrent, Rng(1)), recurrent, "recurrent decoder of pictures", 40);
  const RecurrentConfig conv = with_convolutions(recurrent);
  expect_few(*make_recurrent_model(conv, Rng(1)), conv, "with convolutions", 60);
  const TransformerConfig transformer = tiny_caption_transformer();
  expect_few(*make_transformer_model(transformer, Rng(1)), transformer, "Transformer of pictures", 7);
}

}  // namespace
}  // namespace dhyan
