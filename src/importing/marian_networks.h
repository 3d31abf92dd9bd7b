#pragma once

#include "importing/imported_model.h"
#include "importing/marian_settings.h"

namespace dhyan {

// A network of Marian: the model type of its settings, and the function that reads them and all weights but the tables
// of words. A new one is an entry of the table in marian_model.cpp.
struct MarianNetwork {
  std::string_view type;
  std::string_view output;  // names of the output layer's tensors begin with this
  void (*read)(const MarianSettings& settings, ForeignTensors& tensors, ImportedModel& model);
};

void read_marian_transformer(const MarianSettings& settings, ForeignTensors& tensors, ImportedModel& model);
void read_marian_recurrent(const MarianSettings& settings, ForeignTensors& tensors, ImportedModel& model);

}  // namespace dhyan
