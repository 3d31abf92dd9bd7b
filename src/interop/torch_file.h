#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "interop/safetensors.h"
#include "interop/tensor_pickle.h"

namespace dhyan {

// Weights saved by PyTorch 1.6 or later: a zip archive with a pickle, data.pkl, that describes tensors, and a file for
// the numbers of each storage. A pickle is a program for a stack machine; this reader knows the opcodes that build
// texts, numbers, tuples, lists, dictionaries and tensors. It has none that could call anything: a pickle that names
// another function than the few that stand for a tensor or a dictionary is refused with that name or, if its objects
// are wanted, becomes a record. ModelFileError for this and for damage.
class TorchFile {
 public:
  // The bytes must outlive it; `where` is the file's name, for messages.
  TorchFile(std::string_view where, std::span<const std::byte> bytes,
            PickledObjects objects = PickledObjects::kRefused);

  // Those in the dictionary and, with names joined by '.', in dictionaries within it.
  const std::vector<TensorEntry>& tensors() const { return tensors_; }

  // With inert objects, all that is no tensor; see TensorPickle.
  const nlohmann::json& settings() const { return settings_; }

  // Whether the bytes are an archive of PyTorch whose pickle has this text, such as the name of a tensor.
  static bool mentions(std::string_view where, std::span<const std::byte> bytes, std::string_view text);

 private:
  nlohmann::json settings_;
  std::vector<TensorEntry> tensors_;
  std::vector<std::vector<std::byte>> unpacked_;  // storages that were compressed
};

}  // namespace dhyan
