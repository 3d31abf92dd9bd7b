#include "interop/parameter_file.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

#include "autograd/tape.h"
#include "core/error.h"
#include "core/rng.h"
#include "core/testing/not_finite.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "interop/testing/file_bytes.h"
#include "ops/embedding.h"
#include "ops/linear.h"
#include "ops/output_layer.h"
#include "ops/prepack.h"

namespace dhyan {
namespace {

class ParameterFile : public FolderTest {
 protected:
  void write(std::string_view bytes) const { FolderTest::write("model.safetensors", bytes); }
  std::string bytes() const { return read("model.safetensors"); }

  const std::filesystem::path path_ = folder_ / "model.safetensors";
};

TEST_F(ParameterFile, KeepsEveryParameterBitForBit) {
  ParameterSet saved, loaded;
  Rng rng(3);
  for (ParameterSet* set : {&saved, &loaded}) {
    set->add("encoder.0.W", {3, 5});
    set->add("scalar", {});
    set->add("empty", {0, 4});
    set->add("ध्यान \"quoted\"", {2, 1, 2, 2});
  }
  for (Parameter& parameter : saved) {
    for (Real& x : parameter.value.span()) x = static_cast<Real>(rng.normal());
  }
  saved.find("scalar")->value.fill(kInfinity);
  save_parameters(path_, saved, {{"note", "kept"}});
  load_parameters(path_, loaded);
  for (const Parameter& parameter : saved) {
    const std::span<Real> now = loaded.find(parameter.name)->value.span();
    EXPECT_TRUE(std::ranges::equal(now, parameter.value.span())) << parameter.name;
  }
  EXPECT_EQ(SafetensorsFile(path_).metadata().at("note"), "kept");
}

// The message that refuses the file; empty if it is accepted.
std::string refusal_to_load(
    const std::filesystem::path& path, ParameterSet& parameters,
    const std::function<void(const std::filesystem::path&, ParameterSet&)>& load = load_parameters) {
  try {
    load(path, parameters);
  } catch (const ModelFileError& error) {
    return std::string(error.what()).substr(path.string().size());
  }
  return {};
}

TEST_F(ParameterFile, LoadsAllParametersOrChangesNone) {
  ParameterSet parameters;
  parameters.add("a", {2}).value.fill(7);
  parameters.add("b", {3}).value.fill(7);
  const auto refused_with = [&](const std::vector<NamedTensor>& tensors) {
    save_tensors(path_, tensors);
    return refusal_to_load(path_, parameters);
  };
  const Tensor two = Tensor::zeros({2}), three = Tensor::zeros({3});
  EXPECT_EQ(refused_with({{"a", two}}), ": 1 tensors for 2 parameters; 1 missing: 'b'");
  EXPECT_EQ(refused_with({{"a", two}, {"c", two}, {"d", two}, {"e", two}, {"f", two}}),
            ": 5 tensors for 2 parameters; 1 missing: 'b'; 4 unexpected: 'c', 'd', 'e', ...");
  EXPECT_EQ(refused_with({{"a", two}, {"b", two}}), ": tensor 'b': shape is [2], expected [3]");
  write(file_of(cat(R"({"a":{"dtype":"F64","shape":[2],"data_offsets":[0,16]},)",
                    R"("b":{"dtype":"I32","shape":[3],"data_offsets":[16,28]}})"),
                std::string(28, '\0')));
  EXPECT_EQ(refusal_to_load(path_, parameters), ": tensor 'b': dtype is I32, expected floating point");
  for (const Parameter& parameter : parameters) {
    for (const Real x : parameter.value.span()) EXPECT_EQ(x, 7);
  }
  EXPECT_EQ(refused_with({{"b", three}, {"a", two}}), "");
  EXPECT_EQ(parameters.find("a")->value.data()[1], 0);
}

TEST_F(ParameterFile, SharesItsValuesWithParametersThatMayChangeThem) {
  ParameterSet saved, mapped;
  saved.add("w", {2, 3}).value.fill(7);
  mapped.add("w", {2, 3});
  save_parameters(path_, saved);
  const std::string before = bytes();
  load_prepacked_parameters(path_, mapped);
  std::filesystem::remove(path_);  // the mapping keeps its content
  const Tensor& w = mapped.begin()->value;
  EXPECT_EQ(w.span()[5], 7);
  w.fill(8);
  EXPECT_EQ(w.span()[0], 8);
  write(before);
  load_prepacked_parameters(path_, mapped);
  mapped.begin()->value.fill(9);
  EXPECT_EQ(bytes(), before);
  mapped.add("v", {1});
  EXPECT_THROW(load_prepacked_parameters(path_, mapped), ModelFileError);
  EXPECT_EQ(mapped.begin()->value.span()[0], 9) << "or what did not fit was changed";
}

TEST_F(ParameterFile, LoadsMatchingTensorsAndNamesTheOthers) {
  save_tensors(path_, std::vector<NamedTensor>{
                          {"a", Tensor::of({2}, {1, 2})}, {"b", Tensor::of({1}, {3})}, {"c", Tensor::of({1}, {4})}});
  ParameterSet parameters;
  const Parameter &a = parameters.add("a", {2}), &b = parameters.add("b", {2}), &d = parameters.add("d", {1});
  const Matched taken = load_matching_parameters(path_, parameters);
  EXPECT_EQ(a.value.data()[1], 2);
  EXPECT_EQ(b.value.data()[0], 0) << "of another shape";
  EXPECT_EQ(d.value.data()[0], 0);
  EXPECT_EQ(taken.other_parameters, (std::vector<std::string>{"b", "d"}));
  EXPECT_EQ(taken.other_tensors, (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(taken.dequantized, 0U);
  ParameterSet others;
  others.add("d", {1});
  EXPECT_THROW(load_matching_parameters(path_, others), ModelFileError);
}

// A weight, a table, and parameters that stay float.
void add_all(ParameterSet& set) {
  set.add("W", {17, 20}).role = Role::kWeight;
  set.add("table", {19, 16}).role = Role::kTable;
  set.add("small", {15, 20}).role = Role::kWeight;
  set.add("b", {20});
  set.add("other", {30, 30});
}

ParameterSet all_drawn() {
  ParameterSet set;
  add_all(set);
  Rng rng(7);
  for (Parameter& parameter : set) {
    for (Real& x : parameter.value.span()) x = static_cast<Real>(rng.normal());
  }
  return set;
}

// Reads them as a model does: lookup, logits and a linear layer.
std::vector<Real> used(const ParameterSet& set) {
  Arena arena;
  Scope scope(arena);
  const auto var = [&](const char* name) { return scope.parameter(*set.find(name)); };
  const std::vector<RowId> words{18, 3};
  const Var x = embedding(scope, var("table"), words);      // [2,16]
  const Var logits = output_logits(x, {var("table"), {}});  // [2,19]
  const Tensor wide = scope.tensor({2, 17});                // [2,17]
  std::copy_n(logits.value().data(), wide.size(), wide.data());
  const Var y = linear(scope.constant(wide), var("W"), var("b"));  // [2,20]
  std::vector<Real> all(y.value().span().begin(), y.value().span().end());
  for (const Var& more : {x, logits}) all.insert(all.end(), more.value().span().begin(), more.value().span().end());
  return all;
}

TEST_F(ParameterFile, InInt8IsCloseToTheFloats) {
  const ParameterSet full = all_drawn();
  save_int8_parameters(path_, full, {{"quantization", "int8"}});
  ParameterSet loaded;
  add_all(loaded);
  load_prepacked_parameters(path_, loaded);
  for (const char* name : {"W", "table"}) {
    EXPECT_EQ(loaded.find(name)->value.dtype(), Dtype::kInt8);
    EXPECT_EQ(loaded.find(name)->value.storage(), loaded.find(name)->prepacked->int8->panels().get()) << "no copy";
    EXPECT_EQ(loaded.find(name)->value.shape(), full.find(name)->value.shape());
  }
  for (const char* name : {"small", "b", "other"}) {
    EXPECT_TRUE(std::ranges::equal(loaded.find(name)->value.span(), full.find(name)->value.span())) << name;
  }
  const std::vector<Real> expected = used(full), now = used(loaded);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(now[i], expected[i], 0.5);  // of some ±15
  EXPECT_NE(now, expected);
}

TEST_F(ParameterFile, InInt8HoldsValuesAndScales) {
  const ParameterSet full = all_drawn();
  save_int8_parameters(path_, full, {{"quantization", "int8"}});
  const SafetensorsFile file(path_);
  EXPECT_EQ(file.metadata().at("quantization"), "int8");
  EXPECT_EQ(file.entries().size(), 7U);
  EXPECT_EQ(file.find("W.scales")->shape, (Shape{1, 20}));
  EXPECT_EQ(file.find("table.scales")->shape, (Shape{19, 1}));
  for (const TensorEntry& entry : file.entries()) {
    const std::byte* first = file.entries().front().bytes.data();
    EXPECT_EQ((entry.bytes.data() - first) % entry.dtype->bytes, 0) << entry.name << " is aligned";
  }
  for (const char* name : {"W", "table"}) {
    const TensorEntry& entry = *file.find(name);
    ASSERT_EQ(entry.dtype->name, "I8");
    const Tensor &value = full.find(name)->value, scales = file.read(*file.find(cat(name, ".scales")));
    for (Index i = 0; i < value.size(); ++i) {
      const double number = std::bit_cast<std::int8_t>(entry.bytes[static_cast<std::size_t>(i)]);
      const Real scale = scales.data()[scales.rows() == 1 ? i % value.cols() : i / value.cols()];
      EXPECT_NEAR(number * scale, value.data()[i], 0.5001 * scale);
    }
  }
}

TEST_F(ParameterFile, InInt8MayHaveTheMultiplierOfItsInputs) {
  ParameterSet parameters;
  parameters.add("w", {2, 3}).role = Role::kWeight;
  const auto saved_with = [&](float multiplier) {
    save_stored_int8_parameters(path_, parameters, {{"w", {{1, 2, 3, 4, 5, 6}, {1, 1, 1}, multiplier}}});
  };
  const auto loaded_multiplier = [&] {
    ParameterSet loaded;
    loaded.add("w", {2, 3}).role = Role::kWeight;
    load_prepacked_parameters(path_, loaded);
    return loaded.find("w")->prepacked->int8->activation();
  };
  saved_with(0);
  EXPECT_EQ(loaded_multiplier(), 0);
  saved_with(17.5F);
  EXPECT_EQ(loaded_multiplier(), 17.5F);
  EXPECT_EQ(load_matching_parameters(path_, parameters).other_tensors, std::vector<std::string>());
  EXPECT_EQ(parameters.find("w")->value.span()[5], 6);
  saved_with(static_cast<float>(kInfinity));
  EXPECT_EQ(thrown<ModelFileError>(loaded_multiplier),
            path_.string() + ": tensor 'w.activation': holds inf, expected a finite number above 0");
}

TEST_F(ParameterFile, InInt8BecomesFloatsToTrain) {
  const ParameterSet full = all_drawn();
  save_int8_parameters(path_, full);
  ParameterSet loaded;
  add_all(loaded);
  const Matched taken = load_matching_parameters(path_, loaded);
  EXPECT_EQ(taken.dequantized, 2U);
  EXPECT_TRUE(taken.other_parameters.empty());
  EXPECT_TRUE(taken.other_tensors.empty()) << "scales are read";
  const SafetensorsFile file(path_);
  for (const char* name : {"W", "table"}) {
    const TensorEntry& entry = *file.find(name);
    const Tensor scales = file.read(*file.find(cat(name, ".scales"))), &value = loaded.find(name)->value;
    ASSERT_EQ(value.dtype(), Dtype::kReal);
    for (Index i = 0; i < value.size(); ++i) {
      const Real number = std::bit_cast<std::int8_t>(entry.bytes[static_cast<std::size_t>(i)]);
      EXPECT_EQ(value.data()[i], number * scales.data()[scales.rows() == 1 ? i % value.cols() : i / value.cols()]);
    }
  }
  for (const char* name : {"small", "b", "other"}) {
    EXPECT_TRUE(std::ranges::equal(loaded.find(name)->value.span(), full.find(name)->value.span())) << name;
  }

  ParameterSet narrower;
  narrower.add("W", {17, 20}).role = Role::kWeight;
  narrower.add("table", {18, 16}).role = Role::kTable;
  const Matched some = load_matching_parameters(path_, narrower);
  EXPECT_EQ(some.other_parameters, std::vector<std::string>{"table"});
  EXPECT_EQ(some.other_tensors.size(), 5U) << "the table and its scales too";
}

TEST_F(ParameterFile, InInt8IsNotLoadedAsFloats) {
  save_int8_parameters(path_, all_drawn());
  ParameterSet set = all_drawn();
  const std::string expected = path_.string() +
                               ": its weights are int8, which cannot be averaged, exported or quantized again; use the "
                               "model that they were made from";
  EXPECT_EQ(thrown<ModelFileError>([&] { load_parameters(path_, set); }), expected);
  EXPECT_EQ(thrown<ModelFileError>([&] { expect_full_precision(path_); }), expected);
  load_prepacked_parameters(path_, set);
  save_parameters(folder_ / "full", all_drawn());
  EXPECT_NO_THROW(expect_full_precision(folder_ / "full"));
  load_parameters(folder_ / "full", set);
  EXPECT_EQ(set.find("W")->value.dtype(), Dtype::kReal);
  EXPECT_EQ(set.find("W")->prepacked, nullptr);
}

TEST_F(ParameterFile, IsNotQuantizedIfAWeightIsNanOrInfinite) {
  for (const Real bad : {kNan, -kInfinity}) {
    const ParameterSet set = all_drawn();
    set.find("table")->value.data()[5] = bad;
    EXPECT_EQ(thrown<ModelFileError>([&] { save_int8_parameters(path_, set); }),
              "'table' has weights that are NaN or infinite and cannot be quantized to int8");
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

struct Part {
  std::string dtype, shape, bytes;
};

// A file of one weight W [2,1] with one fault at a time.
TEST_F(ParameterFile, InInt8IsUntrusted) {
  const auto refused = [&](const Part& numbers, const Part& scales, Role role = Role::kWeight) {
    const auto part = [](const Part& p, std::size_t begin) {
      return cat(R"({"dtype":")", p.dtype, R"(","shape":)", p.shape, R"(,"data_offsets":[)", begin, ",",
                 begin + p.bytes.size(), "]}");
    };
    write(file_of(cat(R"({"W":)", part(numbers, 0), R"(,"W.scales":)", part(scales, numbers.bytes.size()), "}"),
                  numbers.bytes + scales.bytes));
    ParameterSet set;
    Parameter& weight = set.add("W", {2, 1});
    weight.role = role;
    weight.value.fill(7);
    const std::string refusal = refusal_to_load(path_, set, load_prepacked_parameters);
    ParameterSet floats;
    floats.add("W", {2, 1}).role = role;
    const bool scales_fit = numbers.shape == "[2,1]" && numbers.dtype == "I8";
    if (scales_fit) {
      EXPECT_EQ(refusal_to_load(path_, floats, load_matching_parameters), refusal) << "as floats";
    }
    if (refusal.empty()) {
      EXPECT_EQ(weight.value.dtype(), Dtype::kInt8);
    } else {
      EXPECT_EQ(weight.value.data()[1], 7) << "a refused file changes nothing";
    }
    return refusal;
  };
  using namespace std::string_literals;
  const Part good{"I8", "[2,1]", "\x7f\x80"};
  const auto scale = [](float number) {
    return Part{"F32", "[1,1]", std::string(reinterpret_cast<const char*>(&number), sizeof(number))};
  };
  EXPECT_EQ(refused(good, scale(1)), "");
  EXPECT_EQ(refused(good, scale(0)), "");
  EXPECT_EQ(refused(good, scale(-1)), ": tensor 'W.scales': holds -1, expected a finite scale of 0 or more");
  EXPECT_EQ(refused(good, scale(std::numeric_limits<float>::infinity())),
            ": tensor 'W.scales': holds inf, expected a finite scale of 0 or more");
  EXPECT_EQ(refused(good, scale(std::numeric_limits<float>::quiet_NaN())),
            ": tensor 'W.scales': holds nan, expected a finite scale of 0 or more");
  EXPECT_EQ(refused(good, {"F32", "[2,1]", std::string(8, '\0')}),
            ": tensor 'W.scales': shape is [2,1], expected [1,1]");
  EXPECT_EQ(refused(good, {"F32", "[1]", std::string(4, '\0')}), ": tensor 'W.scales': shape is [1], expected [1,1]");
  EXPECT_EQ(refused(good, {"I32", "[1,1]", std::string(4, '\0')}),
            ": tensor 'W.scales': dtype is I32, expected floating point");
  EXPECT_EQ(refused(good, scale(1), Role::kTable), ": tensor 'W.scales': shape is [1,1], expected [2,1]");
  EXPECT_EQ(refused(good, scale(1), Role::kOther), ": tensor 'W': is int8, expected floating point");
  EXPECT_EQ(refused({"I8", "[1,2]", "ab"}, scale(1)), ": tensor 'W': shape is [1,2], expected [2,1]");
  EXPECT_EQ(refused({"U8", "[2,1]", "ab"}, scale(1)), ": 2 tensors for 1 parameters; 1 unexpected: 'W.scales'");
  EXPECT_EQ(refused({"F32", "[2,1]", "abcdefgh"}, scale(1)), ": 2 tensors for 1 parameters; 1 unexpected: 'W.scales'");
  write(file_of(R"({"W":{"dtype":"I8","shape":[2,1],"data_offsets":[0,2]}})", "ab"));
  ParameterSet set;
  set.add("W", {2, 1}).role = Role::kWeight;
  EXPECT_EQ(refusal_to_load(path_, set, load_prepacked_parameters),
            ": 1 tensors for 2 parameters; 1 missing: 'W.scales'");
}

// Random damage to a good file: it is refused, or can be used.
TEST_F(ParameterFile, InInt8SurvivesRandomDamage) {
  save_int8_parameters(path_, all_drawn());
  const std::string good = bytes();
  const std::size_t header_end = good.find("}}") + 2;
  Rng rng(13);
  int refused = 0;
  constexpr int kRounds = 1000;
  for (int round = 0; round < kRounds; ++round) {
    std::string bad = good;
    const std::uint64_t reach = rng.below(2) == 0 ? bad.size() : header_end;
    bad[rng.below(reach)] = static_cast<char>(rng.below(2) == 0 ? rng.below(256) : '0' + rng.below(10));
    write(bad);
    ParameterSet set;
    add_all(set);
    try {
      load_prepacked_parameters(path_, set);
      used(set);
    } catch (const ModelFileError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, kRounds / 4);
  EXPECT_LT(refused, kRounds);
}

}  // namespace
}  // namespace dhyan
