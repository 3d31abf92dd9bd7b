#include "core/bus_error.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dhyan {

// Slots are reused and never freed: the signal handler may walk the list at any time.
struct WatchedRange::Slot {
  std::atomic<std::uintptr_t> begin = 0, end = 0;  // equal: the slot is free
  std::atomic<bool> failed = false;
  Slot* next = nullptr;
};

namespace {

// Globals, since a signal handler takes no argument of ours.
std::atomic<WatchedRange::Slot*> first_slot = nullptr;
std::uintptr_t page_bytes = 0;
struct sigaction previous_action {};

std::mutex& slots_mutex() {
  static std::mutex mutex;
  return mutex;
}

WatchedRange::Slot* slot_of(std::uintptr_t address) {
  for (WatchedRange::Slot* slot = first_slot.load(std::memory_order_acquire); slot != nullptr; slot = slot->next) {
    if (address >= slot->begin.load() && address < slot->end.load()) return slot;
  }
  return nullptr;
}

// Maps a page of zeros where the file has no bytes, so that the faulting instruction can run again. The kernel is
// called directly: a signal handler must not enter a library's wrapper of mmap, and ThreadSanitizer's wrapper counts as
// a write to the page, which races with the other threads' reads.
bool map_zeros(std::uintptr_t address) {
  const std::uintptr_t page = address / page_bytes * page_bytes;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  return ::syscall(SYS_mmap, page, page_bytes, PROT_READ | PROT_WRITE, flags, -1, 0) != -1;
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  const bool from_memory = info->si_code > 0 && info->si_addr != nullptr;  // not sent by a process
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  WatchedRange::Slot* slot = from_memory ? slot_of(address) : nullptr;
  if (slot != nullptr && map_zeros(address)) {
    slot->failed.store(true);
    errno = saved;
    return;
  }
  if ((previous_action.sa_flags & SA_SIGINFO) != 0) return previous_action.sa_sigaction(signal, info, context);
  if (previous_action.sa_handler == SIG_IGN && !from_memory) return;
  if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    return previous_action.sa_handler(signal);
  }
  std::signal(signal, SIG_DFL);
  ::raise(signal);  // delivered when the handler returns
  errno = saved;
}

}  // namespace

WatchedRange::WatchedRange(std::span<const std::byte> bytes) {
  const std::lock_guard lock(slots_mutex());
  Slot* free = first_slot.load();
  while (free != nullptr && free->begin.load() != free->end.load()) free = free->next;
  slot_ = free;
  if (slot_ == nullptr) {
    slot_ = new Slot;  // reachable from first_slot for good
    slot_->next = first_slot.load();
    first_slot.store(slot_, std::memory_order_release);
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  slot_->failed.store(false);
  slot_->begin.store(begin);
  slot_->end.store(begin + bytes.size());
}

WatchedRange::~WatchedRange() {
  const std::lock_guard lock(slots_mutex());
  slot_->end.store(0);
  slot_->begin.store(0);
}

bool WatchedRange::failed() const { return slot_->failed.load(); }

void catch_bus_errors() {
  page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGBUS, &action, &previous_action);
}

}  // namespace dhyan
