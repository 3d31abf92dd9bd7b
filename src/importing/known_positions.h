#pragma once

#include "importing/imported_model.h"

namespace dhyan {

// Sets positions from the tables that a file stores: sinusoids by their formula, which has no limit, and other tables
// as learned positions, of which the model has as many as both have rows.
void set_positions(ImportedModel& model, ForeignMatrix encoder, ForeignMatrix decoder);

}  // namespace dhyan
