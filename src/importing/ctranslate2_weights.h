#pragma once

#include <optional>

#include "importing/foreign_tensors.h"
#include "interop/ctranslate2_file.h"

namespace dhyan {

// The variables of a CTranslate2 model: scalars, and weights that may be quantized (values divided by their scales are
// the weights).
class Ctranslate2Weights {
 public:
  Ctranslate2Weights(std::string where, Ctranslate2File file);

  bool has(std::string_view name) const { return tensors_.has(name); }
  bool are_one(std::string_view a, std::string_view b) const { return tensors_.are_one(a, b); }

  std::optional<double> number(std::string_view name);  // a scalar; none if it is missing
  ForeignMatrix matrix(const std::string& name);        // [O,I]; int8 values are kept
  ForeignMatrix vector(const std::string& name, Index length) { return tensors_.vector(name, length); }
  ForeignMatrix bias(const std::string& name, Index length);  // zeros if there is none

  bool is_int8() const { return int8_; }
  const Ctranslate2File& file() const { return file_; }

  // ModelFileError that names a feature whose variables were not read.
  void expect_all_read() const;

 private:
  Ctranslate2File file_;
  ForeignTensors tensors_;
  bool int8_ = false;
};

}  // namespace dhyan
