#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "distributed/handshake.h"

namespace CLI {
class App;
}

namespace dhyan::cli {

// For commands that several ranks share, as processes started by mpirun or srun.
struct RankOptions {
  bool distributed = false;  // also if this is the only rank
  double timeout = 30;       // seconds
};
void add_rank_options(CLI::App& command, RankOptions& options);

// Threads for each rank: the cores that the launcher gave it, or its share of those of the machine.
int usual_threads();

// This rank's connection to the others; null if this process was started alone. The output of ranks other than 0 goes
// nowhere from now on. `agreed` names what must be the same on all ranks, beside the binary and the kind of processor.
std::unique_ptr<Communicator> join_ranks(const RankOptions& options, std::vector<Agreed> agreed);

// What ranks see of a file and of a model, to compare: its content, or that it is missing.
std::string file_on_rank(const std::string& file);
Agreed model_on_rank(const std::string& folder);

// Runs the work of this rank. If it fails on one rank, the process ends here on all of them, and one tells the user.
void run_on_ranks(Communicator* ranks, const std::function<void()>& work);

}  // namespace dhyan::cli
