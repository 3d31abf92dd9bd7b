#include "distributed/mpi_transport.h"

#include <deque>
#include <dlfcn.h>

#include "core/error.h"
#include "distributed/communicator.h"
#include "distributed/mpi_plugin.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostReceiving = 64;  // messages that have been announced and not arrived in full

const DhyanMpiPlugin& load_plugin() {
  std::string tried;
  for (const fs::path& place : mpi_plugin_places()) {
    if (!fs::exists(place)) {
      tried += cat(tried.empty() ? "" : ", ", place.string());
      continue;
    }
    // Global: the modules that Open MPI loads look for its symbols. It stays loaded.
    void* library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
      throw ConfigError(cat(place.string(), ": cannot be loaded: ", ::dlerror(),
                            "; expected MPI to be installed on every machine (Debian: openmpi-bin)"));
    }
    const auto* plugin = static_cast<const DhyanMpiPlugin*>(::dlsym(library, DHYAN_MPI_PLUGIN_SYMBOL));
    if (plugin == nullptr || plugin->version != DHYAN_MPI_PLUGIN_VERSION) {
      throw ConfigError(cat(place.string(), ": is of another version of dhyan"));
    }
    return *plugin;
  }
  throw ConfigError(cat("several ranks were started, and there is no ", tried,
                        ": this dhyan was built without MPI; install libopenmpi-dev and build it again"));
}

class MpiTransport final : public Transport {
 public:
  explicit MpiTransport(const DhyanMpiPlugin& plugin) : plugin_(plugin) {
    if (const char* why = plugin_.start(&rank_, &size_)) throw ConfigError(cat("MPI: ", why));
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, Bytes message) override {
    Pending& sending = sending_.emplace_back(Pending{{to, std::move(message)}, nullptr});
    sending.request = checked(plugin_.send(to, sending.message.bytes.data(), sending.message.bytes.size()));
  }

  // In the order in which they were announced, so that messages of one rank stay in order.
  std::optional<Message> receive() override {
    while (receiving_.size() < kMostReceiving && announce()) {
    }
    if (receiving_.empty() || !done(receiving_.front())) return std::nullopt;
    Message message = std::move(receiving_.front().message);
    receiving_.pop_front();
    return message;
  }

  bool sent_all() override {
    std::erase_if(sending_, [&](const Pending& one) { return done(one); });
    return sending_.empty();
  }

  void finish() override { plugin_.finish(); }

 private:
  struct Pending {
    Message message;  // of a message to send, `from` is the receiver
    DhyanMpiRequest request = nullptr;
  };

  static DhyanMpiRequest checked(DhyanMpiRequest request) {
    if (request == nullptr) throw RankError("MPI cannot send or receive a message");
    return request;
  }

  bool done(const Pending& one) const {
    const int done = plugin_.done(one.request);
    if (done < 0) throw RankError("MPI cannot send or receive a message");
    return done != 0;
  }

  bool announce() {
    int from = 0;
    const long long size = plugin_.next(&from);
    if (size == -1) return false;
    if (size < 0 || static_cast<std::size_t>(size) > kLongestMessage) {
      throw RankError(cat("MPI announced a message of ", size, " bytes, expected at most ", kLongestMessage));
    }
    Pending& one = receiving_.emplace_back(Pending{{from, Bytes(static_cast<std::size_t>(size))}, nullptr});
    one.request = checked(plugin_.receive(one.message.bytes.data(), one.message.bytes.size()));
    return true;
  }

  const DhyanMpiPlugin& plugin_;
  int rank_ = 0, size_ = 1;
  std::deque<Pending> sending_, receiving_;  // the addresses of bytes are stable when the deque moves its elements
};

}  // namespace

std::vector<fs::path> mpi_plugin_places() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  return {folder / "libdhyan_mpi.so", folder.parent_path() / "lib/dhyan/libdhyan_mpi.so"};
}

OpenTransport mpi_transport() {
  const DhyanMpiPlugin& plugin = load_plugin();
  return [&plugin] { return std::make_unique<MpiTransport>(plugin); };
}

}  // namespace dhyan
