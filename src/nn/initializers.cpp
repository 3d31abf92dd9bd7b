#include "nn/initializers.h"

#include <cmath>

#include "core/error.h"
#include "core/table.h"
#include "kernels/elementwise/fill.h"

namespace dhyan {

namespace {

void fill_zeros(const Tensor& weight, const Initializer&, Rng&) { weight.fill(0); }

void fill_constant(const Tensor& weight, const Initializer& how, Rng&) { weight.fill(static_cast<Real>(how.number)); }

void fill_uniform(const Tensor& weight, const Initializer& how, Rng& rng) {
  kernels::fill_uniform(rng, how.number, weight.matrix());
}

// The columns of one of how.blocks matrices.
Index block_cols(const char* name, const Tensor& weight, const Initializer& how) {
  expect_rank(name, "weight", weight.shape(), 2);
  if (how.blocks < 1 || weight.cols() % how.blocks != 0) {
    throw ShapeError(cat(name, ": weight is ", weight.shape(), ", expected columns in ", how.blocks, " equal blocks"));
  }
  return weight.cols() / how.blocks;
}

// [glorot2010] eq. 16
void fill_xavier(const Tensor& weight, const Initializer& how, Rng& rng) {
  const auto fan_in = static_cast<double>(weight.rows());
  const auto fan_out = static_cast<double>(block_cols("xavier", weight, how));
  kernels::fill_uniform(rng, std::sqrt(6 / (fan_in + fan_out)), weight.matrix());
}

// [saxe2014] section 3: a product with it keeps lengths, so a gradient neither grows nor fades on its way back in time.
void fill_orthogonal(const Tensor& weight, const Initializer& how, Rng& rng) {
  const Index cols = block_cols("orthogonal", weight, how);
  for (Index block = 0; block < how.blocks; ++block) {
    kernels::fill_orthogonal(rng, {weight.data() + block * cols, weight.rows(), cols, weight.cols()});
  }
}

constexpr InitializerEntry kInitializers[] = {
    {"zeros", "0", "", fill_zeros},
    {"constant", "the number", "", fill_constant},
    {"uniform", "U(-number, number)", "", fill_uniform},
    {"xavier", "U(-r, r), r = √(6 / (rows + cols))", "glorot2010", fill_xavier},
    {"orthogonal", "WᵀW = I", "saxe2014", fill_orthogonal},
};

// FNV-1a, 64 bits: the same on every machine, unlike std::hash.
std::uint64_t hash_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

Parameter& added(ParameterSet& parameters, const std::string& name, const Shape& shape, const Initializer& how,
                 const Rng& rng) {
  Parameter& parameter = parameters.add(name, shape);
  initialise(parameter, how, rng);
  return parameter;
}

}  // namespace

std::span<const InitializerEntry> initializers() { return kInitializers; }

void initialise(Parameter& parameter, const Initializer& how, const Rng& rng) {
  const InitializerEntry& entry = entry_named("initializer", initializers(), how.name);
  if (rng.is_unused()) return;
  Rng own = rng.split(hash_of(parameter.name));
  entry.fill(parameter.value, how, own);
}

const Parameter* add_parameter(ParameterSet& parameters, const std::string& name, const Shape& shape,
                               const Initializer& how, const Rng& rng) {
  return &added(parameters, name, shape, how, rng);
}

const Parameter* add_weight(ParameterSet& parameters, const std::string& name, const Shape& shape,
                            const Initializer& how, const Rng& rng) {
  Parameter& weight = added(parameters, name, shape, how, rng);
  weight.role = Role::kWeight;
  return &weight;
}

const Parameter* add_table(ParameterSet& parameters, const std::string& name, const Shape& shape,
                           const Initializer& how, const Rng& rng) {
  Parameter& table = added(parameters, name, shape, how, rng);
  table.role = Role::kTable;
  return &table;
}

}  // namespace dhyan
