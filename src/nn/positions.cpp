#include "nn/positions.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/table.h"
#include "ops/arena_copy.h"
#include "ops/arithmetic.h"
#include "ops/embedding.h"

namespace dhyan {

namespace {

// start(b): where the first row of sentence b stands.
template <class Start>
std::span<const RowId> places_of(Arena& arena, const Segments& segments, const Start& start) {
  const auto places = arena_span<RowId>(arena, static_cast<std::size_t>(segments.rows()));
  for (Index b = 0; b < segments.count(); ++b) {
    const Index first = start(b);
    if (first < 0) throw DataError(cat("positions: start is ", first, ", expected 0 or more"));
    const auto begin = places.begin() + segments.begin(b);
    std::iota(begin, begin + segments.length(b), static_cast<RowId>(first));
  }
  return places;
}

std::span<const RowId> places_from(Arena& arena, const Segments& segments, std::span<const Index> starts) {
  if (std::ssize(starts) != segments.count()) {
    throw ShapeError(cat("positions: ", starts.size(), " starts for ", segments.count(), " sentences"));
  }
  return places_of(arena, segments, [starts](Index b) { return starts[static_cast<std::size_t>(b)]; });
}

std::span<const RowId> places_from(Arena& arena, const Segments& segments, Index start) {
  return places_of(arena, segments, [start](Index) { return start; });
}

template <kernels::SinusoidColumns columns, kernels::SinusoidRates rates>
std::unique_ptr<Positions> make_sinusoidal(ParameterSet&, const std::string&, const PositionsOptions& options) {
  return std::make_unique<SinusoidalPositions>(options, kernels::SinusoidForm{.columns = columns, .rates = rates});
}

using kernels::SinusoidColumns, kernels::SinusoidRates;

constexpr PositionsEntry kPositionEncodings[] = {
    {"sinusoidal", true, "vaswani2017", make_sinusoidal<SinusoidColumns::kAlternating, SinusoidRates::kOpen>},
    // as CTranslate2 and Hugging Face write models of Marian
    {"sinusoidal-halves", true, "vaswani2017", make_sinusoidal<SinusoidColumns::kHalves, SinusoidRates::kOpen>},
    // as Tensor2Tensor, Marian and fairseq compute them
    {"sinusoidal-closed", true, "vaswani2018", make_sinusoidal<SinusoidColumns::kHalves, SinusoidRates::kClosed>},
    {"learned", false, "devlin2019",
     [](ParameterSet& parameters, const std::string& name, const PositionsOptions& options)
         -> std::unique_ptr<Positions> { return std::make_unique<LearnedPositions>(parameters, name, options); }},
};

}  // namespace

Var Positions::add_to(const Ragged& x, Index start) const {
  expect_rows("positions", x.rows, x.segments);
  return add(x, places_from(x.rows.scope().arena(), x.segments, start));  // [R,H]
}

Var Positions::add_to(const Ragged& x, std::span<const Index> starts) const {
  expect_rows("positions", x.rows, x.segments);
  return add(x, places_from(x.rows.scope().arena(), x.segments, starts));  // [R,H]
}

Var Positions::of_words(Scope& scope, const Embedding& embedding, std::span<const RowId> words,
                        const Segments& segments, std::span<const Index> starts) const {
  const auto places =
      starts.empty() ? places_from(scope.arena(), segments, 0) : places_from(scope.arena(), segments, starts);
  if (!scope.recording() && !places.empty()) {
    const Var table = table_for(scope, places);  // [> every place,H]
    const LookUp looked_up{scope.parameter(embedding.table()), words};
    if (table.value().dtype() == Dtype::kReal)
      return placed_embedding(scope, looked_up, embedding.factor(), {table, places});  // [R,H]
  }
  const Var x = embedding(scope, words);  // [R,H]
  expect_rows("positions", x, segments);
  return add({x, segments}, places);  // [R,H]
}

Var Positions::table_for(Scope& scope, std::span<const RowId> places) const {
  return first(scope, *std::ranges::max_element(places) + 1);
}

Var Positions::add(const Ragged& x, std::span<const RowId> places) const {
  expect_shape("positions", "x", x.rows.shape(), {x.segments.rows(), hidden_});
  if (places.empty()) return x.rows;
  Scope& scope = x.rows.scope();
  const Var p = embedding(scope, table_for(scope, places), places);  // [R,H]
  return dhyan::add(x.rows, p);                                      // [R,H]
}

SinusoidalPositions::SinusoidalPositions(const PositionsOptions& options, kernels::SinusoidForm form)
    : Positions(options.hidden), form_(form), limit_(options.limit) {
  form_.first += options.first;
  beginning_ = filled(Tensor::uninitialized({std::min<Index>(options.limit, 128), options.hidden}));
}

Tensor SinusoidalPositions::filled(Tensor table) const {
  kernels::fill_sinusoids(table.matrix(), form_);
  return table;
}

// Modules are shared by threads, so the table cannot grow: positions beyond it are computed for the step.
Var SinusoidalPositions::first(Scope& scope, Index end) const {
  if (end <= beginning_.rows()) return scope.constant(beginning_.borrowed());      // [.,H]
  if (end > limit_) return scope.constant(filled(scope.tensor({end, hidden()})));  // [end,H]
  std::call_once(once_, [this] { table_ = filled(Tensor::uninitialized({limit_, hidden()})); });
  return scope.constant(table_.borrowed());  // [limit,H]
}

LearnedPositions::LearnedPositions(ParameterSet& parameters, const std::string& name, const PositionsOptions& options)
    : Positions(options.hidden),
      table_(add_table(parameters, name + ".table", {options.limit, options.hidden}, options.table, options.rng)) {}

Var LearnedPositions::first(Scope& scope, Index end) const {
  if (end > table_->value.rows()) {
    throw DataError(cat("positions: a sentence reaches length ", end, ", '", table_->name, "' has positions for ",
                        table_->value.rows()));
  }
  return scope.parameter(*table_);  // [limit,H]
}

std::span<const PositionsEntry> position_encodings() { return kPositionEncodings; }

std::unique_ptr<Positions> make_positions(std::string_view kind, ParameterSet& parameters, const std::string& name,
                                          const PositionsOptions& options) {
  return entry_named("positions", position_encodings(), kind).make(parameters, name, options);
}

}  // namespace dhyan
