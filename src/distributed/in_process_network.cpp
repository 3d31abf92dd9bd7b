#include "distributed/in_process_network.h"

#include <utility>

namespace dhyan {

class InProcessNetwork::Link final : public Transport {
 public:
  Link(InProcessNetwork& network, int rank) : network_(network), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(network_.ranks_.size()); }

  void send(int to, Bytes message) override {
    const std::scoped_lock lock(network_.mutex_);
    Rank& own = network_.ranks_[static_cast<std::size_t>(rank_)];
    Rank& other = network_.ranks_[static_cast<std::size_t>(to)];
    if (own.lost() || other.lost()) return;
    ++own.sent;
    other.arrived.push_back({rank_, std::move(message)});
  }

  std::optional<Message> receive() override {
    const std::scoped_lock lock(network_.mutex_);
    Rank& own = network_.ranks_[static_cast<std::size_t>(rank_)];
    if (own.lost() || own.arrived.empty()) return std::nullopt;
    Message message = std::move(own.arrived.front());
    own.arrived.pop_front();
    return message;
  }

  bool sent_all() override { return true; }
  void finish() override {}

 private:
  InProcessNetwork& network_;
  int rank_;
};

InProcessNetwork::InProcessNetwork(int size) : ranks_(static_cast<std::size_t>(size)) {}

OpenTransport InProcessNetwork::transport(int rank) {
  return [this, rank] { return std::make_unique<Link>(*this, rank); };
}

void InProcessNetwork::lose_after(int rank, std::size_t messages) {
  const std::scoped_lock lock(mutex_);
  ranks_[static_cast<std::size_t>(rank)].lost_after = messages;
}

}  // namespace dhyan
