#include <chrono>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/error.h"
#include "server/testing/echo_server.h"
#include "server/testing/http_client.h"

namespace dhyan::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// The status of the answer; the connection must end with it, and what follows in the connection must get none.
int refusal(EchoServer& echo, std::string_view request) {
  HttpClient client(echo.port());
  client.send(cat(request, "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"));
  const auto answer = client.answer();
  EXPECT_TRUE(answer.head.find("Connection: close\r\n") != std::string::npos) << request;
  EXPECT_TRUE(answer.body.starts_with("refused: ")) << request << answer.body;
  EXPECT_TRUE(client.ended()) << request;
  return answer.status;
}

std::string post(std::string_view fields, std::string_view body) {
  return cat("POST /a HTTP/1.1\r\nHost: h\r\n", fields, "\r\n", body);
}

TEST(HttpRefusals, OfWhatServersReadInDifferentWays) {
  EchoServer echo;
  echo.start();
  const std::string chunks = "1\r\nx\r\n0\r\n\r\n";
  const std::vector<std::string> requests = {
      // the length of the body
      post("Transfer-Encoding: gzip\r\n", chunks),
      post("Transfer-Encoding: gzip, chunked\r\n", chunks),
      post("Transfer-Encoding: chunked, chunked\r\n", chunks),
      post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", chunks),
      post("Transfer-Encoding: identity\r\nContent-Length: 1\r\n", "x"),
      post("Transfer-Encoding: xchunked\r\n", chunks),
      post("Transfer-Encoding:\r\n", chunks),
      post("Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", chunks),
      post("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", chunks),
      "POST /a HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks,
      post("Content-Length: 1\r\nContent-Length: 2\r\n", "xy"),
      post("Content-Length: 1, 1\r\n", "x"),
      post("Content-Length: 0x1\r\n", "x"),
      post("Content-Length: +1\r\n", "x"),
      post("Content-Length: -1\r\n", "x"),
      post("Content-Length: 1 1\r\n", "x"),
      post("Content-Length:\r\n", "x"),
      post("Content-Length: 99999999999999999999\r\n", "x"),
      // lines
      post("Content-Length : 1\r\n", "x"),
      post("Transfer-Encoding : chunked\r\n", chunks),
      post("X: 1\r\n Content-Length: 1\r\n", "x"),
      post("X: 1\r\n\tfolded\r\n", ""),
      post("X: 1\nContent-Length: 1\r\n", "x"),
      post("X: 1\rContent-Length: 1\r\n", "x"),
      post(std::string_view("X: a\0b\r\n", 8), ""),
      post("no colon\r\n", ""),
      post(": no name\r\n", ""),
      "GET /a HTTP/1.1\nHost: h\n\n",
      "GET  /a HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET /a HTTP/1.1 \r\nHost: h\r\n\r\n",
      "GET /a HTTP/3.0\r\nHost: h\r\n\r\n",
      "GET /a\r\n\r\n",
      " GET /a HTTP/1.1\r\nHost: h\r\n\r\n",
      "\x16\x03\x01\x02",  // TLS
      // Host
      "GET /a HTTP/1.1\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n",
      // chunks
      post("Transfer-Encoding: chunked\r\n", "x\r\nx\r\n0\r\n\r\n"),
      post("Transfer-Encoding: chunked\r\n", "1\nx\n0\n\n"),
      post("Transfer-Encoding: chunked\r\n", "1\r\nxy\r\n0\r\n\r\n"),
      post("Transfer-Encoding: chunked\r\n", "-1\r\nx\r\n0\r\n\r\n"),
      post("Transfer-Encoding: chunked\r\n", "1 x\r\nx\r\n0\r\n\r\n"),
      post("Transfer-Encoding: chunked\r\n", "1;a=\"b\"\r\nx\r\n0\r\n\r\n"),
      post("Transfer-Encoding: chunked\r\n", "1;a=\"b\r\nx\r\n0\r\n\r\n"),
      post("Transfer-Encoding: chunked\r\n", "10000000000000001\r\nx\r\n0\r\n\r\n"),
  };
  for (const std::string& request : requests) EXPECT_EQ(refusal(echo, request), 400) << request;
}

TEST(HttpRefusals, OfLongChunkExtensions) {
  EchoServer echo;
  echo.start();
  const std::string chunked = post("Transfer-Encoding: chunked\r\n", "");
  const std::string kilobyte(1000, 'e');
  EXPECT_EQ(refusal(echo, cat(chunked, "1;", kilobyte, "\r\nx\r\n1;", kilobyte, "\r\nx\r\n0\r\n\r\n")), 400)
      << "in all";
  EXPECT_EQ(refusal(echo, cat(chunked, "1;", std::string(20000, 'e'), "\r\nx\r\n0\r\n\r\n")), 400);
  EXPECT_EQ(refusal(echo, cat(chunked, "1;", std::string(20000, 'e'))), 400) << "before the line ends";
  EXPECT_EQ(refusal(echo, cat(chunked, "0\r\nX: ", std::string(200000, 't'))), 400) << "endless trailers";
  HttpClient client(echo.port());
  EXPECT_EQ(client.ask(cat(chunked, "1;", kilobyte, "\r\nx\r\n0\r\n\r\n")).status, 200);
}

TEST(HttpRefusals, LeaveTrailersOutOfTheFields) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  const auto answer =
      client.ask(post("Transfer-Encoding: chunked\r\n", "0\r\nAuthorization: forged\r\nHost: x\r\n\r\n"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body.find("forged"), std::string::npos);
}

TEST(HttpRefusals, OfWhatIsTooLarge) {
  HttpLimits limits;
  limits.max_body = 100000;
  EchoServer echo(limits);
  echo.start();
  EXPECT_EQ(refusal(echo, post("Content-Length: 100001\r\n", "")), 413) << "from the head alone";
  EXPECT_EQ(refusal(echo, post("Content-Length: 100001\r\n", std::string(100001, 'x'))), 413);
  EXPECT_EQ(refusal(echo, post("Transfer-Encoding: chunked\r\n", "186a1\r\n")), 413);
  HttpClient whole(echo.port());
  EXPECT_EQ(whole.ask(post("Content-Length: 100000\r\n", std::string(100000, 'x'))).status, 200);

  HttpClient endless(echo.port());
  endless.send(post("Transfer-Encoding: chunked\r\n", ""));
  const std::string chunk = cat("3e8\r\n", std::string(1000, 'x'), "\r\n");
  for (int i = 0; i < 200; ++i) endless.send(chunk);
  EXPECT_EQ(endless.answer().status, 413);

  EXPECT_EQ(refusal(echo, post(cat("X: ", std::string(17000, 'x'), "\r\n"), "")), 431);
  EXPECT_EQ(refusal(echo, cat("GET /", std::string(17000, 'x'))), 414);
  HttpClient large(echo.port());
  EXPECT_EQ(large.ask(post(cat("X: ", std::string(16000, 'x'), "\r\n"), "")).status, 200);

  HttpClient lines(echo.port());  // Beast's own limit does not add up lines that arrive one by one
  lines.send("GET /a HTTP/1.1\r\nHost: h\r\n");
  for (int i = 0; i < 200; ++i) {
    lines.send(cat("X: ", std::string(94, 'x'), "\r\n"));
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  EXPECT_EQ(lines.answer().status, 431);
}

std::string large_post(std::string_view path, std::size_t bytes) {
  return cat("POST ", path, " HTTP/1.1\r\nHost: h\r\nContent-Length: ", bytes, "\r\n\r\n", std::string(bytes, 'x'));
}

TEST(HttpRefusals, OfLargeRequestsWhenThereAreTooManyOfThem) {
  HttpLimits limits;
  limits.max_held = 450000;
  EchoServer echo(limits);
  echo.start();
  HttpClient first(echo.port()), second(echo.port()), small(echo.port());
  first.send(large_post("/later", 200000));
  second.send(large_post("/later", 200000));
  auto one = echo.later();
  const auto other = echo.later();
  EXPECT_EQ(HttpClient(echo.port()).ask(large_post("/a", 100000)).status, 503);
  EXPECT_EQ(small.ask("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx").status, 200);
  one->send({});
  one.reset();
  EXPECT_TRUE(soon([&] { return HttpClient(echo.port()).ask(large_post("/a", 100000)).status == 200; }));
  other->send({});
  EXPECT_EQ(first.answer().status, 200);
  EXPECT_EQ(second.answer().status, 200);
  limits.max_held = 1000;
  EchoServer smaller(limits);
  HttpClient alone(smaller.start().port());
  EXPECT_EQ(alone.ask(large_post("/a", 100000)).status, 200) << "one alone may have more";
}

TEST(HttpRefusals, CountARequestUntilItIsLetGoAlthoughItsClientHasLeft) {
  HttpLimits limits;
  limits.max_held = 250000;
  EchoServer echo(limits);
  echo.start();
  HttpClient leaving(echo.port());
  leaving.send(large_post("/later", 200000));
  auto kept = echo.later();
  leaving.close();
  EXPECT_TRUE(soon([&] { return kept->gone(); }));
  EXPECT_EQ(HttpClient(echo.port()).ask(large_post("/a", 100000)).status, 503);
  kept.reset();
  EXPECT_EQ(HttpClient(echo.port()).ask(large_post("/a", 100000)).status, 200);
}

TEST(HttpRefusals, OfLargeAnswersWhenTooManyWait) {
  HttpLimits limits;
  limits.max_held = 30 << 20;
  EchoServer echo(limits);
  echo.start();
  const auto asked = [&](HttpClient& client) {
    client.send("GET /later HTTP/1.1\r\nHost: h\r\n\r\n");
    return echo.later();
  };
  const std::string large(25 << 20, 'x');
  HttpClient first(echo.port(), 4096), second(echo.port()), growing(echo.port()), small(echo.port());
  asked(first)->send({.body = large});  // does not read it
  asked(second)->send({.body = large});
  EXPECT_EQ(second.answer().status, 503);
  EXPECT_TRUE(second.ended());
  EXPECT_EQ(small.ask("GET /a HTTP/1.1\r\nHost: h\r\n\r\n").status, 200);

  const auto stream = asked(growing);
  stream->begin({});
  stream->write("piece");
  growing.read_to("piece\r\n");
  stream->write(large);
  EXPECT_TRUE(soon([&] { return stream->gone(); })) << "what has begun cannot become a 503";

  first.close();
  EXPECT_TRUE(soon([&] { return echo.server().open_connections() == 1; }));
  asked(small)->send({.body = large});
  EXPECT_EQ(small.answer().body.size(), large.size());
}

TEST(HttpRefusals, OfRequestsThatTakeTooLong) {
  HttpLimits limits;
  limits.request_seconds = 0.4;
  EchoServer echo(limits);
  echo.start();
  for (const char* begin : {"GET /", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n"}) {
    HttpClient client(echo.port());
    const auto before = steady_clock::now();
    client.send(begin);
    std::thread dripping([&] {
      while (steady_clock::now() - before < milliseconds(380) && client.send("x")) {
        std::this_thread::sleep_for(milliseconds(20));
      }
    });
    EXPECT_EQ(client.answer().status, 408) << begin;
    EXPECT_GE(steady_clock::now() - before, milliseconds(350));
    dripping.join();
    EXPECT_TRUE(client.ended());
  }
  HttpClient silent(echo.port());
  EXPECT_TRUE(silent.ended()) << "without an answer to nothing";
}

TEST(HttpRefusals, OfIdleConnections) {
  HttpLimits limits;
  limits.idle_seconds = 0.2;
  EchoServer echo(limits);
  HttpClient client(echo.start().port());
  EXPECT_EQ(client.ask("GET /a HTTP/1.1\r\nHost: h\r\n\r\n").status, 200);
  const auto before = steady_clock::now();
  EXPECT_TRUE(client.ended());
  EXPECT_GE(steady_clock::now() - before, milliseconds(150));
}

TEST(HttpRefusals, OfConnectionsBeyondTheLimit) {
  HttpLimits limits;
  limits.max_connections = 3;
  EchoServer echo(limits);
  echo.start();
  std::vector<HttpClient> clients;
  for (int i = 0; i < 3; ++i) clients.emplace_back(echo.port());
  EXPECT_TRUE(soon([&] { return echo.server().open_connections() == 3; }));
  HttpClient fourth(echo.port());
  const auto answer = fourth.ask("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(answer.status, 503);
  EXPECT_NE(answer.head.find("Retry-After: "), std::string::npos);
  EXPECT_TRUE(fourth.ended());
  fourth.close();
  EXPECT_EQ(clients[0].ask("GET /a HTTP/1.1\r\nHost: h\r\n\r\n").status, 200);
  clients.pop_back();
  EXPECT_TRUE(soon([&] { return echo.server().open_connections() == 2; }));
  EXPECT_EQ(HttpClient(echo.port()).ask("GET /a HTTP/1.1\r\nHost: h\r\n\r\n").status, 200);
}

TEST(HttpRefusals, OfExpectationsNobodyKnows) {
  EchoServer echo;
  echo.start();
  EXPECT_EQ(refusal(echo, post("Expect: a miracle\r\n", "")), 417);
}

TEST(HttpRefusals, OfAClientThatLeftBeforeItsAddressWasKnown) {
  EchoServer echo;  // the kernel accepts before it starts
  HttpClient left(echo.port());
  left.send("GET /later HTTP/1.1\r\nHost: h\r\n\r\n");
  left.reset();
  HttpClient client(echo.port());
  client.send("GET /later HTTP/1.1\r\nHost: h\r\nX: stays\r\n\r\n");
  echo.start();
  HttpResponse response;
  response.body = "first";
  echo.later()->send(std::move(response));
  EXPECT_EQ(client.answer().body, "first") << "nothing was handed on without an address";
}

}  // namespace
}  // namespace dhyan::server
