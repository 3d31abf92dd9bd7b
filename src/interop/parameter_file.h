#pragma once

#include <functional>

#include "autograd/parameter.h"
#include "interop/safetensors.h"

namespace dhyan {

// The weights of a model as a safetensors file, by name. In an int8 file, a weight [I,O] has dtype I8
// and a tensor of scales [1,O] beside it, a table [V,H] one of [V,1]; values times scales are the weights. It may have
// a number [1] too, by which its inputs are quantized; otherwise they are quantized by the largest of each row.

void save_parameters(const std::filesystem::path& path, const ParameterSet& parameters, const Metadata& metadata = {});

// Quantizes weights and tables of at least 16 rows and columns to int8; the others are small and stay float.
// ModelFileError for weights that are NaN or infinite.
void save_int8_parameters(const std::filesystem::path& path, const ParameterSet& parameters,
                          const Metadata& metadata = {});

// Int8 values of a parameter that were quantized elsewhere, and the scale of each output.
struct Int8Values {
  std::vector<std::int8_t> values;
  std::vector<float> scales;
  float activation = 0;  // multiplier of its inputs; 0: by the largest of each row
};

// The same with values that are stored as they are; other parameters stay float.
void save_stored_int8_parameters(const std::filesystem::path& path, const ParameterSet& parameters,
                                 const std::map<std::string, Int8Values, std::less<>>& stored,
                                 const Metadata& metadata = {});

// ModelFileError, with a remedy, for an int8 file.
void expect_full_precision(const std::filesystem::path& path);

// Loads parameters that may be trained or changed. The file must hold every parameter by name, in its shape and in
// floating point, and nothing else, and match its checksum if it has one (interop/checksum.h); otherwise nothing
// changes and the ModelFileError names the difference. Discards prepacked forms.
void load_parameters(const std::filesystem::path& path, ParameterSet& parameters);

// Loads parameters for inference, float or int8, and prepacks them (ops/prepack.h). Float parameters are parts of the
// mapped file if possible, which is then read on first use; int8 parameters are packed and have no other copy. Compares
// the checksum unless the file is so large that it would delay the first translation by more than 5 %. Returns the
// mapped file, on which the caller must call expect_unchanged(); null if no parameter is part of it.
std::shared_ptr<const MappedFile> load_prepacked_parameters(const std::filesystem::path& path,
                                                            ParameterSet& parameters);

// Loads the tensors that match a parameter by name and shape, into floats that may be trained; int8 values are
// multiplied by their scales. ModelFileError if none matches, or if the file does not match its checksum.
struct Matched {
  std::vector<std::string> other_parameters;  // unchanged
  std::vector<std::string> other_tensors;     // not loaded
  std::size_t dequantized = 0;                // parameters that are int8 in the file
};
Matched load_matching_parameters(const std::filesystem::path& path, ParameterSet& parameters);

}  // namespace dhyan
