#include "interop/zip.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "interop/npz.h"
#include "interop/testing/zip_writer.h"

namespace dhyan {
namespace {

std::string content_of(const std::string& archive, std::string_view name) {
  const ZipArchive zip("a.zip", bytes_of_text(archive));
  std::vector<std::byte> storage;
  const auto content = zip.content(name, storage);
  return {reinterpret_cast<const char*>(content.data()), content.size()};
}

std::string refusal_of(const std::string& archive) {
  return thrown<ModelFileError>([&] { content_of(archive, "x"); });
}

const std::string kLong = std::string(3000, 'a') + std::string(3000, 'b');

TEST(ZipArchive, HasStoredAndDeflatedFiles) {
  const std::string archive = zip_of({{"x", "stored"}, {"folder/y", kLong, true}, {"empty", "", true}});
  EXPECT_TRUE(is_zip(bytes_of_text(archive)));
  EXPECT_EQ(content_of(archive, "x"), "stored");
  EXPECT_EQ(content_of(archive, "folder/y"), kLong);
  EXPECT_EQ(content_of(archive, "empty"), "");
  EXPECT_EQ(ZipArchive("a.zip", bytes_of_text(archive)).entries().size(), 3u);
}

TEST(ZipArchive, RefusesNamesThatLeadOut) {
  for (const std::string name : {"../x", "a/../../x", "/x", "a\\x", "C:x", "a/.."}) {
    EXPECT_EQ(refusal_of(zip_of({{name, "1"}})), "a.zip: the name '" + name + "' leads out of the archive");
  }
  EXPECT_EQ(refusal_of(zip_of({{"x", "1"}, {"x", "2"}})), "a.zip: the name 'x' occurs twice");
}

TEST(ZipArchive, RefusesFilesThatGrowTooMuch) {
  const std::string bomb = zip_of({{"x", std::string(80 << 20, '\0'), true}});
  ASSERT_LT(bomb.size(), 100'000u);
  EXPECT_NE(refusal_of(bomb).find("more than models need"), std::string::npos);
}

TEST(ZipArchive, RefusesDamage) {
  std::string archive = zip_of({{"x", kLong, true}, {"z", "plain"}});
  for (std::size_t length = 0; length < archive.size(); length += 7) {
    EXPECT_THROW(content_of(archive.substr(0, length), "x"), ModelFileError) << length;
  }
  archive[archive.find("plain")] = 'X';
  EXPECT_EQ(thrown<ModelFileError>([&] { content_of(archive, "z"); }),
            "a.zip: 'z' is damaged: its checksum does not match");
  EXPECT_EQ(thrown<ModelFileError>([&] { content_of(archive, "none"); }), "a.zip: has no file 'none'");
}

std::string floats(std::initializer_list<float> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(float)};
}

TEST(NpzFile, HasArraysByName) {
  const std::string archive = zip_of({npy_file("W", "<f4", "(2, 1)", floats({1, 2})),
                                      npy_file("yml", "<i1", "(3,)", "a: "),
                                      {"notes.txt", "ignored"}});
  const NpzFile file("m.npz", bytes_of_text(archive));
  ASSERT_EQ(file.arrays().size(), 2u);
  EXPECT_EQ(file.arrays()[0].name, "W");
  EXPECT_EQ(file.arrays()[0].shape, (Shape{2, 1}));
  Real values[2];
  file.arrays()[0].dtype->to_real(file.arrays()[0].bytes.data(), values, 2);
  EXPECT_EQ(values[1], 2);
  EXPECT_EQ(file.arrays()[1].dtype->name, "I8");
}

TEST(NpzFile, RefusesWhatIsNoPlainArray) {
  const auto refusal = [](const std::string& descr, const std::string& shape, const std::string& content) {
    const std::string archive = zip_of({npy_file("W", descr, shape, content)});
    return thrown<ModelFileError>([&] { NpzFile("m.npz", bytes_of_text(archive)); });
  };
  EXPECT_EQ(refusal("|O", "(1,)", "12345678"), "m.npz: array 'W': holds no little-endian numbers");
  EXPECT_EQ(refusal(">f4", "(1,)", "1234"), "m.npz: array 'W': holds no little-endian numbers");
  EXPECT_EQ(refusal("<f4", "(2,)", "1234"), "m.npz: array 'W': has 4 bytes, expected 8 for [2]");
  EXPECT_EQ(refusal("<f4", "(1, 1, 1, 1, 1)", "1234"), "m.npz: array 'W': has no shape of at most 4 extents");
  EXPECT_EQ(refusal("<f4", "(-1,)", ""), "m.npz: array 'W': has no shape of at most 4 extents");
}

}  // namespace
}  // namespace dhyan
