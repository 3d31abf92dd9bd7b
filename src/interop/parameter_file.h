#pragma once

#include "autograd/parameter.h"
#include "interop/safetensors.h"

namespace dhyan {

// The weights of a model as a safetensors file, by name. In a file of 8 bits, which is for use alone, a weight [I,O] is
// of dtype I8 and stands beside its scales [1,O], a table [V,H] beside [V,1]: the two multiplied are its numbers.

void save_parameters(const std::filesystem::path& path, const ParameterSet& parameters, const Metadata& metadata = {});

// Weights and tables of 16 rows and columns or more are rounded to 8 bits; the others are few and written as they are.
// ModelFileError for numbers that are not finite.
void save_int8_parameters(const std::filesystem::path& path, const ParameterSet& parameters,
                          const Metadata& metadata = {});

// ModelFileError, naming the cure, for a file of 8 bits.
void expect_full_precision(const std::filesystem::path& path);

// To be trained, or changed otherwise: the file must hold every parameter by name, in its shape and in floating point,
// and nothing else, and match its checksum if it has one (interop/checksum.h); otherwise nothing is changed and the
// ModelFileError names what differs. They are prepacked no more.
void load_parameters(const std::filesystem::path& path, ParameterSet& parameters);

// To be used: the same, and 8 bits will do. The parameters are prepacked (ops/prepack.h). They become parts of the file
// where they can: nothing is read until it is looked at; those of 8 bits are packed, and have no numbers beside. The
// checksum is compared unless the file is so large that it would delay the first answer by more than 5 %. Returns the
// file that parameters are part of, whose user is to ask it for expect_unchanged(); null if they are part of none.
std::shared_ptr<const MappedFile> load_prepacked_parameters(const std::filesystem::path& path,
                                                            ParameterSet& parameters);

// Takes what fits by name and shape, and tells the names of the others. ModelFileError if nothing fits, or if the file
// does not match its checksum.
struct Unmatched {
  std::vector<std::string> parameters;  // stay as they are
  std::vector<std::string> tensors;     // are left in the file
};
Unmatched load_matching_parameters(const std::filesystem::path& path, ParameterSet& parameters);

}  // namespace dhyan
