#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "core/error.h"
#include "distributed/transport.h"

namespace dhyan {

// A rank failed, was lost, or disagrees with the others: the run has ended on all ranks.
class RankError : public Error {
 public:
  using Error::Error;
};

// What a message is about: messages of one sender with one key are received in the order in which they were sent, and
// those of different keys in any order.
struct MessageKey {
  std::uint32_t kind = 0;
  std::uint32_t a = 0, b = 0, c = 0;

  friend auto operator<=>(const MessageKey&, const MessageKey&) = default;
};

// The kinds of messages. Those of this room come first.
enum MessageKind : std::uint32_t {
  kAliveMessage,
  kFailedMessage,
  kEndedMessage,
  kGatherMessage,
  kBroadcastMessage,
  kGradientMessage,
  kFinalGradientMessage,
  kWeightMessage,
  kOptimizerMessage,
  kFileMessage,
  kLinesMessage,
};

// The longest message; longer content is sent in parts.
inline constexpr std::size_t kLongestMessage = std::size_t{64} << 20;

struct RankLimits {
  std::chrono::milliseconds timeout{30'000};  // of silence after which a rank counts as lost
};

// This rank's connection to the others. Its own thread moves the messages, while others compute, and sends a sign of
// life to rank 0, which sends one to each rank. Once a rank has failed or was silent for too long, all calls on all
// ranks throw RankError with the same reason.
class Communicator {
 public:
  // Exceptions of `open` are rethrown here.
  explicit Communicator(const OpenTransport& open, const RankLimits& limits = {});
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool first() const { return rank_ == 0; }

  // From any thread. Sending takes the message over and returns at once; receiving waits for it.
  void send(int to, const MessageKey& key, Bytes message);
  Bytes receive(int from, const MessageKey& key);

  // Collective: called by all ranks in the same order, each from one thread.
  std::vector<Bytes> all_gather(Bytes own);       // by rank
  std::vector<Bytes> gather_at_first(Bytes own);  // by rank on rank 0; empty on the others
  Bytes broadcast(Bytes of_first);                // what rank 0 gave
  void barrier() { all_gather({}); }

  // Names of ranks in messages; without, they are numbers alone.
  void set_names(std::vector<std::string> names);
  std::string name_of(int rank) const;  // "rank 2 on host3"

  // Processes of this machine, by rank, which are lost as soon as they have ended; 0: on another machine.
  void watch(std::vector<int> processes);

  // Ends the run on all ranks: they throw RankError with this reason. Returns the reason of the first failure if there
  // was one before.
  std::string fail(const std::string& reason);
  bool failed() const;

  // Whether this rank tells the user of a failure: rank 0, or rank 1 if rank 0 is lost.
  bool reports_failure() const;

  // On rank 0 after it has told its user why the run has failed; on others waits, but not for long, until it has,
  // because a launcher kills all ranks as soon as one has ended.
  bool settle_failure();  // whether that was so

  // After the last call, on all ranks. Without it the destructor leaves at once.
  void finish();
  bool finished() const;

  std::uint64_t bytes_sent() const;

 private:
  using Clock = std::chrono::steady_clock;
  using Box = std::tuple<int, MessageKey>;

  void work(const OpenTransport& open);
  void serve(Transport& transport, std::unique_lock<std::mutex>& lock);
  bool move_messages(Transport& transport, std::unique_lock<std::mutex>& lock);
  void take(int from, Bytes bytes);
  void show_life();
  void look_for_lost();
  void post(int to, const MessageKey& key, Bytes message);
  void fail_locked(const std::string& reason);
  [[noreturn]] void throw_failure() const;

  const RankLimits limits_;
  int rank_ = 0, size_ = 1;

  mutable std::mutex mutex_;
  std::condition_variable arrived_;         // a message, a failure, the end of a failure
  std::condition_variable to_do_;           // for the thread: a message to send, the end
  std::deque<Transport::Message> to_send_;  // `from` is the receiver
  std::map<Box, std::deque<Bytes>> boxes_;
  std::vector<Clock::time_point> heard_;  // of each rank
  std::vector<std::string> names_;
  std::vector<int> processes_;
  Clock::time_point shown_;  // life, last
  Clock::time_point looked_;
  int receivers_ = 0;  // threads that wait in receive()
  std::uint64_t bytes_sent_ = 0;
  std::string failure_;
  bool failed_ = false, first_lost_ = false, ended_ = false, settled_ = false, finishing_ = false, closing_ = false,
       started_ = false;
  std::exception_ptr not_opened_;
  std::thread thread_;
};

}  // namespace dhyan
