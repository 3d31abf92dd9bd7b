#include "server/http_server.h"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <cerrno>
#include <cstring>
#include <list>
#include <optional>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

#include "core/error.h"
#include "server/http_connection-inl.h"  // configures Boost

namespace dhyan::server {
namespace {

using Acceptor = asio::basic_socket_acceptor<asio::generic::stream_protocol>;

constexpr std::size_t kMaxRefusing = 64;  // connections beyond the limit that are told so
constexpr auto kSweep = std::chrono::milliseconds(50);
constexpr std::size_t kExpireAtOnce = 32;  // then others have their turn: to close a socket takes 5 µs

// A UNIX socket's file is removed with it, unless another server has replaced it by now.
class SocketFile {
 public:
  explicit SocketFile(std::string path) : path_(std::move(path)) { lstat(path_.c_str(), &made_); }
  ~SocketFile() {
    struct stat found = {};
    if (lstat(path_.c_str(), &found) != 0 || found.st_ino != made_.st_ino || found.st_dev != made_.st_dev) return;
    unlink(path_.c_str());
  }
  SocketFile(const SocketFile&) = delete;
  SocketFile& operator=(const SocketFile&) = delete;

 private:
  std::string path_;
  struct stat made_ = {};
};

struct Listener {
  Acceptor acceptor;
  std::unique_ptr<SocketFile> file;
};

// The address, if the socket is a TCP socket.
std::optional<asio::ip::tcp::endpoint> tcp_endpoint(const Socket::endpoint_type& endpoint) {
  asio::ip::tcp::endpoint tcp;
  const int family = endpoint.data()->sa_family;
  if ((family != AF_INET && family != AF_INET6) || endpoint.size() > tcp.capacity()) return std::nullopt;
  std::memcpy(tcp.data(), endpoint.data(), endpoint.size());
  return tcp;
}

// The address of the other side, empty for a UNIX socket; none if it has left already.
std::optional<std::string> peer_of(const Socket& socket) {
  error_code error;
  const auto remote = socket.remote_endpoint(error);
  if (error) return std::nullopt;
  const auto endpoint = tcp_endpoint(remote);
  if (!endpoint) return "";
  const asio::ip::address address = endpoint->address();
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
  }
  return address.to_string();
}

void raise_descriptor_limit(std::size_t connections) {
  constexpr std::size_t kOthers = 512;  // models, logs, libraries
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= connections + kOthers) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, connections + kOthers);
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

struct HttpServer::Service : Shared {
  using Shared::Shared;

  ~Service() {
    io->end();
    close_all();
  }

  Listener& bind(const Socket::endpoint_type& endpoint, const std::string& where) {
    raise_descriptor_limit(limits.max_connections + kMaxRefusing);
    Acceptor acceptor(context);
    error_code error;
    const auto step = [&](auto&& call) {
      if (!error) call();
    };
    step([&] { acceptor.open(endpoint.protocol(), error); });
    step([&] { acceptor.set_option(Acceptor::reuse_address(true), error); });
    step([&] { acceptor.bind(endpoint, error); });
    step([&] { acceptor.listen(Acceptor::max_listen_connections, error); });
    step([&] { acceptor.non_blocking(true, error); });
    if (error == asio::error::address_in_use) throw IoError(where + ": another program listens there");
    if (error) throw IoError(cat(where, ": cannot listen there: ", error.message()));
    return listeners.emplace_back(Listener{std::move(acceptor), nullptr});
  }

  asio::awaitable<void> accept(Listener& listener) {
    asio::steady_timer pause(context);
    while (listener.acceptor.is_open()) {
      auto [error, socket] = co_await listener.acceptor.async_accept(kAwait);
      if (!error) {
        admit(std::move(socket));
      } else if (listener.acceptor.is_open()) {  // no descriptors are left: the client waits in the kernel's queue
        pause.expires_after(kSweep);
        co_await pause.async_wait(kAwait);
      }
    }
  }

  void admit(Socket socket) {
    if (stopped || connections.size() >= limits.max_connections + kMaxRefusing) return;
    error_code ignored;
    socket.non_blocking(true, ignored);
    std::optional<std::string> peer = peer_of(socket);
    if (!peer) return;
    if (!peer->empty()) socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    const auto connection = std::make_shared<Connection>(*this, std::move(socket), *std::move(peer));
    connections.emplace(connection.get(), connection);
    open = connections.size();
    if (!std::exchange(watching, true)) asio::co_spawn(context, watch(), rethrow);
    if (connections.size() > limits.max_connections) {
      connection->refuse(503, "too many connections");
    } else {
      connection->start();
    }
  }

  // Closes connections that take too long. One timer for all: deadlines move with every request.
  asio::awaitable<void> watch() {
    while (!connections.empty()) {
      sweep.expires_after(kSweep);
      co_await sweep.async_wait(kAwait);
      const auto now = Clock::now();
      std::vector<std::shared_ptr<Connection>> late;
      for (const auto& [key, connection] : connections) {
        if (connection->late(now)) late.push_back(connection);
      }
      for (std::size_t i = 0; i < late.size(); ++i) {
        if (i % kExpireAtOnce == kExpireAtOnce - 1) co_await asio::post(context, asio::use_awaitable);
        if (late[i]->late(now)) late[i]->expire();
      }
    }
    watching = false;
  }

  std::vector<std::shared_ptr<Connection>> all() const {
    std::vector<std::shared_ptr<Connection>> list;
    for (const auto& [key, connection] : connections) list.push_back(connection);
    return list;
  }

  // Clients that the kernel has connected already are still served.
  void drain() {
    draining = true;
    for (Listener& listener : listeners) {
      listener.file.reset();
      for (error_code error; listener.acceptor.is_open() && !error;) {
        Socket socket = listener.acceptor.accept(error);
        if (!error) admit(std::move(socket));
      }
      error_code ignored;
      listener.acceptor.close(ignored);
    }
    for (const auto& connection : all()) connection->drain();
  }

  void close_all() {
    stopped = true;
    for (Listener& listener : listeners) {
      listener.file.reset();
      error_code ignored;
      listener.acceptor.close(ignored);
    }
    for (const auto& connection : all()) connection->hang_up();
  }

  static void rethrow(std::exception_ptr failed) {
    if (failed) std::rethrow_exception(failed);
  }

  std::list<Listener> listeners;
  bool watching = false;
  bool stopped = false;
};

HttpServer::HttpServer(const HttpLimits& limits, Handler handler, ErrorPage error_page)
    : service_(std::make_unique<Service>(limits, std::move(handler), std::move(error_page))) {}

HttpServer::~HttpServer() = default;

int HttpServer::listen(const std::string& host, int port) {
  using asio::ip::tcp;
  const std::string where = cat(host, ":", port);
  if (host.empty()) throw IoError("the address to listen on is empty; 0.0.0.0 is all of this machine's");
  if (port < 0 || port > 65535) throw IoError(where + ": a port is a number from 0 to 65535");
  error_code error;
  tcp::resolver resolver(service_->context);
  const auto found = resolver.resolve(host, std::to_string(port), tcp::resolver::passive, error);
  if (error || found.empty()) throw IoError(cat(where, ": there is no such address: ", error.message()));
  const Listener& listener = service_->bind(found.begin()->endpoint(), where);
  return tcp_endpoint(listener.acceptor.local_endpoint()).value().port();
}

void HttpServer::listen_unix(const std::string& path) {
  if (path.empty() || path.size() >= sizeof(sockaddr_un::sun_path)) {
    throw IoError(cat(path, ": the path of a UNIX socket has 1 to ", sizeof(sockaddr_un::sun_path) - 1, " bytes"));
  }
  const Socket::endpoint_type endpoint(asio::local::stream_protocol::endpoint{path});
  struct stat found = {};
  if (lstat(path.c_str(), &found) == 0) {
    if (!S_ISSOCK(found.st_mode)) throw IoError(path + ": exists and is not a socket");
    Socket probe(service_->context, endpoint.protocol());
    probe.native_non_blocking(true);
    if (connect(probe.native_handle(), endpoint.data(), static_cast<socklen_t>(endpoint.size())) == 0 ||
        errno != ECONNREFUSED) {
      throw IoError(path + ": another program listens there");
    }
    unlink(path.c_str());
  }
  Listener& listener = service_->bind(endpoint, path);
  listener.file = std::make_unique<SocketFile>(path);
}

std::string HttpServer::listen_on(int descriptor) {
  const std::string where = cat("descriptor ", descriptor);
  int listens = 0;
  socklen_t size = sizeof listens;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0) {
    throw IoError(where + ": is not a socket that listens");
  }
  int family = 0;
  size = sizeof family;
  getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &family, &size);
  if (family != AF_INET && family != AF_INET6 && family != AF_UNIX) {
    throw IoError(where + ": is neither a TCP nor a UNIX socket");
  }
  raise_descriptor_limit(service_->limits.max_connections + kMaxRefusing);
  Acceptor acceptor(service_->context);
  error_code error;
  acceptor.assign(asio::generic::stream_protocol(family, 0), descriptor, error);
  if (!error) acceptor.non_blocking(true, error);
  if (error) throw IoError(cat(where, ": cannot listen there: ", error.message()));
  const Socket::endpoint_type local = acceptor.local_endpoint(error);
  service_->listeners.push_back({std::move(acceptor), nullptr});
  if (const auto endpoint = tcp_endpoint(local)) {
    const std::string host = endpoint->address().to_string();
    return cat("http://", endpoint->address().is_v6() ? cat('[', host, ']') : host, ':', endpoint->port());
  }
  const char* path = reinterpret_cast<const sockaddr_un*>(local.data())->sun_path;
  return cat("unix:", std::string(path, strnlen(path, sizeof(sockaddr_un::sun_path))));
}

void HttpServer::run() {
  for (Listener& listener : service_->listeners) {
    asio::co_spawn(service_->context, service_->accept(listener), Service::rethrow);
  }
  service_->context.run();
}

void HttpServer::drain() {
  service_->io->run([service = service_.get()] { service->drain(); });
}

void HttpServer::stop() {
  service_->io->run([service = service_.get()] { service->close_all(); });
}

std::size_t HttpServer::open_connections() const { return service_->open; }

}  // namespace dhyan::server
