#include "training/training_state.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <sstream>

#include "core/error.h"
#include "core/number_text.h"
#include "distributed/message_bytes.h"
#include "interop/checksum.h"
#include "interop/safetensors.h"
#include "training/rank_exchange.h"

namespace dhyan {

namespace {

constexpr std::string_view kOptimizer = "optimizer.", kAverage = "average.", kOptimizerSteps = "optimizer_steps";

// Fields that older states lack; they keep their default values.
constexpr std::array<std::string_view, 8> kNewer{
    "skipped_in_a_row", "validation_due", "interval_update_ratio", "last", "records", "metric", "logs", "mean"};

constexpr double kLongestLog = 9007199254740992;  // bytes: 2^53, the largest range of exact integers in a double

// All fields that are saved as text, by name. `State` is TrainingState, const or not.
template <class State, class F>
void for_each_field(State& state, const F& f) {
  f("step", state.step);
  f("skipped", state.skipped);
  f("skipped_in_a_row", state.skipped_in_a_row);
  f("validated_step", state.validated_step);
  f("validation_due", state.validation_due);
  f("waited", state.waited);
  f("epoch_tokens", state.epoch_tokens);
  f("seconds", state.seconds);
  f("data", state.position.data);
  f("seed", state.position.seed);
  f("epoch", state.position.epoch);
  f("pool", state.position.buffer);
  f("batch", state.position.batch);
  f("interval_steps", state.interval.steps);
  f("interval_target_tokens", state.interval.target_tokens);
  f("interval_predictions", state.interval.predictions);
  f("interval_nll", state.interval.nll);
  f("interval_gradient_norm", state.interval.gradient_norm);
  f("interval_update_ratio", state.interval.update_ratio);
  f("interval_seconds", state.interval.seconds);
  f("best", state.kept.best);
  f("last", state.kept.last);
  f("records", state.kept.records);
  f("mean", state.kept.mean);
  f("metric", state.metric);
  f("schedule", state.schedule);
  f("logs", state.logs);
}

template <class T>
requires std::integral<T> || std::floating_point<T> std::string text_of(T number) { return number_text(number); }

std::string text_of(const std::string& text) { return text; }

std::string text_of(const std::optional<double>& number) { return number ? number_text(*number) : ""; }

template <class T>
requires std::integral<T> || std::floating_point<T> std::string text_of(const std::vector<T>& numbers) {
  std::string text;
  for (const T number : numbers) text += cat(text.empty() ? "" : " ", number_text(number));
  return text;
}

// "step score step score ..."
std::string text_of(const std::vector<Checkpoint>& checkpoints) {
  std::vector<double> numbers;
  for (const Checkpoint& one : checkpoints) numbers.insert(numbers.end(), {static_cast<double>(one.step), one.score});
  return text_of(numbers);
}

// "name value name value ..."
std::string text_of(const std::vector<NamedScore>& scores) {
  std::string text;
  for (const NamedScore& one : scores) text += cat(text.empty() ? "" : " ", one.name, " ", number_text(one.value));
  return text;
}

// The untrusted metadata of a state file.
class StateReader {
 public:
  StateReader(std::string where, const Metadata& metadata) : where_(std::move(where)), metadata_(metadata) {}

  template <class T>
  requires std::integral<T> || std::floating_point<T>
  void read(std::string_view name, T& number) const {
    number = parse<T>(name, value(name));
    if (!(number >= 0)) refuse(name, value(name));
  }

  void read(std::string_view name, std::string& text) const { text = value(name); }

  void read(std::string_view name, std::optional<double>& number) const {
    number.reset();
    if (!value(name).empty()) number = parse<double>(name, value(name));
  }

  template <class T>
  requires std::integral<T> || std::floating_point<T>
  void read(std::string_view name, std::vector<T>& numbers) const {
    numbers.clear();
    std::istringstream words(value(name));
    for (std::string word; words >> word;) numbers.push_back(parse<T>(name, word));
  }

  void read(std::string_view name, std::vector<NamedScore>& scores) const {
    scores.clear();
    std::istringstream words(value(name));
    for (std::string key, number; words >> key;) {
      if (!(words >> number)) refuse(name, value(name));
      scores.push_back({key, parse<double>(name, number)});
    }
  }

  void read(std::string_view name, std::vector<Checkpoint>& checkpoints) const {
    constexpr double kMostSteps = 1e15;
    std::vector<double> numbers;
    read(name, numbers);
    if (numbers.size() % 2 != 0) refuse(name, value(name));
    checkpoints.clear();
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
      if (!(numbers[i] >= 0 && numbers[i] < kMostSteps)) refuse(name, value(name));
      checkpoints.push_back({static_cast<Index>(numbers[i]), numbers[i + 1]});
    }
  }

  [[noreturn]] void refuse(std::string_view name, const std::string& text) const {
    throw ModelFileError(
        cat(where_, ": '", name, "' is '", text.substr(0, 100), "', which is not a valid training state"));
  }

 private:
  const std::string& value(std::string_view name) const {
    const auto found = metadata_.find(std::string(name));
    if (found == metadata_.end()) throw ModelFileError(cat(where_, ": '", name, "' is missing"));
    return found->second;
  }

  template <class T>
  T parse(std::string_view name, const std::string& text) const {
    if (const auto number = parse_number<T>(text)) return *number;
    refuse(name, text);
  }

  std::string where_;
  const Metadata& metadata_;
};

// The tensors of a file whose names begin with `prefix`, without it.
std::vector<NamedTensor> tensors_of(const SafetensorsFile& file, std::string_view prefix,
                                    const std::function<void()>& poll) {
  std::vector<NamedTensor> tensors;
  for (const TensorEntry& entry : file.entries()) {
    if (!entry.name.starts_with(prefix)) continue;
    if (poll) poll();
    tensors.push_back({entry.name.substr(prefix.size()), file.read(entry)});
  }
  return tensors;
}

void expect_weights_of(const std::string& where, std::span<const NamedTensor> tensors, const ParameterSet& weights) {
  if (tensors.size() != weights.count()) {
    throw ModelFileError(cat(where, ": holds ", tensors.size(), " weights, expected ", weights.count()));
  }
  for (const NamedTensor& tensor : tensors) {
    const Parameter* parameter = weights.find(tensor.name);
    if (parameter == nullptr || parameter->value.shape() != tensor.value.shape()) {
      throw ModelFileError(cat(where, ": holds the weight '", tensor.name, "' ", tensor.value.shape(), ", expected ",
                               parameter == nullptr ? "no such weight" : cat(parameter->value.shape())));
    }
  }
}

TrainingState state_of(const std::string& where, const Metadata& metadata) {
  const StateReader reader(where, metadata);
  TrainingState state;
  state.metric = "loss";  // the default of older states
  for_each_field(state, [&](const char* name, auto& field) {
    const bool may_be_missing = std::ranges::find(kNewer, std::string_view(name)) != kNewer.end();
    if (!may_be_missing || metadata.contains(name)) reader.read(name, field);
  });
  for (const NamedScore& log : state.logs) {
    if (!(log.value >= 0 && log.value <= kLongestLog)) reader.refuse("logs", cat(log.name, " ", log.value));
  }
  return state;
}

Metadata metadata_of(const TrainingState& state, Index optimizer_steps) {
  Metadata metadata{{std::string(kOptimizerSteps), number_text(optimizer_steps)}};
  for_each_field(state, [&](const char* name, const auto& field) { metadata[name] = text_of(field); });
  return metadata;
}

Index optimizer_steps_in(const std::string& where, const Metadata& metadata) {
  Index steps = 0;
  StateReader(where, metadata).read(kOptimizerSteps, steps);
  return steps;
}

Bytes message_of(const Metadata& metadata) {
  MessageWriter message;
  message.number(static_cast<std::uint64_t>(metadata.size()));
  for (const auto& [name, value] : metadata) {
    message.text(name);
    message.text(value);
  }
  return message.take();
}

Metadata metadata_in(const Bytes& bytes) {
  MessageReader message(bytes);
  Metadata metadata;
  for (auto left = message.number<std::uint64_t>(); left > 0; --left) {
    const std::string name = message.text();
    metadata[name] = message.text();
  }
  return metadata;
}

// Rank 0 has loaded a state: the others take it over, each its share of the optimizer's.
TrainingState share_state(const TrainingState& loaded, std::span<const NamedTensor> optimizer_state,
                          const TrainedTensors& tensors) {
  Communicator& ranks = *tensors.ranks;
  const Metadata metadata = metadata_in(
      ranks.broadcast(ranks.first() ? message_of(metadata_of(loaded, tensors.optimizer.steps())) : Bytes()));
  take_weights_of_first(ranks, tensors.weights);
  if (tensors.average != nullptr) {
    const UseAverage used(tensors.average, tensors.weights);
    take_weights_of_first(ranks, tensors.weights);
  }
  share_optimizer_state(ranks, tensors.optimizer, optimizer_state, optimizer_steps_in("rank 0", metadata));
  return state_of("rank 0", metadata);
}

}  // namespace

void save_training_state(const std::filesystem::path& file, const TrainingState& state, const TrainedTensors& tensors) {
  std::vector<NamedTensor> all;
  const auto add = [&](std::string_view prefix, const std::string& name, const Tensor& value) {
    all.push_back({cat(prefix, name), value});
  };
  for (const Parameter& weight : tensors.weights) add(kStateWeights, weight.name, weight.value);
  std::vector<NamedTensor> gathered;
  if (tensors.ranks != nullptr) {
    gathered = gather_optimizer_state(*tensors.ranks, tensors.optimizer);
    if (!tensors.ranks->first()) return;
  }
  for (const NamedTensor& slot : tensors.ranks != nullptr ? gathered : tensors.optimizer.state())
    add(kOptimizer, slot.name, slot.value);
  if (tensors.average != nullptr) {
    for (const NamedTensor& average : tensors.average->state()) add(kAverage, average.name, average.value);
  }
  save_tensors(file, all, metadata_of(state, tensors.optimizer.steps()));
}

TrainingState read_training_state(const std::filesystem::path& file) {
  return state_of(file.string(), SafetensorsFile(file).metadata());
}

TrainingState load_training_state(const std::filesystem::path& file, const TrainedTensors& tensors,
                                  const std::function<void()>& poll) {
  if (tensors.ranks != nullptr && !tensors.ranks->first()) return share_state({}, {}, tensors);
  const SafetensorsFile opened(file);
  expect_intact(opened);
  TrainingState state = state_of(file.string(), opened.metadata());

  const std::vector<NamedTensor> saved = tensors_of(opened, kStateWeights, poll);
  std::vector<NamedTensor> averages = tensors_of(opened, kAverage, poll);
  if (averages.empty()) averages = saved;
  expect_weights_of(file.string(), saved, tensors.weights);
  expect_weights_of(file.string(), averages, tensors.weights);
  const std::vector<NamedTensor> optimizer_state = tensors_of(opened, kOptimizer, poll);
  tensors.optimizer.restore(optimizer_state, optimizer_steps_in(file.string(), opened.metadata()));
  const auto place = [&](std::span<const NamedTensor> from) {
    for (const NamedTensor& tensor : from)
      std::ranges::copy(tensor.value.span(), tensors.weights.find(tensor.name)->value.data());
  };
  if (tensors.average != nullptr) {
    place(averages);
    tensors.average->swap_with(tensors.weights);
  }
  place(saved);
  opened.expect_unchanged();
  return tensors.ranks != nullptr ? share_state(state, optimizer_state, tensors) : state;
}

}  // namespace dhyan
