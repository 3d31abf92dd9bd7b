#include <algorithm>
#include <array>

#include "core/choice.h"
#include "core/error.h"
#include "core/pluralize.h"
#include "core/suggest.h"
#include "kernels/simd/runtime.h"
#include "lab/experiment.h"
#include "lab/gradients.h"
#include "lab/length.h"
#include "lab/order.h"
#include "lab/parallel.h"
#include "lab/reference.h"
#include "lab/result_files.h"
#include "lab/scores.h"

namespace dhyan::lab {

namespace {

// With the scores of the papers.
ScoresSize quick_scores() {
  ScoresSize size;
  size.scores = {"dot", "general", "additive", "location"};
  size.settings.push_back("max-steps: 400\ntotal-steps: 400\n");
  return size;
}

// The Transformer resolves "it" only after more than 450 steps.
ReferenceSize quick_reference() {
  ReferenceSize size;
  size.one_vector.push_back("max-steps: 400\ntotal-steps: 400\n");
  size.language.push_back("max-steps: 600\ntotal-steps: 600\n");
  return size;
}

// Two curves, and a smaller model without attention.
LengthSize quick_length() {
  LengthSize size;
  size.trained_up_to = {50};
  size.settings_without.push_back("hidden: 256\nmax-steps: 1800\ntotal-steps: 1800\n");
  size.settings_with.push_back("max-steps: 700\ntotal-steps: 700\n");
  return size;
}

constexpr auto kExperiments = std::to_array<Experiment>({
    {.name = "length",
     .claim = "One fixed vector forgets long sentences; attention does not",
     .paper = "bahdanau2015",
     .data = "the phrasebook, hi-en, with sentences of up to 60 words",
     .minutes = 10,
     .seeds = 1,
     .inputs = {.data = true, .model = true},
     .run = [](LabRun& run) { return run_length(run, run.options().quick ? quick_length() : LengthSize()); }},
    {.name = "gradients",
     .claim = "Gradients vanish through a plain RNN, less through GRU and LSTM, and attention gives a direct path",
     .paper = "pascanu2013",
     .data = "made up: name the marked symbol among 100",
     .minutes = 5,
     .seeds = 3,
     .inputs = {},
     .run = [](LabRun& run) { return run_gradients(run, {.steps = run.options().quick ? 800 : 4000}); }},
    {.name = "parallel",
     .claim = "An RNN is sequential, self-attention is parallel",
     .paper = "vaswani2017",
     .data = "random words",
     .minutes = 2,
     .seeds = 1,
     .inputs = {},
     .run = [](LabRun& run) { return run_parallel(run, {.seconds = run.options().quick ? 0.05 : 0.4}); }},
    {.name = "order",
     .claim = "Attention learns word order as well as words",
     .paper = "bahdanau2015",
     .data = "the phrasebook, hi-en and fr-en",
     .minutes = 10,
     .seeds = 1,
     .inputs = {.data = true, .alignments = true, .model = true},
     .run =
         [](LabRun& run) {
           return run_order(run, run.options().quick ? OrderSize{.presets = {"rnnsearch"}} : OrderSize());
         }},
    {.name = "scores",
     .claim = "The score function matters",
     .paper = "luong2015",
     .data = "the phrasebook, hi-en",
     .minutes = 10,
     .seeds = 2,
     .inputs = {.data = true, .alignments = true, .model = true},
     .run = [](LabRun& run) { return run_scores(run, run.options().quick ? quick_scores() : ScoresSize()); }},
    {.name = "reference",
     .claim = "Self-attention resolves what 'it' means",
     .paper = "vaswani2017",
     .data = "the reference corpus, en-fr",
     .minutes = 8,
     .seeds = 1,
     .inputs = {.model = true},
     .run = [](LabRun& run) { return run_reference(run, run.options().quick ? quick_reference() : ReferenceSize()); }},
});

std::string machine_of(const LabOptions& options) {
  return cat(pluralize(static_cast<std::uint64_t>(options.threads), "thread"), ", ", kernels::simd_target());
}

std::string seeds_of(const LabOptions& options) {
  if (options.seeds == 1) return std::to_string(options.seed);
  return cat(options.seed, " to ", options.seed + static_cast<std::uint64_t>(options.seeds) - 1);
}

void check_inputs(const Experiment& experiment, const LabOptions& options) {
  const auto refuse = [&](const char* option) {
    throw UsageError(cat("lab run: ", experiment.name, " takes no ", option, "; its data: ", experiment.data));
  };
  if (!experiment.inputs.data && (!options.data.empty() || !options.test.empty())) refuse("--data");
  if (!experiment.inputs.alignments && !options.alignments.empty()) refuse("--alignments");
  if (!experiment.inputs.model && !options.model.empty()) refuse("--model");
}

}  // namespace

std::span<const Experiment> experiments() { return kExperiments; }

const Experiment& experiment_named(std::string_view name) {
  const auto found = std::ranges::find(kExperiments, name, &Experiment::name);
  if (found != kExperiments.end()) return *found;
  throw UsageError(unknown_name("experiment", name, names_of(kExperiments)));
}

LabResult run_experiment(const Experiment& experiment, LabOptions options, RunObserver& observer) {
  check_inputs(experiment, options);
  if (options.seeds == 0) options.seeds = experiment.seeds;
  LabRun run(experiment.name, options, observer);
  const Findings findings = experiment.run(run);
  std::string data;
  for (const std::string& file : options.data) data += cat(data.empty() ? "" : " ", file);
  return write_result(options.folder,
                      {.experiment = std::string(experiment.name),
                       .claim = std::string(experiment.claim),
                       .paper = std::string(experiment.paper),
                       .data = data.empty() ? std::string(experiment.data) : data,
                       .command = options.command,
                       .seeds = seeds_of(options),
                       .minutes = run.seconds() / 60,
                       .machine = machine_of(options)},
                      findings);
}

}  // namespace dhyan::lab
