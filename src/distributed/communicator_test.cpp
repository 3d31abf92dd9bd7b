#include "distributed/communicator.h"

#include <gtest/gtest.h>
#include <thread>

#include "core/testing/thrown.h"
#include "distributed/handshake.h"
#include "distributed/in_process_network.h"
#include "distributed/launcher.h"
#include "distributed/message_bytes.h"

namespace dhyan {
namespace {

Bytes message(std::string_view text) {
  MessageWriter writer;
  writer.text(text);
  return writer.take();
}

std::string text_in(const Bytes& bytes) { return MessageReader(bytes).text(); }

// Runs f(communicator) on each rank, on its own thread.
template <class F>
void on_ranks(int size, const F& f) {
  InProcessNetwork network(size);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      Communicator communicator(network.transport(rank));
      f(communicator);
      communicator.finish();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Communicator, KeepsTheOrderOfMessagesWithOneKey) {
  on_ranks(2, [](Communicator& ranks) {
    const MessageKey one{.kind = kFileMessage, .a = 1}, two{.kind = kFileMessage, .a = 2};
    if (ranks.first()) {
      for (const char* text : {"a", "b", "c"}) ranks.send(1, one, message(text));
      return ranks.send(1, two, message("d"));
    }
    EXPECT_EQ(text_in(ranks.receive(0, two)), "d") << "another key may overtake";
    for (const char* text : {"a", "b", "c"}) EXPECT_EQ(text_in(ranks.receive(0, one)), text);
  });
}

TEST(Communicator, GathersAndBroadcastsOnAnyNumberOfRanks) {
  for (const int size : {1, 2, 3, 5, 8}) {
    on_ranks(size, [&](Communicator& ranks) {
      EXPECT_EQ(ranks.size(), size);
      for (int round = 0; round < 3; ++round) {
        const std::vector<Bytes> all = ranks.all_gather(message(cat("of ", ranks.rank(), " in ", round)));
        ASSERT_EQ(std::ssize(all), size);
        for (int rank = 0; rank < size; ++rank) {
          EXPECT_EQ(text_in(all[static_cast<std::size_t>(rank)]), cat("of ", rank, " in ", round));
        }
        EXPECT_EQ(text_in(ranks.broadcast(ranks.first() ? message("from 0") : Bytes())), "from 0");
        EXPECT_EQ(ranks.gather_at_first({}).size(), ranks.first() ? static_cast<std::size_t>(size) : 0u);
      }
    });
  }
}

TEST(Communicator, RethrowsWhatTheTransportThrows) {
  EXPECT_EQ(thrown<ConfigError>(
                [] { Communicator([]() -> std::unique_ptr<Transport> { throw ConfigError("no MPI here"); }); }),
            "no MPI here");
}

TEST(Communicator, NamesTheRankThatFallsSilent) {
  using namespace std::chrono_literals;
  InProcessNetwork network(2);
  Communicator zero(network.transport(0), {.timeout = 100ms});
  Communicator one(network.transport(1), {.timeout = 100ms});
  zero.set_names({"left", "right"});
  network.lose(1);
  EXPECT_EQ(thrown<RankError>([&] { zero.receive(1, {.kind = kFileMessage}); }),
            "rank 1 on right has not answered for 0.1 seconds (--rank-timeout)");
  EXPECT_THROW(zero.send(1, {.kind = kFileMessage}, {}), RankError);
  EXPECT_EQ(thrown<RankError>([&] { one.receive(0, {.kind = kFileMessage}); }),
            "rank 0 has not answered for 0.1 seconds (--rank-timeout)");
  EXPECT_TRUE(zero.reports_failure());
  EXPECT_TRUE(one.reports_failure()) << "rank 0 is lost to it";
}

TEST(Communicator, LivesThroughLongSilenceOfItsUsers) {
  using namespace std::chrono_literals;
  InProcessNetwork network(2);
  Communicator zero(network.transport(0), {.timeout = 200ms}), one(network.transport(1), {.timeout = 200ms});
  std::this_thread::sleep_for(600ms);
  EXPECT_FALSE(zero.failed());
  EXPECT_FALSE(one.failed());
}

TEST(Handshake, NamesTheRankThatDisagrees) {
  InProcessNetwork network(3);
  std::vector<std::string> reasons(3);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 3; ++rank) {
    threads.emplace_back([&, rank] {
      Communicator communicator(network.transport(rank));
      reasons[static_cast<std::size_t>(rank)] = thrown<RankError>([&] {
        shake_hands(communicator, {{"version", "1"}, {"config", rank == 1 ? "hidden: 8" : "hidden: 9"}});
      });
      communicator.settle_failure();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& reason : reasons) {
    EXPECT_TRUE(reason.starts_with("rank 1 on ")) << reason;
    EXPECT_NE(reason.find(" has another config: hidden: 8; rank 0 on "), std::string::npos) << reason;
  }
}

TEST(MessageReader, RefusesAMessageThatIsTooShort) {
  const Bytes bytes = message("text");
  MessageReader short_one(bytes);
  short_one.number<std::uint32_t>();
  EXPECT_EQ(thrown<RankError>([&] {
              for (;;) short_one.number<double>();
            }),
            "a message between ranks ends 8 bytes too early");
}

TEST(Launcher, KnowsRanksOfMpirunAndSrun) {
  const auto with = [](const char* size, const char* rank, const char* value) {
    ::setenv(size, value, 1);
    ::setenv(rank, "1", 1);
    const Launched found = launched();
    ::unsetenv(size);
    ::unsetenv(rank);
    return found.size * 10 + found.rank;
  };
  EXPECT_EQ(with("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "4"), 41);
  EXPECT_EQ(with("SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "3"), 31);
  EXPECT_EQ(with("SLURM_NTASKS", "SLURM_PROCID", "3"), 10) << "the shell of a batch job";
  EXPECT_EQ(with("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "1"), 10);
  EXPECT_EQ(with("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "x"), 10);
}

}  // namespace
}  // namespace dhyan
