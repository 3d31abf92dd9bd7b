#pragma once

#include <filesystem>
#include <vector>

#include "distributed/transport.h"

namespace dhyan {

// MPI between processes that mpirun or srun has started, through libdhyan_mpi.so, which is loaded now. ConfigError if
// the library or MPI is missing.
OpenTransport mpi_transport();

// Where the library is looked for: beside the binary, and in ../lib/dhyan from there.
std::vector<std::filesystem::path> mpi_plugin_places();

}  // namespace dhyan
