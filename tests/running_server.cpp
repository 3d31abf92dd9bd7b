#include "running_server.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "binary.h"
#include "process.h"

namespace dhyan {

namespace {

// The content of a body sent in chunks.
std::string without_chunks(std::string_view chunks) {
  std::string body;
  for (std::size_t size = 1; size > 0;) {
    const std::size_t line = chunks.find("\r\n");
    if (line == chunks.npos) return body;
    size = std::stoul(std::string(chunks.substr(0, line)), nullptr, 16);
    body += chunks.substr(line + 2, size);
    chunks.remove_prefix(std::min(chunks.size(), line + 2 + size + 2));
  }
  return body;
}

std::string field(const std::string& head, const std::string& name) {
  const std::size_t at = head.find("\r\n" + name + ": ");
  if (at == head.npos) return "";
  const std::size_t begin = at + name.size() + 4;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

}  // namespace

RunningServer::RunningServer(std::vector<std::string> arguments) : error_(::memfd_create("log", MFD_CLOEXEC)) {
  arguments.insert(arguments.begin(), {kBinary, "serve", "--port", "0"});
  child_ = start(arguments, {.error = error_});
  const auto has_ended = [&] {
    siginfo_t ended = {};
    ::waitid(P_PID, static_cast<id_t>(child_), &ended, WEXITED | WNOHANG | WNOWAIT);
    return ended.si_pid == child_;
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (log().find("dhyan: ready") == std::string::npos && !has_ended()) {
    if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("the server is not ready: " + log());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  const std::string address = "http://127.0.0.1:", text = log();
  if (const std::size_t at = text.find(address); at != text.npos) port_ = std::stoi(text.substr(at + address.size()));
}

RunningServer::~RunningServer() {
  signal(SIGTERM);
  exit_code();
  ::close(error_);
}

std::string RunningServer::log() const {
  std::string text;
  char bytes[4096];
  for (ssize_t n = 0; (n = ::pread(error_, bytes, sizeof bytes, static_cast<off_t>(text.size()))) > 0;) {
    text.append(bytes, static_cast<std::size_t>(n));
  }
  return text;
}

bool RunningServer::waits_for_log(const std::string& text) const {
  for (int i = 0; i < 2000; ++i) {
    if (log().find(text) != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

void RunningServer::signal(int number) const {
  if (!exit_code_) ::kill(child_, number);
}

int RunningServer::exit_code() {
  if (!exit_code_) exit_code_ = exit_code_of(child_);
  return *exit_code_;
}

RunningServer::Answer RunningServer::ask(std::string_view request) const {
  server::HttpClient client(port_);
  client.send(request);
  server::HttpClient::Answer read = client.answer();
  if (field(read.head, "Transfer-Encoding") == "chunked") read.body = without_chunks(client.read_to("\r\n0\r\n\r\n"));
  return {read.status, read.head, field(read.head, "Content-Type"), read.body};
}

RunningServer::Answer RunningServer::get(const std::string& path) const {
  return ask("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

RunningServer::Answer RunningServer::post(const std::string& path, const std::string& type, const std::string& body,
                                          const std::string& more_fields) const {
  return ask("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type + "\r\n" + more_fields +
             "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

RunningServer::Answer RunningServer::post(const std::string& path, const nlohmann::ordered_json& body) const {
  return post(path, "application/json", body.dump());
}

}  // namespace dhyan
