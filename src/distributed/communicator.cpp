#include "distributed/communicator.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace dhyan {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::size_t kKeyBytes = sizeof(MessageKey);
static_assert(kKeyBytes == 16, "a key is sent as it is in memory");

// Between two looks for messages: a waiting thread wants its message at once; a computing one wants its core.
constexpr microseconds kWhileWaiting{20}, kWhileComputing{300};
constexpr int kSignsOfLife = 8;  // within a timeout
constexpr milliseconds kLongestBetweenLooks{50};
constexpr int kLooks = 16;                      // for lost ranks, within a timeout
constexpr milliseconds kLongestSettling{2000};  // of a failure

Bytes with_key(const MessageKey& key, const Bytes& message) {
  Bytes bytes(kKeyBytes + message.size());
  std::memcpy(bytes.data(), &key, kKeyBytes);
  if (!message.empty()) std::memcpy(bytes.data() + kKeyBytes, message.data(), message.size());
  return bytes;
}

Bytes bytes_of(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

}  // namespace

Communicator::Communicator(const OpenTransport& open, const RankLimits& limits) : limits_(limits) {
  thread_ = std::thread([this, open] { work(open); });
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [&] { return started_ || not_opened_; });
  if (!not_opened_) return;
  lock.unlock();
  thread_.join();
  std::rethrow_exception(not_opened_);
}

Communicator::~Communicator() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
    to_do_.notify_all();
  }
  thread_.join();
}

void Communicator::work(const OpenTransport& open) {
  try {
    const std::unique_ptr<Transport> transport = open();
    std::unique_lock lock(mutex_);
    rank_ = transport->rank();
    size_ = transport->size();
    heard_.assign(static_cast<std::size_t>(size_), Clock::now());
    started_ = true;
    arrived_.notify_all();
    serve(*transport, lock);
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    if (!started_) {
      not_opened_ = std::current_exception();
      arrived_.notify_all();
      return;
    }
    try {
      throw;
    } catch (const std::exception& error) {
      fail_locked(cat(name_of(rank_), ": ", error.what()));
    } catch (...) {
      fail_locked(cat(name_of(rank_), ": messages cannot be moved any more"));
    }
  }
}

// The lock is held but for calls of the transport.
void Communicator::serve(Transport& transport, std::unique_lock<std::mutex>& lock) {
  while (!closing_) {
    const bool moved = move_messages(transport, lock);
    show_life();
    look_for_lost();
    if (finishing_ && to_send_.empty()) {
      lock.unlock();
      const bool sent = transport.sent_all();
      if (sent) transport.finish();
      lock.lock();
      if (sent) {
        ended_ = true;
        arrived_.notify_all();
        return;
      }
    }
    if (moved || !to_send_.empty()) continue;
    to_do_.wait_for(lock, receivers_ > 0 || finishing_ ? kWhileWaiting : kWhileComputing);
  }
}

bool Communicator::move_messages(Transport& transport, std::unique_lock<std::mutex>& lock) {
  std::deque<Transport::Message> outgoing = std::exchange(to_send_, {});
  lock.unlock();
  std::vector<Transport::Message> incoming;
  const bool moved = !outgoing.empty();
  for (Transport::Message& message : outgoing) transport.send(message.from, std::move(message.bytes));
  while (std::optional<Transport::Message> message = transport.receive()) incoming.push_back(std::move(*message));
  transport.sent_all();
  lock.lock();
  for (Transport::Message& message : incoming) take(message.from, std::move(message.bytes));
  return moved || !incoming.empty();
}

// The sender is another process of this run, but a message may still be cut short by a network that fails.
void Communicator::take(int from, Bytes bytes) {
  if (from < 0 || from >= size_ || bytes.size() < kKeyBytes) {
    return fail_locked(cat(name_of(from), " sent ", bytes.size(), " bytes, expected at least ", kKeyBytes));
  }
  heard_[static_cast<std::size_t>(from)] = Clock::now();
  MessageKey key;
  std::memcpy(&key, bytes.data(), kKeyBytes);
  bytes.erase(bytes.begin(), bytes.begin() + kKeyBytes);
  if (key.kind == kAliveMessage) return;
  if (key.kind == kEndedMessage) {
    settled_ = true;
    arrived_.notify_all();
  } else if (key.kind == kFailedMessage) {
    if (failed_) return;
    failed_ = true;
    failure_.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (first()) {  // the others hear it from here
      for (int rank = 1; rank < size_; ++rank) {
        if (rank != from) post(rank, {.kind = kFailedMessage}, bytes);
      }
    }
    arrived_.notify_all();
  } else {
    boxes_[{from, key}].push_back(std::move(bytes));
    arrived_.notify_all();
  }
}

void Communicator::show_life() {
  const Clock::time_point now = Clock::now();
  if (now - shown_ < limits_.timeout / kSignsOfLife) return;
  shown_ = now;
  if (!first()) return post(0, {.kind = kAliveMessage}, {});
  for (int rank = 1; rank < size_; ++rank) post(rank, {.kind = kAliveMessage}, {});
}

// Rank 0 looks for all ranks, the others for rank 0.
void Communicator::look_for_lost() {
  const Clock::time_point now = Clock::now();
  if (failed_ || finishing_ || now - looked_ < std::min(limits_.timeout / kLooks, kLongestBetweenLooks)) return;
  const bool slept = looked_ != Clock::time_point() && now - looked_ > limits_.timeout / 2;
  looked_ = now;
  // This process was stopped itself, or had no core: the others have first to be heard again.
  if (slept) return heard_.assign(heard_.size(), now);
  for (int rank = 0; rank < size_; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    if (rank == rank_) continue;
    const auto lose = [&](const std::string& why) {
      first_lost_ = rank == 0;
      fail_locked(cat(name_of(rank), why));
    };
    const bool ended = at < processes_.size() && processes_[at] > 0 && ::kill(processes_[at], 0) != 0 && errno == ESRCH;
    if (ended) return lose(" has ended before the run");
    if ((first() || rank == 0) && now - heard_[at] > limits_.timeout) {
      return lose(cat(" has not answered for ", std::chrono::duration<double>(limits_.timeout).count(),
                      " seconds (--rank-timeout)"));
    }
  }
}

void Communicator::post(int to, const MessageKey& key, Bytes message) {
  bytes_sent_ += kKeyBytes + message.size();
  to_send_.push_back({to, with_key(key, message)});
  to_do_.notify_all();
}

void Communicator::send(int to, const MessageKey& key, Bytes message) {
  const std::scoped_lock lock(mutex_);
  if (failed_) throw_failure();
  post(to, key, std::move(message));
}

Bytes Communicator::receive(int from, const MessageKey& key) {
  std::unique_lock lock(mutex_);
  std::deque<Bytes>& box = boxes_[{from, key}];  // the address is stable
  ++receivers_;
  if (box.empty()) to_do_.notify_all();
  arrived_.wait(lock, [&] { return failed_ || !box.empty(); });
  --receivers_;
  if (box.empty()) throw_failure();
  Bytes message = std::move(box.front());
  box.pop_front();
  if (box.empty() && receivers_ == 0) std::erase_if(boxes_, [](const auto& one) { return one.second.empty(); });
  return message;
}

std::vector<Bytes> Communicator::gather_at_first(Bytes own) {
  const MessageKey key{.kind = kGatherMessage};
  if (!first()) {
    send(0, key, std::move(own));
    return {};
  }
  std::vector<Bytes> all(static_cast<std::size_t>(size_));
  all[0] = std::move(own);
  for (int rank = 1; rank < size_; ++rank) all[static_cast<std::size_t>(rank)] = receive(rank, key);
  return all;
}

std::vector<Bytes> Communicator::all_gather(Bytes own) {
  const std::vector<Bytes> at_first = gather_at_first(std::move(own));
  Bytes together;
  for (const Bytes& part : at_first) {
    const std::uint64_t length = part.size();
    const auto* begin = reinterpret_cast<const std::byte*>(&length);
    together.insert(together.end(), begin, begin + sizeof length);
    together.insert(together.end(), part.begin(), part.end());
  }
  together = broadcast(std::move(together));
  std::vector<Bytes> all;
  std::span<const std::byte> rest(together);
  for (int rank = 0; rank < size_; ++rank) {
    std::uint64_t length = 0;
    if (rest.size() < sizeof length) throw RankError("all_gather: rank 0 sent too few bytes");
    std::memcpy(&length, rest.data(), sizeof length);
    rest = rest.subspan(sizeof length);
    if (rest.size() < length) throw RankError("all_gather: rank 0 sent too few bytes");
    all.emplace_back(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length));
    rest = rest.subspan(length);
  }
  return all;
}

// Down a binomial tree: rank r hears from r without its lowest set bit.
Bytes Communicator::broadcast(Bytes of_first) {
  const MessageKey key{.kind = kBroadcastMessage};
  const int lowest = rank_ & -rank_;
  Bytes message = first() ? std::move(of_first) : receive(rank_ - lowest, key);
  int step = 1;
  while (first() ? step < size_ : step < lowest) step *= 2;
  for (step /= 2; step > 0; step /= 2) {
    if (rank_ + step < size_) send(rank_ + step, key, message);
  }
  return message;
}

void Communicator::set_names(std::vector<std::string> names) {
  const std::scoped_lock lock(mutex_);
  names_ = std::move(names);
}

std::string Communicator::name_of(int rank) const {
  const auto at = static_cast<std::size_t>(rank);
  return at < names_.size() ? cat("rank ", rank, " on ", names_[at]) : cat("rank ", rank);
}

// A process that cannot be seen from here, because it is in another container, is not watched.
void Communicator::watch(std::vector<int> processes) {
  for (int& process : processes) {
    if (process > 0 && ::kill(process, 0) != 0) process = 0;
  }
  const std::scoped_lock lock(mutex_);
  processes_ = std::move(processes);
}

std::string Communicator::fail(const std::string& reason) {
  const std::scoped_lock lock(mutex_);
  if (!failed_) fail_locked(reason.starts_with("rank ") ? reason : cat(name_of(rank_), ": ", reason));
  return failure_;
}

bool Communicator::failed() const {
  const std::scoped_lock lock(mutex_);
  return failed_;
}

bool Communicator::reports_failure() const {
  const std::scoped_lock lock(mutex_);
  return rank_ == 0 || (rank_ == 1 && first_lost_);
}

void Communicator::fail_locked(const std::string& reason) {
  if (failed_) return;
  failed_ = true;
  failure_ = reason;
  for (int rank = 0; rank < size_; ++rank) {
    if (rank != rank_ && (first() || rank == 0)) post(rank, {.kind = kFailedMessage}, bytes_of(reason));
  }
  arrived_.notify_all();
}

void Communicator::throw_failure() const { throw RankError(failure_); }

bool Communicator::settle_failure() {
  std::unique_lock lock(mutex_);
  if (!first()) {
    return arrived_.wait_for(lock, kLongestSettling, [&] { return settled_; });
  }
  for (int rank = 1; rank < size_; ++rank) post(rank, {.kind = kEndedMessage}, {});
  arrived_.wait_for(lock, milliseconds(200), [&] { return closing_; });  // the messages leave
  return true;
}

void Communicator::finish() {
  barrier();
  std::unique_lock lock(mutex_);
  finishing_ = true;
  to_do_.notify_all();
  arrived_.wait(lock, [&] { return ended_ || failed_; });
}

bool Communicator::finished() const {
  const std::scoped_lock lock(mutex_);
  return finishing_;
}

std::uint64_t Communicator::bytes_sent() const {
  const std::scoped_lock lock(mutex_);
  return bytes_sent_;
}

}  // namespace dhyan
