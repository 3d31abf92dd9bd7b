#include "server/http_server.h"

#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "server/testing/echo_server.h"
#include "server/testing/http_client.h"

namespace dhyan::server {
namespace {

constexpr const char* kGet = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr const char* kLater = "GET /later HTTP/1.1\r\nHost: h\r\n\r\n";

HttpResponse text_response(std::string body) {
  HttpResponse response;
  response.body = std::move(body);
  return response;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(HttpServer, HandsOnARequestAndSendsItsAnswer) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  const auto answer =
      client.ask("POST /a%20b?c=d?e HTTP/1.1\r\nHost: h\r\nX-Name:  value \r\nContent-Length: 3\r\n\r\nxyz");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "POST /a%20b c=d?e [xyz] 127.0.0.1\nhost=h\nx-name=value\ncontent-length=3");
  EXPECT_TRUE(has(answer.head, "Content-Type: text/plain\r\n"));
  EXPECT_TRUE(has(answer.head, " GMT\r\n"));
  EXPECT_FALSE(has(answer.head, "Connection:"));
}

TEST(HttpServer, KeepsTheConnection) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(client.ask(kGet).status, 200);
  EXPECT_EQ(echo.server().open_connections(), 1u);
  const auto last = client.ask("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(has(last.head, "Connection: close\r\n"));
  EXPECT_TRUE(client.ended());
  client.close();
  EXPECT_TRUE(soon([&] { return echo.server().open_connections() == 0; }));
}

TEST(HttpServer, AnswersPipelinedRequestsInOrder) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  std::string requests = kLater;
  for (int i = 0; i < 500; ++i)
    requests += cat("POST /", i, " HTTP/1.1\r\nHost: h\r\nContent-Length: 200\r\n\r\n", std::string(200, 'x'),
                    "\r\n");  // more than is read ahead
  std::thread sending([&] { EXPECT_TRUE(client.send(requests)); });
  echo.later()->send(text_response("first"));
  EXPECT_EQ(client.answer().body, "first");
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(client.answer().body.starts_with(cat("POST /", i, " "))) << i;
  sending.join();
}

TEST(HttpServer, ClosesAfterAnOldRequestUnlessAskedNotTo) {
  EchoServer echo;
  echo.start();
  HttpClient old(echo.port());
  EXPECT_EQ(old.ask("GET /a HTTP/1.0\r\n\r\n").status, 200);
  EXPECT_TRUE(old.ended());
  HttpClient kept(echo.port());
  for (int i = 0; i < 2; ++i) {
    const auto answer = kept.ask("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_TRUE(has(answer.head, "Connection: keep-alive\r\n"));
  }
}

TEST(HttpServer, PassesOnEveryMethodAndBodiesWithAnyOfThem) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  EXPECT_TRUE(client.ask("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n").body.starts_with("OPTIONS *  []"));
  EXPECT_TRUE(client.ask("BREW /pot HTTP/1.1\r\nHost: h\r\n\r\n").body.starts_with("BREW /pot  []"));
  const auto get = client.ask("GET /languages HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\napi_key=k");
  EXPECT_TRUE(get.body.starts_with("GET /languages  [api_key=k]"));
  const auto absolute = client.ask("GET http://other:1?q HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(absolute.body, "GET / q [] 127.0.0.1\nhost=other:1");

  client.send("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(has(client.answer(false).head, "Content-Length: 28\r\n"));
  EXPECT_EQ(client.ask(kGet).body, "GET /a  [] 127.0.0.1\nhost=h") << "no body came with HEAD";
}

TEST(HttpServer, ReadsChunksHoweverTheyArrive) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  const std::string request =
      "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3;x=1\r\nabc\r\nA\r\n0123456789\r\n0\r\nX-Trailer: 1\r\n\r\n";
  EXPECT_EQ(client.ask(request).body, "POST /a  [abc0123456789] 127.0.0.1\nhost=h\ntransfer-encoding=chunked");
  const std::string empty = "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  for (const char byte : request + empty) {
    client.send({&byte, 1});
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  EXPECT_TRUE(client.answer().body.starts_with("POST /a  [abc0123456789]"));
  EXPECT_TRUE(client.answer().body.starts_with("POST /a  []"));
}

TEST(HttpServer, ContinuesWhereTheClientWaitsForIt) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_to("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_TRUE(client.ask("ok").body.starts_with("POST /a  [ok]"));
  client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2000000\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.answer().status, 413) << "before the body is sent";
}

TEST(HttpServer, SendsPiecesAsTheyAreMade) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  client.send(kLater);
  const auto exchange = echo.later();
  exchange->begin(text_response(""));
  EXPECT_TRUE(has(client.read_to("\r\n\r\n"), "Transfer-Encoding: chunked\r\n"));
  exchange->write("one");
  EXPECT_EQ(client.read_bytes(8), "3\r\none\r\n");
  exchange->write("");  // would be the end
  exchange->write(std::string(26, 'x'));
  EXPECT_EQ(client.read_bytes(32), cat("1a\r\n", std::string(26, 'x'), "\r\n"));
  exchange->end();
  exchange->write("too late");
  EXPECT_EQ(client.read_bytes(5), "0\r\n\r\n");
  EXPECT_EQ(client.ask(kGet).status, 200) << "the connection goes on";
}

TEST(HttpServer, EndsAGrowingAnswerToAnOldRequestWithTheConnection) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  client.send("GET /later HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  const auto exchange = echo.later();
  exchange->begin(text_response(""));
  exchange->write("one ");
  exchange->write("two");
  const std::string head = client.read_to("\r\n\r\n");
  EXPECT_FALSE(has(head, "chunked"));
  EXPECT_TRUE(has(head, "Connection: close\r\n"));
  EXPECT_EQ(client.read_bytes(7), "one two");
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  exchange->end();  // which adds no bytes
  EXPECT_TRUE(client.ended());
}

TEST(HttpServer, SendsOneAnswerToARequest) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  client.send(kLater);
  const auto exchange = echo.later();
  exchange->send(text_response("one"));
  exchange->send(text_response("two"));
  exchange->begin(text_response(""));
  exchange->end();
  EXPECT_EQ(client.answer().body, "one");
  EXPECT_TRUE(client.ask(kGet).body.starts_with("GET /a"));
}

TEST(HttpServer, DoesNotLetAValueBeginAnotherField) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  client.send(kLater);
  HttpResponse response = text_response("");
  response.headers.emplace_back("X-Model", "a\r\nSet-Cookie: b");
  echo.later()->send(response);
  EXPECT_TRUE(has(client.answer().head, "X-Model: a  Set-Cookie: b\r\n"));
}

TEST(HttpServer, AnswersForAHandlerThatDoesNot) {
  EchoServer echo;
  echo.start();
  for (const char* path : {"/throw", "/drop"}) {
    HttpClient client(echo.port());
    EXPECT_EQ(client.ask(cat("GET ", path, " HTTP/1.1\r\nHost: h\r\n\r\n")).status, 500) << path;
    EXPECT_TRUE(client.ended()) << path;
  }
}

TEST(HttpServer, SkipsLineEndsBeforeARequest) {
  EchoServer echo;
  HttpClient client(echo.start().port());
  std::string ends;
  for (int i = 0; i < 100000; ++i) ends += "\r\n";
  EXPECT_EQ(client.ask(ends + "GET /a HTTP/1.1\r\nHost: h\r\n\r\n").status, 200);
}

TEST(HttpServer, ListensOnUnixSockets) {
  const TemporaryFolder folder;
  const std::string path = folder.path("socket");
  EchoServer echo;
  echo.server().listen_unix(path);
  echo.start();
  HttpClient client(path);
  EXPECT_EQ(client.ask(kGet).body, "GET /a  [] \nhost=h") << "without an address";

  EchoServer second;
  EXPECT_TRUE(has(thrown<IoError>([&] { second.server().listen_unix(path); }), "another program listens there"));
  echo.stop();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(HttpServer, ReplacesASocketThatNobodyListensToAndNothingElse) {
  const TemporaryFolder folder;
  const std::string path = folder.path("socket");
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int left_over = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(left_over, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  close(left_over);

  EchoServer echo;
  echo.server().listen_unix(path);
  EXPECT_EQ(HttpClient(path).send(kGet), true);
  folder.write("text", "mine");
  EXPECT_TRUE(has(thrown<IoError>([&] { echo.server().listen_unix(folder.path("text")); }), "is not a socket"));
  EXPECT_EQ(folder.read("text"), "mine");
  EXPECT_TRUE(has(thrown<IoError>([&] { echo.server().listen_unix(std::string(200, 'x')); }), "1 to 107 bytes"));
}

TEST(HttpServer, SaysWhyItCannotListen) {
  EchoServer echo;
  const std::string taken = thrown<IoError>([&] { HttpServer({}, {}, {}).listen("127.0.0.1", echo.port()); });
  EXPECT_EQ(taken, cat("127.0.0.1:", echo.port(), ": another program listens there"));
  HttpServer other({}, {}, {});
  EXPECT_TRUE(has(thrown<IoError>([&] { other.listen("no.such.host.invalid", 1); }), "no.such.host.invalid:1: "));
  EXPECT_TRUE(has(thrown<IoError>([&] { other.listen("127.0.0.1", 65536); }), "from 0 to 65535"));
  EXPECT_TRUE(has(thrown<IoError>([&] { other.listen("192.0.2.1", 0); }), "cannot listen there"));
}

TEST(HttpServer, AnswersBesideAThousandSilentConnections) {
  EchoServer echo;
  echo.start();
  std::vector<HttpClient> silent;
  for (int i = 0; i < 1000; ++i) silent.emplace_back(echo.port());
  EXPECT_TRUE(soon([&] { return echo.server().open_connections() == 1000; }));
  HttpClient client(echo.port());
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(client.ask(kGet).status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(500));  // 1 ms on an idle machine
}

}  // namespace
}  // namespace dhyan::server
