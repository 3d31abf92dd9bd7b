#include <atomic>
#include <chrono>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "server/http_answer.h"
#include "server/testing/echo_server.h"
#include "server/testing/http_client.h"

namespace dhyan::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr const char* kAsk = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr const char* kAskLater = "GET /later HTTP/1.1\r\nHost: h\r\n\r\n";

HttpResponse response_of(std::string body) {
  HttpResponse response;
  response.body = std::move(body);
  return response;
}

void expect_noticed(const std::function<void(HttpClient&)>& leave) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  client.send(kAskLater);
  const auto exchange = echo.later();
  std::atomic<int> told = 0;
  exchange->when_gone([&] { ++told; });
  EXPECT_FALSE(exchange->gone());
  leave(client);
  EXPECT_TRUE(soon([&] { return told == 1; }));
  EXPECT_TRUE(exchange->gone());
  exchange->when_gone([&] { ++told; });
  EXPECT_EQ(told, 2) << "at once";
  exchange->send(response_of("to nobody"));
  exchange->begin({});
  exchange->write("to nobody");
  exchange->end();
  EXPECT_TRUE(soon([&] { return echo.server().open_connections() == 0; }));
  EXPECT_EQ(told, 2);
}

TEST(HttpLeaving, IsNoticedWhileTheAnswerIsMade) {
  expect_noticed([](HttpClient& client) { client.close(); });
  expect_noticed([](HttpClient& client) { client.reset(); });
  expect_noticed([](HttpClient& client) { client.end_sending(); });
  expect_noticed([](HttpClient& client) {
    client.send(kAskLater);  // a pipelined request
    client.close();
  });
}

TEST(HttpLeaving, IsNoticedWhileAnAnswerGrows) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  client.send(kAskLater);
  const auto exchange = echo.later();
  exchange->begin({});
  exchange->write("piece");
  client.read_to("piece\r\n");
  client.reset();
  EXPECT_TRUE(soon([&] { return exchange->gone(); }));
}

TEST(HttpLeaving, IsNotReportedAfterTheAnswer) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  client.send(kAskLater);
  const auto exchange = echo.later();
  auto held = std::make_shared<int>();
  std::atomic<bool> told = false;
  exchange->when_gone([&told, held] { told = true; });
  exchange->send(response_of("done"));
  EXPECT_EQ(held.use_count(), 1) << "what the callback holds is let go";
  EXPECT_EQ(client.answer().body, "done");
  client.close();
  EXPECT_TRUE(soon([&] { return echo.server().open_connections() == 0; }));
  EXPECT_FALSE(exchange->gone());
  EXPECT_FALSE(told);
}

TEST(HttpLeaving, LetsAClientThatOnlyEndsItsSideHaveAnAnswerThatIsMade) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  client.send(kAsk);
  client.end_sending();
  EXPECT_EQ(client.answer().status, 200);
  EXPECT_TRUE(client.ended());
}

TEST(HttpLeaving, DropsAClientThatDoesNotTakeAGrowingAnswer) {
  EchoServer echo;
  HttpClient client(echo.start().port(), 4096);
  client.send(kAskLater);
  const auto exchange = echo.later();
  exchange->begin({});
  const std::string piece(100000, 'x');
  int pieces = 0;
  while (!exchange->gone() && pieces < 10000) {
    exchange->write(piece);
    ++pieces;
    if (pieces % 10 == 0) std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_TRUE(exchange->gone());
  EXPECT_LT(pieces, 1000);
  EXPECT_TRUE(soon([&] { return echo.server().open_connections() == 0; }));
}

TEST(HttpLeaving, DropsAClientThatDoesNotTakeItsAnswer) {
  HttpLimits limits;
  limits.write_seconds = 0.2;
  EchoServer echo(limits);
  HttpClient client(echo.start().port(), 4096);
  client.send(kAskLater);
  echo.later()->send(response_of(std::string(20 << 20, 'x')));
  EXPECT_TRUE(soon([&] { return echo.server().open_connections() == 0; }));
}

TEST(HttpLeaving, DropsAClientThatTakesItsAnswerPieceByPiece) {
  HttpLimits limits;
  limits.write_seconds = 0.5;
  limits.write_rate = 100 << 20;
  EchoServer echo(limits);
  HttpClient client(echo.start().port(), 256 << 10);
  client.send(kAskLater);
  echo.later()->send(response_of(std::string(40 << 20, 'x')));
  std::thread slow([&] {
    while (client.read_bytes(64 << 10).size() == 64 << 10) std::this_thread::sleep_for(milliseconds(50));
  });
  EXPECT_TRUE(soon([&] { return echo.server().open_connections() == 0; }));
  slow.join();
}

TEST(HttpAnswer, IsTakenInBlocks) {
  HttpAnswer answer({}, 1 << 20, [] {});
  answer.send({.body = std::string(3 * HttpAnswer::kBlock, 'x')});
  std::string bytes;
  HttpAnswer::Progress made;
  do {
    made = answer.take();
    EXPECT_LE(made.bytes.size(), HttpAnswer::kBlock);
    bytes += made.bytes;
  } while (!made.whole);
  EXPECT_TRUE(bytes.ends_with(std::string(3 * HttpAnswer::kBlock, 'x')));
  EXPECT_TRUE(answer.take().bytes.empty());
}

TEST(HttpLeaving, LargeAnswersArriveWhole) {
  EchoServer echo;
  HttpClient client(echo.start().port(), 4096);
  client.send(kAskLater);
  const std::string body(5 << 20, 'x');
  echo.later()->send(response_of(body));
  EXPECT_TRUE(client.answer().body == body);
}

TEST(HttpDrain, SendsTheAnswersInProgressAndClosesTheRest) {
  const TemporaryFolder folder;
  EchoServer echo;
  echo.server().listen_unix(folder.path("socket"));
  echo.start();
  HttpClient idle(echo.port());
  EXPECT_EQ(idle.ask(kAsk).status, 200);
  HttpClient waiting(echo.port());
  waiting.send(kAskLater);
  const auto exchange = echo.later();
  HttpClient halfway(echo.port());
  halfway.send("GET /a HTTP/1.1\r\nHost:");
  EXPECT_TRUE(soon([&] { return echo.server().open_connections() == 3; }));
  std::this_thread::sleep_for(milliseconds(50));  // for the half request to arrive

  echo.server().drain();
  EXPECT_TRUE(idle.ended());
  EXPECT_THROW(HttpClient(echo.port()).send(""), IoError) << "nobody listens";
  EXPECT_EQ(folder.files(), 0u) << "another server may take the path";
  EXPECT_FALSE(exchange->gone());
  const auto second = halfway.ask(" h\r\n\r\n");
  EXPECT_EQ(second.status, 200);
  EXPECT_NE(second.head.find("Connection: close\r\n"), std::string::npos);
  exchange->send(response_of("done"));
  const auto first = waiting.answer();
  EXPECT_EQ(first.body, "done");
  EXPECT_NE(first.head.find("Connection: close\r\n"), std::string::npos);
  halfway.close();
  waiting.close();
  const auto before = steady_clock::now();
  echo.join();
  EXPECT_LT(steady_clock::now() - before, milliseconds(1500)) << "run() ends with the last connection";
}

TEST(HttpDrain, ServesClientsThatHaveJustConnected) {
  EchoServer echo;
  HttpClient early(echo.port());  // in the kernel's queue: run() has not begun
  early.send(kAsk);
  echo.server().drain();
  echo.start();
  EXPECT_EQ(early.answer().status, 200);
  EXPECT_TRUE(early.ended());
  early.close();
  echo.join();
}

TEST(HttpDrain, DoesNotWaitForConnectionsThatStaySilent) {
  EchoServer echo;
  HttpClient silent(echo.start().port());
  EXPECT_TRUE(soon([&] { return echo.server().open_connections() == 1; }));
  echo.server().drain();
  const auto before = steady_clock::now();
  echo.join();
  EXPECT_LT(steady_clock::now() - before, milliseconds(5000));
}

TEST(HttpStop, EndsEveryConnectionAtOnce) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  client.send(kAskLater);
  const auto exchange = echo.later();
  std::atomic<bool> told = false;
  exchange->when_gone([&] { told = true; });
  echo.stop();
  EXPECT_TRUE(told);
  EXPECT_TRUE(exchange->gone());
  EXPECT_TRUE(client.ended());
}

TEST(HttpStop, LeavesExchangesThatOutliveTheServerUsable) {
  std::vector<std::shared_ptr<HttpExchange>> kept;
  {
    std::optional<EchoServer> echo(std::in_place);
    HttpClient one(echo->start().port());
    HttpClient two(echo->port());
    one.send(kAskLater);
    two.send(kAskLater);
    kept = {echo->later(), echo->later()};
    kept[0]->begin({});
  }
  for (const auto& exchange : kept) {
    EXPECT_TRUE(exchange->gone());
    exchange->send(response_of("to nobody"));
    exchange->write("to nobody");
    exchange->end();
  }
}

TEST(HttpThreads, MayAnswerManyConnectionsAtOnce) {
  EchoServer echo;
  echo.start();
  std::vector<std::thread> threads;
  std::atomic<int> answered = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        const auto exchange = echo.later();
        exchange->when_gone([] {});
        if (k % 2 == 0) {
          exchange->send(response_of("whole"));
        } else {
          exchange->begin({});
          for (int piece = 0; piece < 10; ++piece) exchange->write("piece");
          exchange->end();
        }
      }
    });
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        HttpClient client(echo.port());
        client.send(kAskLater);
        if (client.read_to("\r\n\r\n").starts_with("HTTP/1.1 200")) ++answered;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answered, 200);
}

}  // namespace
}  // namespace dhyan::server
