#include "attention/windows.h"

#include "core/table.h"
#include "ops/keep.h"

namespace dhyan {

namespace {

// One range for each query: range(t, S) for the t-th of a sentence of S keys.
template <class F>
Visible each_query_sees(Scope& scope, const Pairing& pairing, const F& range) {
  const Segments& queries = pairing.queries;
  const auto ranges = room_for<KeyRange>(scope.arena(), static_cast<std::size_t>(queries.rows()));
  for (Index b = 0; b < queries.count(); ++b) {
    for (Index t = 0; t < queries.length(b); ++t) {
      ranges[static_cast<std::size_t>(queries.begin(b) + t)] = range(t, pairing.keys.length(b));
    }
  }
  return Visible::windows(ranges);
}

// [luong2015] section 3.1: all keys.
class GlobalWindow final : public Window {
 public:
  explicit GlobalWindow(const WindowMaking&) {}

  View view(const Ragged&, const Pairing&, const QueryPositions&) const override { return {}; }
};

// [vaswani2017] section 3.2.3: no key after the query's own place.
class CausalWindow final : public Window {
 public:
  explicit CausalWindow(const WindowMaking&) {}

  View view(const Ragged& query, const Pairing& pairing, const QueryPositions& positions) const override {
    return {each_query_sees(query.rows.scope(), pairing, [&](Index t, Index) {
      return KeyRange{0, positions[t] + 1};
    })};
  }
};

template <class T>
std::unique_ptr<Window> make(const WindowMaking& making) {
  return std::make_unique<T>(making);
}

constexpr WindowEntry kWindows[] = {
    {"global", "every position", "luong2015", make<GlobalWindow>},
    {"causal", "no position after the query's own", "vaswani2017", make<CausalWindow>},
};

}  // namespace

std::span<const WindowEntry> windows() { return kWindows; }

std::unique_ptr<Window> make_window(std::string_view name, const WindowMaking& making,
                                    std::span<const WindowEntry> table) {
  return entry_named("window", table, name).make(making);
}

}  // namespace dhyan
