#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "distributed/transport.h"

namespace dhyan {

// Ranks as threads of one process, for tests. A rank can be lost at any point: like a process that was killed or
// stopped, or a machine that was cut off, it is then neither heard nor reached.
class InProcessNetwork {
 public:
  explicit InProcessNetwork(int size);

  OpenTransport transport(int rank);  // the network must outlive it

  void lose(int rank) { lose_after(rank, 0); }
  void lose_after(int rank, std::size_t messages);  // that it has sent in all

 private:
  class Link;

  struct Rank {
    std::deque<Transport::Message> arrived;
    std::size_t sent = 0;
    std::size_t lost_after = static_cast<std::size_t>(-1);
    bool lost() const { return sent >= lost_after; }
  };

  std::mutex mutex_;
  std::vector<Rank> ranks_;
};

}  // namespace dhyan
