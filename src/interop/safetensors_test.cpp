#include "interop/safetensors.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>

#include "core/error.h"
#include "core/rng.h"
#include "interop/safetensors_header.h"
#include "interop/testing/file_bytes.h"

namespace dhyan {
namespace {

class Safetensors : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("dhyan-") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
    path_ = folder_ / "model.safetensors";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(std::string_view bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::filesystem::path folder_, path_;
};

// The message that refuses the file; empty if it is accepted.
std::string refusal(std::string_view bytes) {
  try {
    parse_safetensors("m", std::as_bytes(std::span(bytes)));
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return {};
}

std::string refusal_of_header(std::string_view header, std::size_t data = 0) {
  return refusal(file_of(header, std::string(data, 'x')));
}

TEST_F(Safetensors, WritesTheseBytes) {
  save_tensors(path_, std::vector<NamedTensor>{{"b", Tensor::of({2}, {1, -2})}, {"a", Tensor::of({}, {0.5})}},
               {{"format", "dhyan"}});
  const bool wide = sizeof(Real) == 8;
  // The checksum is what XXH3 gives for these bytes with zeros for its digits.
  const std::string header =
      wide ? R"({"__metadata__":{"checksum":"xxh3:78630e613f509ecd","format":"dhyan","written_by":"dhyan"},)"
             R"("b":{"dtype":"F64","shape":[2],"data_offsets":[0,16]},)"
             R"("a":{"dtype":"F64","shape":[],"data_offsets":[16,24]}})"
           : R"({"__metadata__":{"checksum":"xxh3:b57810d829d23539","format":"dhyan","written_by":"dhyan"},)"
             R"("b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
             R"("a":{"dtype":"F32","shape":[],"data_offsets":[8,12]}})";
  const std::string padding(wide ? 1 : 3, ' ');  // to a multiple of 8
  using namespace std::string_literals;
  const std::string data =
      wide ? "\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\xe0\x3f"s : "\0\0\x80\x3f\0\0\0\xc0\0\0\0\x3f"s;
  EXPECT_EQ((header.size() + padding.size()) % 8, 0U);
  EXPECT_EQ(bytes(), file_of(header + padding, data));
}

TEST_F(Safetensors, ListsTensorsInTheOrderOfTheirBytes) {
  write(file_of(R"({"z":{"dtype":"I64","shape":[1],"data_offsets":[4,12]},)"
                R"("none":{"dtype":"F32","shape":[0],"data_offsets":[4,4]},)"
                R"("y":{"dtype":"BF16","shape":[2,1],"data_offsets":[0,4]}}   )",
                std::string(12, '\1')));
  const SafetensorsFile file(path_);
  ASSERT_EQ(file.entries().size(), 3U);
  EXPECT_EQ(file.entries()[0].name, "y");
  EXPECT_EQ(file.entries()[0].dtype->name, "BF16");
  EXPECT_EQ(file.entries()[0].shape, (Shape{2, 1}));
  EXPECT_EQ(file.entries()[0].bytes.size(), 4U);
  EXPECT_EQ(file.entries()[1].name, "none");
  EXPECT_EQ(file.find("z")->bytes.size(), 8U);
  EXPECT_EQ(file.find("w"), nullptr);
  EXPECT_THROW(file.read(*file.find("z")), ModelFileError);
  EXPECT_EQ(file.read(*file.find("none")).size(), 0);
}

TEST_F(Safetensors, AcceptsAFileWithNoTensors) {
  write(file_of("{}"));
  EXPECT_TRUE(SafetensorsFile(path_).entries().empty());
}

TEST_F(Safetensors, ConvertsEveryFloatingPointType) {
  const auto values = [&](const char* dtype, const std::string& data) {
    const std::size_t count = data.size() / static_cast<std::size_t>(find_file_dtype(dtype)->bytes);
    // An odd header leaves the values unaligned.
    write(file_of(
        cat("{\"w\":{\"dtype\":\"", dtype, "\",\"shape\":[", count, "],\"data_offsets\":[0,", data.size(), "]}} "),
        data));
    const SafetensorsFile file(path_);
    const Tensor w = file.read(*file.find("w"));
    return std::vector<Real>(w.span().begin(), w.span().end());
  };
  using namespace std::string_literals;
  EXPECT_EQ(values("F64", "\0\0\0\0\0\0\xf8\xbf"s), (std::vector<Real>{-1.5}));
  EXPECT_EQ(values("F32", "\0\0\xc0\xbf\0\0\x80\x3f"s), (std::vector<Real>{-1.5, 1}));
  EXPECT_EQ(values("BF16", "\xc0\xbf\x80\x3f"s), (std::vector<Real>{-1.5, 1}));
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  // -1.5, the largest, the smallest normal, the smallest of all, minus infinity
  EXPECT_EQ(values("F16", "\0\xbe\xff\x7b\0\x04\x01\0\0\xfc"s),
            (std::vector<Real>{-1.5, 65504, Real(std::ldexp(1, -14)), Real(std::ldexp(1, -24)), -kInfinity}));
  EXPECT_TRUE(std::isnan(values("F16", "\x01\x7c"s)[0]));
}

TEST_F(Safetensors, RefusesAFileOfTheWrongLength) {
  EXPECT_EQ(refusal(""), "m: the file has 0 bytes, expected at least 8");
  EXPECT_EQ(refusal("1234567"), "m: the file has 7 bytes, expected at least 8");
  EXPECT_EQ(refusal(file_of("{}").substr(0, 9)), "m: the header's length is 2, but only 1 bytes follow");
  EXPECT_EQ(refusal(std::string(8, '\xff') + "{}"),
            "m: the header's length is 18446744073709551615, expected at most 100000000");
}

TEST_F(Safetensors, RefusesAHeaderOfAnotherForm) {
  EXPECT_EQ(refusal_of_header(""), "m: the header does not begin with '{'");
  EXPECT_EQ(refusal_of_header(" {}"), "m: the header does not begin with '{'");
  EXPECT_EQ(refusal_of_header("{\"a\""), "m: the header is not JSON at its byte 5");
  EXPECT_EQ(refusal_of_header("{} x"), "m: the header is not JSON at its byte 4");
  EXPECT_EQ(refusal_of_header("{\"\xff\":{}}"), "m: the header is not JSON at its byte 3");
  EXPECT_EQ(refusal_of_header(R"({"w":1})"), "m: header: 'w' is the number 1, expected an object");
  EXPECT_EQ(refusal_of_header(R"({"w":[]})"), "m: header: 'w' is an array, expected an object");
  EXPECT_EQ(refusal_of_header(R"({"w":null})"), "m: header: 'w' is null, expected an object");
  EXPECT_EQ(refusal_of_header(R"({"w":{}})"), "m: tensor 'w': the key 'dtype' is missing");
  EXPECT_EQ(refusal_of_header(R"({"w":{"dtype":"F32","shape":[0]}})"),
            "m: tensor 'w': the key 'data_offsets' is missing");
  EXPECT_EQ(refusal_of_header(R"({"w":{"size":1}})"),
            "m: tensor 'w': the key 'size' is none of dtype, shape, data_offsets");
  EXPECT_EQ(refusal_of_header(R"({"w":{"dtype":3}})"), "m: tensor 'w': 'dtype' is the number 3, expected a string");
  EXPECT_EQ(refusal_of_header(R"({"w":{"shape":true}})"), "m: tensor 'w': 'shape' is a boolean, expected an array");
  EXPECT_EQ(refusal_of_header(R"({"w":{"shape":{}}})"), "m: tensor 'w': 'shape' is an object, expected an array");
  EXPECT_EQ(refusal_of_header(R"({"w":{"shape":[-1]}})"),
            "m: tensor 'w': 'shape' holds the number -1, expected numbers that are not negative");
  EXPECT_EQ(refusal_of_header(R"({"w":{"shape":[1e3]}})"),
            "m: tensor 'w': 'shape' holds the number 1e3, expected numbers that are not negative");
  EXPECT_EQ(refusal_of_header(R"({"__metadata__":{"a":1}})"),
            "m: '__metadata__': 'a' is the number 1, expected a string");
}

TEST_F(Safetensors, RefusesKeysThatOccurTwice) {
  const std::string tensor = R"({"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
  EXPECT_EQ(refusal_of_header(cat(R"({"w":)", tensor, R"(,"w":)", tensor, "}")), "m: header: the key 'w' occurs twice");
  EXPECT_EQ(refusal_of_header(R"({"w":{"shape":[],"shape":[]}})"), "m: tensor 'w': the key 'shape' occurs twice");
  EXPECT_EQ(refusal_of_header(R"({"__metadata__":{"a":"1","a":"2"}})"), "m: '__metadata__': the key 'a' occurs twice");
  EXPECT_EQ(refusal_of_header(R"({"__metadata__":{},"__metadata__":{}})"),
            "m: header: the key '__metadata__' occurs twice");
}

TEST_F(Safetensors, RefusesNestingOfAnyDepth) {
  const std::string arrays = std::string(1'000'000, '[');
  EXPECT_EQ(refusal_of_header(R"({"w":{"shape":)" + arrays),
            "m: tensor 'w': 'shape' holds an array, expected numbers that are not negative");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += R"({"dtype":)";
  EXPECT_EQ(refusal_of_header(objects), "m: tensor 'dtype': 'dtype' is an object, expected a string");
}

std::string refusal_of_tensor(std::string_view dtype, std::string_view shape, std::string_view offsets,
                              std::size_t data) {
  return refusal_of_header(
      cat(R"({"w":{"dtype":")", dtype, R"(","shape":)", shape, R"(,"data_offsets":)", offsets, "}}"), data);
}

TEST_F(Safetensors, RefusesATensorThatContradictsItself) {
  EXPECT_EQ(refusal_of_tensor("F32", "[2,3]", "[0,24]", 24), "");
  EXPECT_EQ(refusal_of_tensor("Q4", "[2]", "[0,1]", 1),
            "m: tensor 'w': dtype is 'Q4', expected one of F64, F32, F16, BF16, I64, U64, I32, U32, I16, U16, I8, U8, "
            "BOOL");
  EXPECT_EQ(refusal_of_tensor("F32", "[1,1,1,1,1]", "[0,4]", 4),
            "m: tensor 'w': 'shape' has more than 4 numbers, expected at most that");
  EXPECT_EQ(refusal_of_tensor("F32", "[2]", "[0,4,8]", 8),
            "m: tensor 'w': 'data_offsets' has more than 2 numbers, expected at most that");
  EXPECT_EQ(refusal_of_tensor("F32", "[2]", "[0]", 8), "m: tensor 'w': 'data_offsets' has 1 numbers, expected 2");
  EXPECT_EQ(refusal_of_tensor("F32", "[4294967296,4294967296]", "[0,0]", 0),
            "m: tensor 'w': its size overflows 64 bits at extent 4294967296 of axis 1");
  EXPECT_EQ(refusal_of_tensor("U8", "[0,18446744073709551615]", "[0,0]", 0),
            "m: tensor 'w': extent 18446744073709551615 of axis 1 overflows");
  EXPECT_EQ(refusal_of_tensor("F32", "[1]", "[8,4]", 8),
            "m: tensor 'w': data_offsets are [8,4]; the end is before the begin");
  EXPECT_EQ(refusal_of_tensor("F32", "[1000000000000]", "[0,4000000000000]", 8),
            "m: tensor 'w': data_offsets are [0,4000000000000], but the file has 8 bytes");
  EXPECT_EQ(refusal_of_tensor("F32", "[2,3]", "[0,20]", 20),
            "m: tensor 'w': data_offsets are [0,20], 20 bytes, but [2,3] of F32 takes 24");
}

TEST_F(Safetensors, RefusesOverlapsAndHoles) {
  const auto two = [](int begin, int end, std::size_t data) {
    return refusal_of_header(cat(R"({"b":{"dtype":"U8","shape":[)", end - begin, R"(],"data_offsets":[)", begin, ",",
                                 end, R"(]},"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})"),
                             data);
  };
  EXPECT_EQ(two(4, 8, 8), "");
  EXPECT_EQ(two(3, 8, 8), "m: tensor 'b': begins at byte 3, but the tensor before it ends at 4; they overlap");
  EXPECT_EQ(two(0, 4, 4), "m: tensor 'a': begins at byte 0, but the tensor before it ends at 4; they overlap");
  EXPECT_EQ(two(5, 8, 8), "m: tensor 'b': begins at byte 5, but the tensor before it ends at 4; there is a hole");
  EXPECT_EQ(two(4, 8, 9), "m: the tensors take 8 bytes, but the file has 9");
  EXPECT_EQ(two(4, 8, 7), "m: tensor 'b': data_offsets are [4,8], but the file has 7 bytes");
}

TEST_F(Safetensors, MasksNamesThatWouldWriteToTheTerminal) {
  EXPECT_EQ(quoted_name("a\x1b[2J\n"), "'a?[2J?'");
  EXPECT_EQ(quoted_name(std::string(100, 'x')), "'" + std::string(64, 'x') + "...'");
}

TEST_F(Safetensors, KeepsTheOldFileWhenTheNewOneCannotBeWritten) {
  save_tensors(path_, std::vector<NamedTensor>{{"a", Tensor::of({1}, {1})}});
  const std::string before = bytes();
  const Tensor one = Tensor::zeros({1});
  EXPECT_THROW(save_tensors(path_, std::vector<NamedTensor>{{"a", one}, {"a", one}}), UsageError);
  EXPECT_THROW(save_tensors(path_, std::vector<NamedTensor>{{"__metadata__", one}}), UsageError);
  EXPECT_THROW(save_tensors(path_, std::vector<NamedTensor>{{"\xff", one}}), UsageError);
  EXPECT_EQ(bytes(), before);
  EXPECT_THROW(SafetensorsFile(folder_ / "absent"), IoError);
}

// Random damage to a good file: it is refused with ModelFileError, or it is still in order and can be read.
TEST_F(Safetensors, SurvivesRandomDamage) {
  save_tensors(path_, std::vector<NamedTensor>{{"a", Tensor::of({2}, {1, 2})}, {"b.W", Tensor::zeros({2, 3})}},
               {{"format", "dhyan"}});
  const std::string good = bytes();
  const std::size_t header_end = good.rfind('}') + 1;
  Rng rng(11);
  int refused = 0;
  constexpr int kRounds = 5000;
  for (int round = 0; round < kRounds; ++round) {
    std::string bad = good;
    for (std::uint64_t flips = 1 + rng.below(3); flips > 0; --flips) {
      const std::uint64_t reach = rng.below(4) == 0 ? bad.size() : header_end;
      bad[rng.below(reach)] = static_cast<char>(rng.below(2) == 0 ? rng.below(256) : '0' + rng.below(10));
    }
    if (rng.below(4) == 0) bad.resize(rng.below(bad.size() + 1));
    try {
      const SafetensorsDirectory directory = parse_safetensors("m", std::as_bytes(std::span(bad)));
      for (const TensorEntry& entry : directory.entries) {
        const Tensor values = Tensor::zeros(entry.shape);
        if (entry.dtype->to_real != nullptr) entry.dtype->to_real(entry.bytes.data(), values.data(), values.size());
      }
    } catch (const ModelFileError& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 3), "m: ");
      ++refused;
    }
  }
  EXPECT_GT(refused, kRounds / 2);
  EXPECT_LT(refused, kRounds);
}

}  // namespace
}  // namespace dhyan
