#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace dhyan {

using Bytes = std::vector<std::byte>;

// Moves messages between the ranks of a run: the processes that work on one task, numbered from 0. Messages from one
// rank to another arrive in the order in which they were sent. All calls come from one thread, that of a Communicator,
// and return at once.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  virtual void send(int to, Bytes message) = 0;

  struct Message {
    int from = 0;
    Bytes bytes;
  };
  virtual std::optional<Message> receive() = 0;  // the next message, if one has arrived

  virtual bool sent_all() = 0;

  // Called once on every rank after its last message, unless the run has failed: ranks wait for each other.
  virtual void finish() = 0;
};

// Opens the transport of this rank on the thread that will use it.
using OpenTransport = std::function<std::unique_ptr<Transport>()>;

}  // namespace dhyan
