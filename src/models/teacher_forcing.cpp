#include "models/teacher_forcing.h"

#include "ops/arena_copy.h"

namespace dhyan {

// Only computations that depend on the step before are in the loop. At step t the live sentences are the first ones, so
// their rows are a window on the rows of all.
Forced teacher_forced(const RecurrentDecoder& decoder, const DecoderBeginning& beginning, const Var& y,
                      const RecurrentPlan& plan) {
  const Var y_in_time = gather_rows(y, plan.to_time(Direction::kForward));  // [ΣT,E]
  const Var from_y = decoder.project(y_in_time);                            // [ΣT,G H]
  DecoderState state = beginning.state;
  Surroundings around = beginning.around;
  const auto steps = static_cast<std::size_t>(plan.steps());
  Arena& arena = y.scope().arena();
  const std::span<Var> s = arena_span<Var>(arena, steps), c = arena_span<Var>(arena, steps),
                       fed = arena_span<Var>(arena, steps), weights = arena_span<Var>(arena, steps);
  for (std::size_t t = 0; t < steps; ++t) {
    const auto place = static_cast<Index>(t);
    const Index begin = plan.begin(place), end = plan.begin(place + 1);
    around = first_rows_of(around, end - begin);
    const DecoderInput input{slice_rows(y_in_time, begin, end), slice_rows(from_y, begin, end), place};
    const DecoderOutput output = decoder.step(input, first_rows_of(state, end - begin), around);
    state = output.state;
    s[t] = output.s, c[t] = output.c, fed[t] = state.fed, weights[t] = output.attended.weights;
  }
  const auto in_batch = [&](std::span<const Var> rows) {
    return rows.front() ? gather_rows(concat_rows(rows), plan.from_time(Direction::kForward)) : Var();  // [ΣT,.]
  };
  const Var readout = decoder.feeds() ? in_batch(fed) : decoder.readout(in_batch(s), in_batch(c), y);  // [ΣT,O]
  return {readout, decoder.heads() > 0 ? weights : std::span<Var>()};
}

}  // namespace dhyan
