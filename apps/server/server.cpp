#include "server/server.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <future>
#include <iostream>
#include <thread>
#include <unistd.h>

#include "core/error.h"
#include "server/socket_activation.h"
#include "server/task_threads.h"

namespace dhyan::server {

namespace {

constexpr int kWoken = SIGUSR1;  // ends the thread that waits for signals
constexpr double kPatience = 5;  // seconds, after a second signal

// The signals that a server answers, blocked so that one thread can wait for them.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigemptyset(&set_);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, kWoken}) sigaddset(&set_, signal);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  int wait() const {
    int signal = 0;
    sigwait(&set_, &signal);
    return signal;
  }

  // 0 if none came.
  int wait(double seconds) const {
    timespec time{};
    seconds = std::max(seconds, 0.0);
    time.tv_sec = static_cast<std::time_t>(seconds);
    time.tv_nsec = static_cast<long>((seconds - static_cast<double>(time.tv_sec)) * 1e9);
    const int signal = sigtimedwait(&set_, nullptr, &time);
    return signal < 0 ? 0 : signal;
  }

 private:
  sigset_t set_{}, before_{};
};

// Loads models in a thread of its own, since that takes long and a signal may come meanwhile.
class Loader {
 public:
  explicit Loader(Service& service) : service_(service) {}

  void first(std::function<void()> load) { thread_.post(std::move(load)); }

  // Once more for all requests that come while it loads.
  void again() {
    if (asked_.exchange(true)) return;
    thread_.post([this] {
      asked_ = false;
      if (!ending_) reload();
    });
  }

  // Waits for the model that is being loaded, and loads no more.
  void end() {
    ending_ = true;
    std::promise<void> idle;
    thread_.post([&] { idle.set_value(); });
    idle.get_future().wait();
  }

 private:
  void reload() {
    try {
      service_.reload();
      std::cerr << "dhyan: models and keys are loaded again\n";
    } catch (const std::exception& error) {
      std::cerr << cat("dhyan: not loaded again, the old ones stay: ", error.what(), '\n');
    }
  }

  Service& service_;
  std::atomic<bool> asked_ = false, ending_ = false;
  TaskThreads thread_{1};
};

// Returns when the server has ended.
void answer_signals(const BlockedSignals& signals, Loader& loader, Service& service, HttpServer& http,
                    double drain_seconds) {
  int signal = signals.wait();
  for (; signal == SIGHUP; signal = signals.wait()) loader.again();
  if (signal == kWoken) return;
  std::cerr << "dhyan: sending the answers in progress; a second signal ends at once\n";
  service.drain();
  http.drain();
  const auto end = Clock::now() + std::chrono::duration<double>(drain_seconds);
  do {
    signal = signals.wait(std::chrono::duration<double>(end - Clock::now()).count());
  } while (signal == SIGHUP);
  if (signal == kWoken) return;
  http.stop();  // running translations are cancelled, and end within a step
  if (signals.wait(kPatience) != kWoken) std::_Exit(EXIT_FAILURE);  // a model that is being loaded does not
}

std::string tcp_address(const std::string& host, int port) {
  return cat("http://", host.find(':') == host.npos ? host : cat('[', host, ']'), ':', port);
}

}  // namespace

void serve(const ServerOptions& options,
           const std::function<void(const std::vector<std::string>& addresses)>& listening,
           const std::function<void(const ModelSet& models)>& ready) {
  const BlockedSignals signals;
  Service service(options.service);
  HttpServer http(
      options.http,
      [&](HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
        service.metrics().set_open_connections(http.open_connections());
        service.handle(std::move(request), std::move(exchange));
      },
      [&](int status, std::string_view message) {
        service.metrics().rejected("http");
        return HttpResponse{.status = status, .body = error_body(Api::kDhyan, ApiError(status, std::string(message)))};
      });
  std::vector<std::string> addresses;
  for (const int descriptor : activated_sockets(Activation::of_environment(), getpid())) {
    addresses.push_back(http.listen_on(descriptor));
  }
  if (addresses.empty()) addresses.push_back(tcp_address(options.host, http.listen(options.host, options.port)));
  if (!options.unix_socket.empty()) {
    http.listen_unix(options.unix_socket);
    addresses.push_back(cat("unix:", options.unix_socket));
  }
  listening(addresses);

  std::exception_ptr failed;
  Loader loader(service);
  loader.first([&] {
    try {
      service.load();
      ready(*service.models());
    } catch (...) {
      failed = std::current_exception();
      http.stop();
    }
  });
  std::thread waiter([&] { answer_signals(signals, loader, service, http, options.drain_seconds); });
  http.run();
  loader.end();
  service.finish();
  pthread_kill(waiter.native_handle(), kWoken);
  waiter.join();
  if (failed) std::rethrow_exception(failed);
}

}  // namespace dhyan::server
