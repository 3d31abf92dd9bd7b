#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include "core/error.h"

namespace dhyan::server {

// For tests: a client that sends whatever bytes it is told to. It waits for at most ten seconds.
class HttpClient {
 public:
  explicit HttpClient(int port, int receive_buffer = 0) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<in_port_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connect_to(address);
  }
  explicit HttpClient(const std::string& path) : socket_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    connect_to(address);
  }
  HttpClient(HttpClient&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), input_(std::move(other.input_)) {}
  ~HttpClient() { close(); }

  // False once the server has closed the connection.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // Up to and with `end`; less if the connection ends before.
  std::string read_to(std::string_view end) {
    while (input_.find(end) == std::string::npos && receive()) {
    }
    const std::size_t found = input_.find(end);
    return take(found == std::string::npos ? input_.size() : found + end.size());
  }
  std::string read_bytes(std::size_t count) {
    while (input_.size() < count && receive()) {
    }
    return take(count);
  }
  std::string read_to_end() {
    while (receive()) {
    }
    return take(input_.size());
  }
  bool ended() { return read_to_end().empty(); }  // the server closes, and sends no more

  // The next answer that has a Content-Length.
  struct Answer {
    int status = 0;
    std::string head;
    std::string body;
  };
  Answer answer(bool has_body = true) {
    Answer read;
    read.head = read_to("\r\n\r\n");
    if (read.head.starts_with("HTTP/1.1 ")) read.status = std::stoi(read.head.substr(9, 3));
    const std::size_t length = read.head.find("Content-Length: ");
    if (has_body && length != std::string::npos) read.body = read_bytes(std::stoul(read.head.substr(length + 16)));
    return read;
  }
  Answer ask(std::string_view request) {
    send(request);
    return answer();
  }

  void end_sending() { shutdown(socket_, SHUT_WR); }
  void close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }
  void reset() {  // closes with a RST
    const linger now = {1, 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
  }

 private:
  template <class Address>
  void connect_to(const Address& address) {
    const timeval patience = {10, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      close();
      throw IoError("cannot connect");
    }
  }

  bool receive() {
    char bytes[16 << 10];
    const ssize_t count = recv(socket_, bytes, sizeof bytes, 0);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) ADD_FAILURE() << "nothing came for ten seconds";
    if (count > 0) input_.append(bytes, static_cast<std::size_t>(count));
    return count > 0;
  }
  std::string take(std::size_t count) {
    std::string taken = input_.substr(0, count);
    input_.erase(0, count);
    return taken;
  }

  int socket_;
  std::string input_;  // received, not yet read
};

}  // namespace dhyan::server
