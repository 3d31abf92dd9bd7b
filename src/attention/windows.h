#pragma once

#include "attention/scores.h"

namespace dhyan {

// Where the queries of a sentence stand in their own sequence.
class QueryPositions {
 public:
  // One after the other: first, first + 1, ... Implicit: an Index is one.
  QueryPositions(Index first = 0) : QueryPositions(first, 1, {}) {}

  // All at one position: the hypotheses of a beam.
  static QueryPositions all_at(Index position) { return {position, 0, {}}; }

  // One after the other, from its own position in each sentence. `firsts` must outlive this.
  static QueryPositions from(std::span<const Index> firsts) { return {0, 1, firsts}; }

  // The position of the t-th query of sentence b.
  Index at(Index b, Index t) const {
    return (firsts_.empty() ? first_ : firsts_[static_cast<std::size_t>(b)]) + t * step_;
  }

 private:
  QueryPositions(Index first, Index step, std::span<const Index> firsts)
      : first_(first), step_(step), firsts_(firsts) {}

  Index first_;
  Index step_;
  std::span<const Index> firsts_;
};

// The keys that a window lets the queries of a batch see, and their bias.
struct MaskAndBias {
  AttentionMask visible = AttentionMask::all();
  Var bias = {};  // [Σ N T_b S_b] to be added to the energies, or none
};

struct WindowSize {
  Index query = 0;    // Q
  Index hidden = 0;   // A
  Index radius = 10;  // D
};

// The arguments for making a window: its parameters, if any, are added as name.W, ...
struct WindowMaking {
  ParameterSet& parameters;
  std::string name;
  WindowSize size;
  Rng rng;
};

// Which keys a query may see, and how its weights change.
class Window {
 public:
  virtual ~Window() = default;

  virtual MaskAndBias view(const Ragged& query, const AttentionLayout& layout,
                           const QueryPositions& positions) const = 0;

  // The weights that make the context.
  virtual Var choose(const Var& weights, const AttentionLayout&) const { return weights; }  // [Σ N T_b S_b] -> same
};

// The table of windows. A new one is a class and a line in windows.cpp.
struct WindowEntry {
  std::string_view name;
  std::string_view meaning;
  std::string_view reference;  // a key of docs/refs.bib
  bool exact_gradient;         // false: backward only estimates it
  std::unique_ptr<Window> (*make)(const WindowMaking& making);
};

std::span<const WindowEntry> windows();

// The keys that another window shows, without those after the query's own position.
std::unique_ptr<Window> causal(std::unique_ptr<const Window> window);

// By name. ConfigError if the table has none such, or if sizes do not fit.
std::unique_ptr<Window> make_window(std::string_view name, const WindowMaking& making,
                                    std::span<const WindowEntry> table = windows());

}  // namespace dhyan
