#include "interop/ctranslate2_file.h"

#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "interop/marian_bin.h"
#include "interop/testing/zip_writer.h"

namespace dhyan {
namespace {

class Ctranslate2Files : public FolderTest {
 protected:
  std::string saved() {
    static const float kValues[] = {1, 2, 3, 4, 5, 6};
    static const std::int8_t kOne = 1;
    Ctranslate2File file{.specification = "TransformerSpec", .revision = 7};
    file.variables = {{"a/weight", find_file_dtype("F32"), {2, 3}, std::as_bytes(std::span(kValues))},
                      {"b", find_file_dtype("I8"), {}, std::as_bytes(std::span(&kOne, 1))}};
    file.aliases = {{"c/weight", "a/weight"}};
    save_ctranslate2(folder_ / "model.bin", file);
    return read("model.bin");
  }
};

TEST_F(Ctranslate2Files, AreReadAsTheyWereWritten) {
  const std::string bytes = saved();
  EXPECT_TRUE(is_ctranslate2(bytes_of_text(bytes)));
  const Ctranslate2File file = parse_ctranslate2("m", bytes_of_text(bytes));
  EXPECT_EQ(file.version, 6u);
  EXPECT_EQ(file.specification, "TransformerSpec");
  EXPECT_EQ(file.revision, 7u);
  ASSERT_EQ(file.variables.size(), 2u);
  EXPECT_EQ(file.variables[0].name, "a/weight");
  EXPECT_EQ(file.variables[0].shape, (Shape{2, 3}));
  EXPECT_EQ(file.variables[1].shape, Shape{});
  EXPECT_EQ(file.aliases.at("c/weight"), "a/weight");
}

TEST_F(Ctranslate2Files, AreRefusedAtEveryLengthButTheirOwn) {
  const std::string bytes = saved();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(parse_ctranslate2("m", bytes_of_text(bytes.substr(0, length))), ModelFileError) << length;
  }
  EXPECT_EQ(thrown<ModelFileError>([&] { parse_ctranslate2("m", bytes_of_text(bytes + "x")); }),
            "m: 1 bytes after the last variable");
}

TEST(Ctranslate2File, OfVersion3HasTheSizeOfAnElement) {
  std::string bytes;
  append_little_endian(bytes, 3, 4);
  append_little_endian(bytes, 5, 2);
  bytes += std::string("Spec\0", 5);
  append_little_endian(bytes, 1, 4);
  append_little_endian(bytes, 1, 4);
  append_little_endian(bytes, 2, 2);
  bytes += std::string("w\0", 2);
  bytes += '\x01';
  append_little_endian(bytes, 2, 4);
  bytes += '\x02';
  append_little_endian(bytes, 2, 4);
  bytes += "abcd";
  append_little_endian(bytes, 0, 4);
  const Ctranslate2File file = parse_ctranslate2("m", bytes_of_text(bytes));
  EXPECT_EQ(file.variables.front().dtype->name, "I16");
  EXPECT_EQ(file.variables.front().shape, (Shape{2}));
  bytes[0] = 7;
  EXPECT_EQ(thrown<ModelFileError>([&] { parse_ctranslate2("m", bytes_of_text(bytes)); }),
            "m: is of the binary version 7, expected 2 to 6");
}

// One tensor of each type.
std::string small_marian_bin() {
  std::string bytes;
  append_little_endian(bytes, 1, 8);
  append_little_endian(bytes, 2, 8);
  for (const std::uint64_t number : {2, 0x404, 1, 8, 2, 0x4101, 2, 6 + 4}) append_little_endian(bytes, number, 8);
  bytes += std::string("f\0q\0", 4);
  for (const std::uint64_t extent : {2, 2, 3}) append_little_endian(bytes, extent, 4);
  append_little_endian(bytes, 3, 8);
  bytes += "pad";
  const float values[] = {1, 2}, factor = 4;
  bytes.append(reinterpret_cast<const char*>(values), sizeof values);
  bytes += "\x01\x02\x03\x04\x05\x06";
  bytes.append(reinterpret_cast<const char*>(&factor), sizeof factor);
  return bytes;
}

TEST(MarianBin, HasFloatsAndQuantizedMatrices) {
  const std::string bytes = small_marian_bin();
  EXPECT_TRUE(is_marian_bin(bytes_of_text(bytes)));
  const MarianBinFile file = parse_marian_bin("m.bin", bytes_of_text(bytes));
  ASSERT_EQ(file.tensors.size(), 2u);
  EXPECT_EQ(file.tensors[0].name, "f");
  EXPECT_EQ(file.tensors[0].shape, (Shape{2}));
  EXPECT_EQ(file.tensors[1].shape, (Shape{2, 3}));
  EXPECT_EQ(file.tensors[1].bytes.size(), 6u);
  ASSERT_EQ(file.factors.size(), 1u);
  EXPECT_EQ(file.factors[0].values_per_one, 4);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(parse_marian_bin("m.bin", bytes_of_text(bytes.substr(0, length))), ModelFileError) << length;
  }
}

}  // namespace
}  // namespace dhyan
