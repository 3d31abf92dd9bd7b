#include "lab/lab_run.h"

#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "config/options.h"
#include "config/presets.h"
#include "core/error.h"
#include "core/file.h"
#include "core/version.h"
#include "kernels/simd/runtime.h"
#include "runs/training_run.h"
#include "training/trainer.h"

namespace dhyan::lab {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kOptionsFile = "options.json";

std::string text_of_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw IoError(cat(path.string(), ": cannot be read"));
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string absolute(const std::string& file) {
  return file.empty() ? "" : fs::absolute(file).lexically_normal().string();
}

ordered_json absolute(const std::vector<std::string>& files) {
  ordered_json list = ordered_json::array();
  for (const std::string& file : files) list.push_back(absolute(file));
  return list;
}

// The settings that the kept measurements depend on. More seeds only add measurements.
std::string dependencies(std::string_view experiment, const LabOptions& options) {
  const ordered_json json{{"experiment", experiment},
                          {"dhyan", std::string(version())},
                          {"data", absolute(options.data)},
                          {"test", absolute(options.test)},
                          {"alignments", absolute(options.alignments)},
                          {"model", options.model},
                          {"seed", options.seed},
                          {"quick", options.quick}};
  return json.dump(2) + '\n';
}

// A run that failed before it measured anything leaves a folder without results.
bool has_results(const fs::path& folder) {
  const fs::path measured = folder / "measured";
  return fs::exists(folder / "models") || (fs::exists(measured) && !fs::is_empty(measured));
}

void take_folder(std::string_view experiment, const LabOptions& options) {
  const fs::path file = options.folder / kOptionsFile;
  const std::string wanted = dependencies(experiment, options);
  if (fs::exists(file) && text_of_file(file) != wanted) {
    if (!options.overwrite && has_results(options.folder)) {
      throw UsageError(cat(options.folder.string(), ": has results of other options, which are in ", file.string(),
                           "; choose another folder, or --overwrite"));
    }
  } else if (!fs::exists(file) && fs::exists(options.folder) && !fs::is_empty(options.folder)) {
    throw UsageError(cat(options.folder.string(), ": is neither empty nor a folder of this experiment"));
  }
  if (options.overwrite && fs::exists(file)) {
    fs::remove_all(options.folder / "models");
    fs::remove_all(options.folder / "measured");
  }
  fs::create_directories(options.folder / "measured");
  write_file(file, wanted);
}

// Values measured in one run, and the time it took.
struct Kept {
  double seconds = 0;
  std::vector<double> values;
  bool complete = false;  // else it was stopped
};

Kept read_kept(const fs::path& file) {
  const auto json = ordered_json::parse(text_of_file(file), nullptr, false);
  const auto fail = [&] {
    throw DataError(cat(file.string(), ": is not what was measured; remove it to measure again"));
  };
  if (!json.is_object() || !json.contains("seconds") || !json["seconds"].is_number()) fail();
  Kept kept{json["seconds"].get<double>(), {}, json.contains("values")};
  if (!kept.complete) return kept;
  if (!json["values"].is_array()) fail();
  for (const ordered_json& value : json["values"]) {
    if (!value.is_number() && !value.is_null()) fail();
    kept.values.push_back(value.is_null() ? std::nan("") : value.get<double>());
  }
  return kept;
}

void write_kept(const fs::path& file, const Kept& kept) {
  ordered_json json{{"seconds", kept.seconds}};
  if (kept.complete) json["values"] = kept.values;  // NaN is null
  write_file(file, json.dump() + '\n');
}

}  // namespace

LabRun::LabRun(std::string_view experiment, const LabOptions& options, RunObserver& observer)
    : options_(options), observer_(observer), pool_(kernels::make_thread_pool(options.threads)) {
  if (options.seeds < 1) throw UsageError(cat("lab: ", options.seeds, " seeds; expected at least 1"));
  if (options.data.empty() != options.test.empty()) {
    throw UsageError("lab: --data needs --test, and the other way round: pairs to train on, and pairs to measure on");
  }
  if (!options.alignments.empty() && options.test.empty())
    throw UsageError("lab: --alignments are those of --test, which is missing");
  take_folder(experiment, options);
}

void LabRun::poll() const {
  if (options_.poll) options_.poll();
}

std::vector<std::uint64_t> LabRun::seeds() const {
  std::vector<std::uint64_t> seeds;
  for (int i = 0; i < options_.seeds; ++i) seeds.push_back(options_.seed + static_cast<std::uint64_t>(i));
  return seeds;
}

std::vector<double> LabRun::measured(const std::string& name, const std::function<std::vector<double>()>& measure) {
  const fs::path file = kept(name + ".json");
  Kept kept = fs::exists(file) ? read_kept(file) : Kept();
  if (!kept.complete) {
    poll();
    const auto start = std::chrono::steady_clock::now();
    const auto add_time = [&] {
      kept.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    try {
      kept.values = measure();
    } catch (...) {
      add_time();
      write_kept(file, kept);
      throw;
    }
    add_time();
    kept.complete = true;
    write_kept(file, kept);
  }
  seconds_ += kept.seconds;
  return kept.values;
}

fs::path LabRun::trained(const std::string& name, const Config& config) {
  const fs::path folder = options_.folder / "models" / name;
  measured("trained-" + name, [&] {
    const bool resumed = Trainer::can_resume(folder);
    observer_.on_note(cat(resumed ? "training further: " : "training: ", name));
    TrainingRun run(resumed ? load_config(folder) : config,
                    {.folder = folder,
                     .existing = resumed ? Existing::kResume : Existing::kOverwrite,
                     .threads = options_.threads,
                     .poll = options_.poll},
                    observer_);
    const Ended ended = run.run([this] { return options_.stop && options_.stop(); });
    if (ended == Ended::kOnRequest) poll();
    if (ended == Ended::kOnRequest || ended == Ended::kNotFinite) {
      throw Error(cat("lab: the training of ", name, " stopped after step ", run.state().step,
                      ended == Ended::kNotFinite ? ": its gradients are NaN or infinite" : ""));
    }
    return std::vector<double>{static_cast<double>(run.state().step), static_cast<double>(run.facts().weights)};
  });
  return folder;
}

Config LabRun::config(std::string_view preset, std::uint64_t seed, const std::vector<std::string>& settings) const {
  Config config = config_of(preset, options_.data.empty() ? CorpusOf::kBuiltIn : CorpusOf::kUser);
  config.data.train = options_.data;
  config.training.seed = seed;
  for (const std::string& text : settings) assign(config, parse_yaml("the experiment", text));
  complete(config);
  return config;
}

TestSet LabRun::test_set(std::string_view phrasebook, Index max_words) const {
  if (options_.test.empty()) return phrasebook_test_set(phrasebook, Part::kTest, max_words);
  return read_test_set({.pairs = options_.test, .references = {}, .alignments = options_.alignments},
                       {.poll = options_.poll});
}

}  // namespace dhyan::lab
