#pragma once

#include <filesystem>
#include <vector>

#include "config/config.h"
#include "distributed/communicator.h"
#include "runs/corpora.h"
#include "runs/run_observer.h"
#include "text/tokenizer_factory.h"

namespace dhyan {

// A folder for the files of one rank, removed with the object.
class RankFolder {
 public:
  explicit RankFolder(const Communicator& ranks);
  ~RankFolder();
  RankFolder(const RankFolder&) = delete;
  RankFolder& operator=(const RankFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// What rank 0 has prepared, and the others train with. They need none of its files: token caches that they do not see
// in a shared folder are sent once.
struct PreparedTraining {
  const Config& config;
  const TokenizerPair& tokenizers;
  std::span<const CorpusInput> train, valid;
  std::filesystem::path caches;             // folder
  std::span<const std::string> translated;  // held-out sentences whose translation is shared out; may be empty
  enum class Send { kWhatIsNotSeen, kAll } send = Send::kWhatIsNotSeen;  // of the token caches
};
void share_training(Communicator& ranks, const PreparedTraining& training, RunObserver& observer);

struct ReceivedTraining {
  Config config;
  std::vector<CorpusInput> train, valid;
  std::filesystem::path tokenizers, caches;  // folders
  std::vector<std::string> translated;
};
ReceivedTraining receive_training(Communicator& ranks, const std::filesystem::path& folder,
                                  const std::function<void()>& poll);

}  // namespace dhyan
