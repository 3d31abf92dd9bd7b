#pragma once

namespace dhyan {

// What mpirun or srun says in the environment of a process that it has started.
struct Launched {
  int size = 1;  // ranks; 1: not started by a launcher, or alone
  int rank = 0;
  int local_size = 1;  // ranks on this machine
};
Launched launched();

}  // namespace dhyan
