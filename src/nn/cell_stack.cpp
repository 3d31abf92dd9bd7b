#include "nn/cell_stack.h"

#include "core/error.h"

namespace dhyan {

CellStack::CellStack(std::string_view kind, ParameterSet& parameters, const std::string& name, const CellSize& size,
                     Index transitions, const CellOptions& options) {
  cells_.push_back(make_cell(kind, parameters, name, size, options));
  for (Index i = 0; i < transitions; ++i) {
    cells_.push_back(make_cell(kind, parameters, cat(name, ".transition.", i), {0, size.hidden}, options));
  }
}

State CellStack::step(const Var& from_x, const State& before) const {
  State state = first().step(from_x, before);  // [n,H]
  for (std::size_t i = 1; i < cells_.size(); ++i) {
    state = cells_[i]->step(cells_[i]->project_nothing(from_x.scope(), from_x.rows()), state);  // [n,H]
  }
  return state;
}

}  // namespace dhyan
