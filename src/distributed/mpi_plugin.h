// What libdhyan_mpi.so gives to the binary, in C: the binary loads it only if several ranks are started, and runs where
// no MPI is installed. All functions are called by one thread.

#ifndef DHYAN_DISTRIBUTED_MPI_PLUGIN_H_
#define DHYAN_DISTRIBUTED_MPI_PLUGIN_H_

#include <stddef.h>

#define DHYAN_MPI_PLUGIN_VERSION 1
#define DHYAN_MPI_PLUGIN_SYMBOL "dhyan_mpi_plugin"

// An operation under way; the bytes must stay until it is done.
typedef void* DhyanMpiRequest;

typedef struct DhyanMpiPlugin {
  int version;
  const char* (*start)(int* rank, int* size);                       // null, or why MPI cannot start
  DhyanMpiRequest (*send)(int to, const void* bytes, size_t size);  // null: failed
  // Takes the next message that has arrived out of the queue; returns its size, -1 if there is none, -2 if MPI failed.
  long long (*next)(int* from);
  DhyanMpiRequest (*receive)(void* bytes, size_t size);  // that message; null: failed
  int (*done)(DhyanMpiRequest request);                  // 1: done, and the request has ended; 0: not yet; -1: failed
  void (*finish)(void);
} DhyanMpiPlugin;

#endif  // DHYAN_DISTRIBUTED_MPI_PLUGIN_H_
