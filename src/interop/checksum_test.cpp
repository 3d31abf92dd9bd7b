#include "interop/checksum.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "interop/parameter_file.h"
#include "interop/testing/file_bytes.h"

namespace dhyan {
namespace {

class ChecksumTest : public FolderTest {
 protected:
  void SetUp() override {
    parameters_.add("a", {2}).value.fill(1);
    parameters_.add("b", {3, 2}).value.fill(2);
    save_parameters(path_, parameters_, {{"step", "100"}});
  }
  std::string bytes() const { return read("m.safetensors"); }
  void put(const std::string& bytes) const { write("m.safetensors", bytes); }
  Integrity integrity() const { return integrity_of(SafetensorsFile(path_)); }

  const std::filesystem::path path_ = folder_ / "m.safetensors";
  ParameterSet parameters_;
};

TEST_F(ChecksumTest, OfAWrittenFileMatches) {
  EXPECT_EQ(integrity(), Integrity::kIntact);
  save_tensors(path_, {});
  EXPECT_EQ(integrity(), Integrity::kIntact);
}

// Every bit of the file, its header included: the reader finds the file damaged, or not a safetensors file.
TEST_F(ChecksumTest, FindsEveryFlippedBit) {
  const std::string whole = bytes();
  std::size_t found = 0;
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    try {
      const SafetensorsDirectory parsed = parse_safetensors("m", std::as_bytes(std::span(damaged)));
    } catch (const ModelFileError&) {
      continue;
    }
    put(damaged);
    EXPECT_EQ(integrity(), Integrity::kDamaged) << "bit " << bit % 8 << " of byte " << bit / 8;
    ++found;
  }
  EXPECT_GT(found, 8 * 8 * sizeof(Real)) << "at least those of the values";
}

TEST_F(ChecksumTest, IsOptionalInFilesOfOtherPrograms) {
  put(file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "abcd"));
  EXPECT_EQ(integrity(), Integrity::kNoChecksum);
  EXPECT_NO_THROW(expect_intact(path_));
  put(file_of(R"({"__metadata__":{"checksum":"sha256:1234"},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
              "abcd"));
  EXPECT_EQ(integrity(), Integrity::kNoChecksum) << "another program's";
}

TEST_F(ChecksumTest, IsComparedBeforeWeightsAreLoaded) {
  std::string damaged = bytes();
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  put(damaged);
  const std::string expected = path_.string() +
                               ": its bytes do not match its checksum, so the file is damaged; copy it again, or"
                               " restore it from a backup";
  parameters_.find("a")->value.fill(7);
  EXPECT_EQ(thrown<ModelFileError>([&] { load_parameters(path_, parameters_); }), expected);
  EXPECT_EQ(thrown<ModelFileError>([&] { load_matching_parameters(path_, parameters_); }), expected);
  EXPECT_EQ(thrown<ModelFileError>([&] { load_prepacked_parameters(path_, parameters_); }), expected);
  EXPECT_EQ(parameters_.find("a")->value.span()[0], 7) << "nothing was changed";
}

TEST_F(ChecksumTest, CoversInt8Weights) {
  ParameterSet large;
  Parameter& weight = large.add("w", {16, 16});
  weight.role = Role::kWeight;
  weight.value.fill(1);
  save_int8_parameters(path_, large, {{"quantization", "int8"}});
  EXPECT_EQ(integrity(), Integrity::kIntact);
}

}  // namespace
}  // namespace dhyan
