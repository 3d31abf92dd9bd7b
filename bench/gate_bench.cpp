// Fixed workloads whose instructions script/bench gate counts: a training step and a search, with a small Transformer
// and a small recurrent model, on one thread.
#include <iostream>

#include "core/error.h"
#include "decoding/search.h"
#include "kernels/simd/runtime.h"
#include "made_up_batch.h"
#include "models/recurrent_model.h"
#include "models/transformer_model.h"
#include "ops/arithmetic.h"
#include "ops/prepack.h"
#include "program.h"
#include "training/gradients.h"
#include "training/optimizers.h"

// The profiler counts the instructions inside this function, by its name.
extern "C" [[gnu::noinline]] void dhyan_counted(const std::function<void()>& work) { work(); }

namespace dhyan::bench {
namespace {

using ModelPointer = std::unique_ptr<TranslationModel>;

constexpr MadeUp kSize{.sentences = 8, .words = 12, .vocabulary = 500};

ModelPointer small_transformer() {
  return make_transformer_model({{.source_vocabulary = kSize.vocabulary,
                                  .target_vocabulary = kSize.vocabulary,
                                  .hidden = 64,
                                  .encoder_layers = 2,
                                  .decoder_layers = 2,
                                  .attention = {.score = "scaled_dot", .heads = 4},
                                  .tying = Tying::kAll,
                                  .dropout = 0.1},
                                 {.feed_forward = 128}},
                                Rng(1));
}

ModelPointer small_recurrent() {
  return make_recurrent_model({{.source_vocabulary = kSize.vocabulary,
                                .target_vocabulary = kSize.vocabulary,
                                .hidden = 64,
                                .attention = {.hidden = 64},
                                .dropout = 0.1},
                               {.embedding = 64, .output_hidden = 64}},
                              Rng(1));
}

// Counts the second call: the first allocates memory and packs weights.
void count_second(const std::function<void()>& work) {
  work();
  dhyan_counted(work);
}

void train(TranslationModel& model) {
  const Batch batch = make_up_batch(kSize);
  ParameterSet& weights = model.parameters();
  GradientSet gradients(weights);
  const auto optimizer = make_optimizer("adam", weights);
  Arena arena;
  Tape tape(weights);
  count_second([&] {
    arena.reset();
    gradients.clear();
    tape.start(gradients, Rng(1));
    Scope scope(arena, tape);
    const Var loss = model.loss(scope, batch, {.label_smoothing = 0.1}).loss;           // []
    tape.backward(scale(loss, Real(1) / static_cast<Real>(std::ssize(batch.target))));  // []
    clip_by_global_norm(gradients, 1);
    optimizer->step(weights, gradients, 1e-3);
  });
}

// Constant weights, as in a loaded model.
void decode(TranslationModel& model, Index beam_size) {
  prepack(model.parameters());
  const Batch batch = make_up_batch(kSize);
  std::vector<Index> lengths;
  for (Index b = 0; b < batch.sentences(); ++b) lengths.push_back(batch.source_segments.length(b));
  const SearchOptions options{.beam_size = beam_size, .min_length = kSize.words - 1, .max_length = kSize.words};
  count_second([&] {
    const auto decoding = model.decode({batch.source, batch.source_segments});
    search(*decoding, lengths, options);
  });
}

struct Case {
  std::string_view name;
  void (*run)();
};
constexpr Case kCases[] = {
    {"train-transformer", [] { train(*small_transformer()); }},
    {"train-recurrent", [] { train(*small_recurrent()); }},
    {"greedy-transformer", [] { decode(*small_transformer(), 1); }},
    {"greedy-recurrent", [] { decode(*small_recurrent(), 1); }},
    {"beam-transformer", [] { decode(*small_transformer(), 4); }},
};

void run(const std::string& name) {
  kernels::prepare_thread();
  for (const Case& one : kCases) {
    if (one.name == name) return one.run();
    if (name == "list") std::cout << one.name << '\n';
  }
  if (name != "list") throw UsageError("no workload is named '" + name + "'");
}

}  // namespace
}  // namespace dhyan::bench

int main(int argc, char** argv) {
  std::string name;
  return dhyan::bench::run_program(argc, argv,
                                   {.title = "Workloads whose instructions are counted",
                                    .arguments = {{"name", name, "Name of the workload; list: print all names"}}},
                                   [&] { dhyan::bench::run(name); });
}
