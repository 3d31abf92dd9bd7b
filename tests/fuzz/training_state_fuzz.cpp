// libFuzzer: a file of training state throws ModelFileError, or gives a state with which training can continue. The
// input is the file, or lines "name value" that replace metadata of a valid file, because few mutations get past its
// header.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "core/error.h"
#include "memory_file.h"
#include "training/training_state.h"

namespace {

using namespace dhyan;

nlohmann::json valid_metadata() {
  return {{"step", "7"},
          {"skipped", "0"},
          {"validated_step", "5"},
          {"waited", "1"},
          {"epoch_tokens", "12"},
          {"seconds", "1.5"},
          {"data", "1"},
          {"seed", "2"},
          {"epoch", "0"},
          {"pool", "0"},
          {"batch", "3"},
          {"interval_steps", "2"},
          {"interval_target_tokens", "9"},
          {"interval_predictions", "9"},
          {"interval_nll", "3.5"},
          {"interval_gradient_norm", "0.5"},
          {"interval_seconds", "0.25"},
          {"best", "5 2.5"},
          {"last", "5 7"},
          {"records", "bleu 12.5"},
          {"mean", ""},
          {"metric", "loss"},
          {"schedule", "1 2"},
          {"logs", "train.log 120"},
          {"optimizer_steps", "7"}};
}

std::string file_with(const std::string& changes) {
  nlohmann::json metadata = valid_metadata();
  std::istringstream lines(changes);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = std::min(line.find(' '), line.size());
    metadata[line.substr(0, space)] = line.substr(std::min(space + 1, line.size()));
  }
  constexpr auto kReplace = nlohmann::json::error_handler_t::replace;
  const nlohmann::json header{{"__metadata__", metadata}};
  const std::string text = header.dump(-1, ' ', false, kReplace);
  std::string file;
  for (int shift = 0; shift < 64; shift += 8) file += static_cast<char>(text.size() >> shift);
  return file + text;
}

void check(const std::string& bytes) {
  const MemoryFile file(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  try {
    const TrainingState state = read_training_state(file.path());
    if (state.step < 0 || state.skipped < 0 || state.waited < 0 || !(state.seconds >= 0)) std::abort();
    for (const NamedScore& log : state.logs) {
      if (!(log.value >= 0 && std::isfinite(log.value))) std::abort();
    }
    for (const Checkpoint& kept : state.kept.best) {
      if (kept.step < 0) std::abort();
    }
  } catch (const ModelFileError&) {
  } catch (const IoError&) {  // an empty file cannot be mapped
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check(bytes);
  check(file_with(bytes));
  return 0;
}
