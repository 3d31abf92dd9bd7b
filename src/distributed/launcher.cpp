#include "distributed/launcher.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace dhyan {

namespace {

// -1: not set, or no number.
int variable(const char* name) {
  const char* text = std::getenv(name);
  int number = -1;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), number);
  return number;
}

}  // namespace

Launched launched() {
  // The shell of a Slurm batch job has SLURM_NTASKS too; only tasks of srun have a step with several.
  for (const auto& [size, rank] : {std::pair("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
                                   {"PMI_SIZE", "PMI_RANK"},
                                   {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}) {
    if (variable(size) > 1 && variable(rank) >= 0)
      return {variable(size), variable(rank), std::max(1, variable("OMPI_COMM_WORLD_LOCAL_SIZE"))};
  }
  return {};
}

}  // namespace dhyan
