// Nobody truncates a file of the page's memory while it is read.
#include "core/bus_error.h"

namespace dhyan {

WatchedRange::WatchedRange(std::span<const std::byte>) : slot_(nullptr) {}
WatchedRange::~WatchedRange() = default;
bool WatchedRange::failed() const { return false; }

}  // namespace dhyan
