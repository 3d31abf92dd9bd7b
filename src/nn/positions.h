#pragma once

#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "autograd/tape.h"
#include "kernels/elementwise/fill.h"
#include "nn/embedding.h"
#include "nn/initializers.h"
#include "ops/ragged.h"

namespace dhyan {

struct PositionsOptions {
  Index hidden = 0;    // H
  Index limit = 1024;  // learned: longest sentence there can be; sinusoidal: longest of which the table is kept
  Index first = 0;     // sinusoidal: the number of the first position
  Initializer table = {};
  Rng rng = Rng(0);
};

// Position encodings: they tell a row where in its sentence it stands.
class Positions {
 public:
  virtual ~Positions() = default;
  Positions(const Positions&) = delete;
  Positions& operator=(const Positions&) = delete;

  // Row i of every sentence gets the encoding of position start + i added. With cached decoding `start` is the number
  // of words before it, one for all sentences or one for each.
  Var add_to(const Ragged& x, Index start = 0) const;                // [R,H] -> [R,H]
  Var add_to(const Ragged& x, std::span<const Index> starts) const;  // [R,H] -> [R,H]

  // add_to() of the rows of words, without a tape in one pass. No starts: all at 0.
  Var of_words(Scope& scope, const Embedding& embedding, std::span<const RowId> words, const Segments& segments,
               std::span<const Index> starts) const;  // [R,H]

  // The number of positions.
  virtual Index limit() const { return std::numeric_limits<Index>::max(); }

 protected:
  explicit Positions(Index hidden) : hidden_(hidden) {}
  Index hidden() const { return hidden_; }

 private:
  Var add(const Ragged& x, std::span<const RowId> places) const;
  Var table_for(Scope& scope, std::span<const RowId> places) const;  // [> every place,H]

  // Encodings of at least the first `end` positions.
  virtual Var first(Scope& scope, Index end) const = 0;  // [>= end,H]

  Index hidden_;
};

// [vaswani2017] section 3.5: PE(p,2i) = sin(p / 10000^(2i/H)), PE(p,2i+1) = cos(p / 10000^(2i/H)), or in another form.
// No position is too far.
class SinusoidalPositions final : public Positions {
 public:
  explicit SinusoidalPositions(const PositionsOptions& options, kernels::SinusoidForm form = {});

 private:
  Tensor filled(Tensor table) const;
  Var first(Scope& scope, Index end) const override;

  kernels::SinusoidForm form_;
  Index limit_;
  Tensor beginning_;  // [.,H]  as far as sentences usually go
  mutable std::once_flag once_;
  mutable Tensor table_;  // [limit,H]  made for the first longer sentence
};

// A parameter name.table [limit,H], as in [devlin2019]. Throws DataError for a position beyond.
class LearnedPositions final : public Positions {
 public:
  LearnedPositions(ParameterSet& parameters, const std::string& name, const PositionsOptions& options);

  Index limit() const override { return table_->value.rows(); }

 private:
  Var first(Scope& scope, Index end) const override;

  const Parameter* table_;
};

// The table of position encodings. A new one is a class and a line in positions.cpp.
struct PositionsEntry {
  std::string_view name;
  bool by_formula;             // of size 1 and without weights
  std::string_view reference;  // a key of docs/refs.bib
  std::unique_ptr<Positions> (*make)(ParameterSet& parameters, const std::string& name,
                                     const PositionsOptions& options);
};

std::span<const PositionsEntry> position_encodings();

// By the name of the kind; ConfigError that lists the kinds if there is none such.
std::unique_ptr<Positions> make_positions(std::string_view kind, ParameterSet& parameters, const std::string& name,
                                          const PositionsOptions& options);

}  // namespace dhyan
