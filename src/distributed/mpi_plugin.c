// The one file that calls MPI; see mpi_plugin.h.

#include "mpi_plugin.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

enum { kTag = 1 };

static MPI_Comm ranks;
static MPI_Message matched;

static const char* start(int* rank, int* size) {
  int initialized = 0, provided = 0;
  // A signal handler of Open MPI would replace that of the binary.
  setenv("OMPI_MCA_opal_signal", "", 0);
  if (MPI_Initialized(&initialized) != MPI_SUCCESS || initialized) return "MPI was started before";
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return "MPI_Init_thread failed";
  if (MPI_Comm_dup(MPI_COMM_WORLD, &ranks) != MPI_SUCCESS) return "MPI_Comm_dup failed";
  MPI_Comm_set_errhandler(ranks, MPI_ERRORS_RETURN);
  MPI_Comm_rank(ranks, rank);
  MPI_Comm_size(ranks, size);
  return NULL;
}

static DhyanMpiRequest send(int to, const void* bytes, size_t size) {
  MPI_Request* request = malloc(sizeof *request);
  if (request == NULL || size > INT_MAX ||
      MPI_Isend(bytes, (int)size, MPI_BYTE, to, kTag, ranks, request) != MPI_SUCCESS) {
    free(request);
    return NULL;
  }
  return request;
}

static long long next(int* from) {
  int arrived = 0, count = 0;
  MPI_Status status;
  if (MPI_Improbe(MPI_ANY_SOURCE, kTag, ranks, &arrived, &matched, &status) != MPI_SUCCESS) return -2;
  if (!arrived) return -1;
  if (MPI_Get_count(&status, MPI_BYTE, &count) != MPI_SUCCESS || count == MPI_UNDEFINED) return -2;
  *from = status.MPI_SOURCE;
  return count;
}

static DhyanMpiRequest receive(void* bytes, size_t size) {
  MPI_Request* request = malloc(sizeof *request);
  if (request == NULL || size > INT_MAX ||
      MPI_Imrecv(bytes, (int)size, MPI_BYTE, &matched, request) != MPI_SUCCESS) {
    free(request);
    return NULL;
  }
  return request;
}

static int done(DhyanMpiRequest request) {
  int over = 0;
  if (MPI_Test(request, &over, MPI_STATUS_IGNORE) != MPI_SUCCESS) return -1;
  if (over) free(request);
  return over;
}

static void finish(void) {
  MPI_Comm_free(&ranks);
  MPI_Finalize();
}

__attribute__((visibility("default"))) const DhyanMpiPlugin dhyan_mpi_plugin = {
    DHYAN_MPI_PLUGIN_VERSION, start, send, next, receive, done, finish};
