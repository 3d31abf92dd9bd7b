#pragma once

namespace dhyan::cli {

// Thrown where a command can stop; main() exits with code 130.
struct Interrupted {};

// Installs the signal handlers. The first SIGINT, SIGTERM, SIGHUP or SIGUSR1, with which Slurm warns before its time
// limit, only sets a flag: long work polls interrupted(), saves and stops. A blocking system call returns with EINTR. A
// second signal at least a third of a second later ends the process at once with exit code 130. SIGHUP stays ignored if
// it was. A pipe closed by its reader, or a limit on the size of files, becomes an error of write() instead of a
// signal.
void catch_signals();

bool interrupted();

void throw_if_interrupted();

}  // namespace dhyan::cli
