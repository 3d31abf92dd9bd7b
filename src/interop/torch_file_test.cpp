#include "interop/torch_file.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "interop/tensor_pickle.h"
#include "interop/testing/zip_writer.h"

namespace dhyan {
namespace {

std::string pickled_text(const std::string& text) {
  std::string bytes = "X";
  append_little_endian(bytes, text.size(), 4);
  return bytes + text;
}

// The small numbers of a tuple.
std::string pickled_pair(int a, int b) {
  return std::string("K") + static_cast<char>(a) + "K" + static_cast<char>(b) + "\x86";
}

// {"w": a float tensor [2,3]}, as torch.save writes it.
std::string pickle_of(const std::string& strides = pickled_pair(3, 1), const std::string& size = pickled_pair(2, 3),
                      char offset = 0) {
  std::string bytes = "\x80\x02";
  bytes += "ccollections\nOrderedDict\nq" + std::string(1, '\0') + ")Rq\x01(" + pickled_text("w") + "q\x02";
  bytes += "ctorch._utils\n_rebuild_tensor_v2\nq\x03((" + pickled_text("storage") + "ctorch\nFloatStorage\n";
  bytes += pickled_text("0") + pickled_text("cpu") + "K\x06tQK" + std::string(1, offset) + size + strides;
  return bytes + "\x89h" + std::string(1, '\0') + ")Rtq\x04Ru.";
}

std::string torch_zip(const std::string& pickle) {
  const float values[] = {1, 2, 3, 4, 5, 6};
  return zip_of({{"archive/data.pkl", pickle, true},
                 {"archive/data/0", std::string(reinterpret_cast<const char*>(values), sizeof values)}});
}

std::string refusal_of_torch(const std::string& pickle) {
  const std::string archive = torch_zip(pickle);
  return thrown<ModelFileError>([&] { TorchFile("t.bin", bytes_of_text(archive)); });
}

TEST(TorchFile, HasTheTensorsOfADictionary) {
  const std::string archive = torch_zip(pickle_of());
  const TorchFile file("t.bin", bytes_of_text(archive));
  ASSERT_EQ(file.tensors().size(), 1u);
  const TensorEntry& tensor = file.tensors().front();
  EXPECT_EQ(tensor.name, "w");
  EXPECT_EQ(tensor.shape, (Shape{2, 3}));
  Real values[6];
  tensor.dtype->to_real(tensor.bytes.data(), values, 6);
  EXPECT_EQ(values[5], 6);
}

TEST(TorchFile, CallsNothing) {
  const std::string evil = "cposix\nsystem\n(" + pickled_text("echo") + "tR.";
  EXPECT_EQ(refusal_of_torch(evil), "t.bin: the pickle calls 'posix system'; dhyan reads tensors and calls nothing");
  EXPECT_EQ(refusal_of_torch("i"), "t.bin: the pickle has the opcode 105, which is none for tensors");
}

// {"args": an object of a class with attributes, "evil": what a function would have returned}
TEST(TorchFile, KeepsObjectsAsRecordsIfAsked) {
  std::string pickle = "\x80\x02}(" + pickled_text("args") + "cargparse\nNamespace\n)\x81}(";
  pickle += pickled_text("layers") + "K\x06" + pickled_text("tied") + "\x88" + pickled_text("rate");
  pickle +=
      "G?\xe0" + std::string(6, '\0') + pickled_text("names") + "](" + pickled_text("a") + pickled_text("b") + "eub";
  pickle += pickled_text("evil") + "cposix\nsystem\n(" + pickled_text("echo") + "tRu.";
  const TensorPickle read("t", bytes_of_text(pickle), PickledObjects::kInert);
  EXPECT_TRUE(read.tensors.empty());
  EXPECT_EQ(read.settings.dump(), R"({"args":{"layers":6,"names":["a","b"],"rate":0.5,"tied":true},"evil":{}})");
  EXPECT_EQ(thrown<ModelFileError>([&] { TensorPickle("t", bytes_of_text(pickle), PickledObjects::kRefused); }),
            "t: the pickle has the opcode 129, which is none for tensors");
}

TEST(TorchFile, RefusesTensorsThatDoNotFit) {
  EXPECT_EQ(refusal_of_torch(pickle_of(pickled_pair(1, 2))), "t.bin: tensor 'w': is not stored row by row");
  EXPECT_EQ(refusal_of_torch(pickle_of(pickled_pair(3, 1), pickled_pair(3, 3))),
            "t.bin: tensor 'w': lies beyond its storage of 6 elements");
  EXPECT_EQ(refusal_of_torch(pickle_of(pickled_pair(3, 1), pickled_pair(2, 3), 1)),
            "t.bin: tensor 'w': lies beyond its storage of 6 elements");
  EXPECT_EQ(thrown<ModelFileError>([] { TorchFile("t.bin", bytes_of_text("\x80\x02")); }),
            "t.bin: is no zip archive; it was saved before PyTorch 1.6 or is damaged");
}

TEST(TorchFile, IsRefusedWhereItsPickleEndsTooEarly) {
  const std::string whole = pickle_of();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(TensorPickle("t", bytes_of_text(whole.substr(0, length)), PickledObjects::kRefused), ModelFileError)
        << length;
  }
}

}  // namespace
}  // namespace dhyan
