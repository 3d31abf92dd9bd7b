#include "distributed/handshake.h"

#include <array>
#include <unistd.h>

#include "distributed/message_bytes.h"

namespace dhyan {

namespace {

std::string host_name() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) return "an unknown host";
  return host.data();
}

}  // namespace

void expect_agreement(Communicator& ranks, const std::vector<Agreed>& agreed) {
  MessageWriter own;
  for (const Agreed& one : agreed) own.text(one.value);
  const std::vector<Bytes> all = ranks.all_gather(own.take());
  std::vector<std::string> of_first;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    MessageReader reader(all[rank]);
    for (std::size_t i = 0; i < agreed.size(); ++i) {
      const std::string value = reader.text();
      if (rank == 0) of_first.push_back(value);
      if (value == of_first[i]) continue;
      throw RankError(cat(ranks.name_of(static_cast<int>(rank)), " has another ", agreed[i].what, ": ", value, "; ",
                          ranks.name_of(0), " has ", of_first[i]));
    }
  }
}

void shake_hands(Communicator& ranks, const std::vector<Agreed>& agreed) {
  MessageWriter own;
  own.text(host_name());
  own.number(static_cast<std::int32_t>(::getpid()));
  std::vector<std::string> names;
  std::vector<int> processes;
  for (const Bytes& of_rank : ranks.all_gather(own.take())) {
    MessageReader reader(of_rank);
    names.push_back(reader.text());
    processes.push_back(reader.number<std::int32_t>());
    if (names.back() != host_name() || processes.back() == ::getpid()) processes.back() = 0;
  }
  ranks.set_names(std::move(names));
  ranks.watch(std::move(processes));
  expect_agreement(ranks, agreed);
}

}  // namespace dhyan
