#include "runs/rank_training.h"

#include <algorithm>
#include <fstream>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "data/content_hash.h"
#include "distributed/message_bytes.h"
#include "translator/model_folder.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunkBytes = std::size_t{4} << 20;
constexpr std::uint64_t kChunksAhead = 4;  // sent before a rank has taken them

// A file as rank 0 sees it. A rank that sees the same need not be sent it.
struct SeenFile {
  std::string name;
  fs::path path;
  std::uint64_t size = 0, ends = 0;  // ends: hash of its first and last bytes
};

SeenFile seen(const fs::path& path) {
  constexpr std::size_t kEnd = 1 << 16;
  SeenFile file{path.filename(), fs::absolute(path)};
  const MappedFile mapped(path);
  const std::span<const std::byte> bytes = mapped.bytes();
  file.size = bytes.size();
  file.ends =
      content_hash(bytes.first(std::min(kEnd, bytes.size())), content_hash(bytes.last(std::min(kEnd, bytes.size()))));
  return file;
}

bool sees(const SeenFile& file) {
  try {
    const SeenFile here = seen(file.path);
    return here.size == file.size && here.ends == file.ends;
  } catch (const IoError&) {
    return false;
  }
}

void write_corpora(MessageWriter& message, std::span<const CorpusInput> corpora) {
  message.number(static_cast<std::uint64_t>(corpora.size()));
  for (const CorpusInput& corpus : corpora) {
    message.text(corpus.name);
    message.number(corpus.weight);
    message.number(corpus.fingerprint);
    message.number(static_cast<std::uint8_t>(corpus.aligned));
  }
}

std::vector<CorpusInput> read_corpora(MessageReader& message) {
  std::vector<CorpusInput> corpora;
  for (auto left = message.number<std::uint64_t>(); left > 0; --left) {
    CorpusInput corpus;
    corpus.name = message.text();
    corpus.weight = message.number<double>();
    corpus.fingerprint = message.number<std::uint64_t>();
    corpus.aligned = message.number<std::uint8_t>() != 0;
    corpus.open = [name = corpus.name]() -> std::unique_ptr<PairSource> {
      throw DataError(cat(name, ": the token cache of rank 0 does not fit the training; expected one of this corpus"));
    };
    corpora.push_back(std::move(corpus));
  }
  return corpora;
}

void write_texts(MessageWriter& message, std::span<const std::string> texts) {
  message.number(static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) message.text(text);
}

std::vector<std::string> read_texts(MessageReader& message) {
  std::vector<std::string> texts;
  for (auto left = message.number<std::uint64_t>(); left > 0; --left) texts.push_back(message.text());
  return texts;
}

std::string content_of(const fs::path& path) {
  const MappedFile file(path);
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

// Config and tokenizers, as the files that a model's folder has.
void write_settings(MessageWriter& message, const Communicator& ranks, const PreparedTraining& training) {
  const RankFolder folder(ranks);
  save_tokenizers(training.tokenizers, folder.path());
  save_config(folder.path(), training.config);
  std::vector<std::string> names, contents;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path())) {
    names.push_back(entry.path().filename());
    contents.push_back(content_of(entry.path()));
  }
  write_texts(message, names);
  write_texts(message, contents);
}

std::vector<fs::path> caches_in(const fs::path& folder) {
  std::vector<fs::path> caches;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".tokens") caches.push_back(entry.path());
  }
  std::ranges::sort(caches);
  return caches;
}

MessageKey chunk_key(std::size_t file) { return {.kind = kFileMessage, .a = static_cast<std::uint32_t>(file)}; }
MessageKey taken_key(std::size_t file) { return {.kind = kFileMessage, .a = static_cast<std::uint32_t>(file), .b = 1}; }

// To the ranks that need it. A rank says when it has taken a chunk, so that few are in memory.
void send_file(Communicator& ranks, std::size_t number, const SeenFile& file, std::span<const int> receivers,
               ProgressSink* progress) {
  const MappedFile mapped(file.path);
  const std::uint64_t chunks = (file.size + kChunkBytes - 1) / kChunkBytes;
  for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
    const std::uint64_t begin = chunk * kChunkBytes;
    const auto part = mapped.bytes().subspan(begin, std::min<std::uint64_t>(kChunkBytes, file.size - begin));
    for (const int rank : receivers) {
      if (chunk >= kChunksAhead) ranks.receive(rank, taken_key(number));
      ranks.send(rank, chunk_key(number), Bytes(part.begin(), part.end()));
    }
    if (progress != nullptr) progress->update(begin + part.size(), file.size, "bytes");
  }
  for (std::uint64_t left = std::min(chunks, kChunksAhead); left > 0; --left) {
    for (const int rank : receivers) ranks.receive(rank, taken_key(number));
  }
  mapped.expect_unchanged();
}

void receive_file(Communicator& ranks, std::size_t number, const SeenFile& file, const fs::path& folder) {
  AtomicFile written(folder / file.name);
  for (std::uint64_t done = 0; done < file.size;) {
    const Bytes chunk = ranks.receive(0, chunk_key(number));
    if (chunk.empty() || chunk.size() > file.size - done) throw RankError(cat(file.name, ": rank 0 sent another size"));
    written.write(std::span(chunk));
    done += chunk.size();
    ranks.send(0, taken_key(number), {});
  }
  written.commit();
}

}  // namespace

RankFolder::RankFolder(const Communicator& ranks) {
  std::string name = (fs::temp_directory_path() / cat("dhyan-rank-", ranks.rank(), "-XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) throw WriteError(cat(name, ": this folder cannot be created"));
  path_ = name;
}

RankFolder::~RankFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void share_training(Communicator& ranks, const PreparedTraining& training, RunObserver& observer) {
  MessageWriter message;
  write_settings(message, ranks, training);
  write_corpora(message, training.train);
  write_corpora(message, training.valid);
  write_texts(message, training.translated);
  std::vector<SeenFile> files;
  for (const fs::path& cache : caches_in(training.caches)) files.push_back(seen(cache));
  message.number(static_cast<std::uint64_t>(files.size()));
  for (const SeenFile& file : files) {
    message.text(file.name);
    message.text(file.path.string());
    message.number(file.size);
    message.number(file.ends);
  }
  message.number(static_cast<std::uint8_t>(training.send == PreparedTraining::Send::kAll && !files.empty()));
  ranks.broadcast(message.take());

  std::vector<int> receivers;
  const std::vector<Bytes> needs = ranks.gather_at_first({});
  for (int rank = 1; rank < ranks.size(); ++rank) {
    if (!needs[static_cast<std::size_t>(rank)].empty()) receivers.push_back(rank);
  }
  if (receivers.empty() || files.empty()) return;
  observer.on_note(cat("ranks: ", receivers.size(), " of ", ranks.size(), " do not see ",
                       fs::absolute(training.caches).string(), "; the token caches are sent to them"));
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::unique_ptr<ProgressSink> progress = observer.progress(cat("sending ", files[i].name));
    send_file(ranks, i, files[i], receivers, progress.get());
  }
}

ReceivedTraining receive_training(Communicator& ranks, const fs::path& folder, const std::function<void()>& poll) {
  const Bytes bytes = ranks.broadcast({});
  MessageReader message(bytes);
  ReceivedTraining training;
  const std::vector<std::string> names = read_texts(message), contents = read_texts(message);
  for (std::size_t i = 0; i < std::min(names.size(), contents.size()); ++i) {
    write_file(folder / fs::path(names[i]).filename(), contents[i]);
  }
  training.config = load_config(folder);
  training.tokenizers = folder;
  training.train = read_corpora(message);
  training.valid = read_corpora(message);
  training.translated = read_texts(message);
  const DataConfig& data = training.config.data;
  const DataKind kind = data_kind_of(training.config);
  // Built-in corpora are generated on every rank; pictures are read from the shared folder.
  if (data.train.empty() || kind == DataKind::kCaptions) training.train = training_corpora(data, kind, poll);
  if ((data.train.empty() && data.valid.empty()) || kind == DataKind::kCaptions) {
    training.valid = validation_corpora(data, kind, poll);
  }

  std::vector<SeenFile> files;
  bool needs = false;
  for (auto left = message.number<std::uint64_t>(); left > 0; --left) {
    SeenFile file;
    file.name = fs::path(message.text()).filename();
    file.path = message.text();
    file.size = message.number<std::uint64_t>();
    file.ends = message.number<std::uint64_t>();
    needs = needs || !sees(file);
    files.push_back(std::move(file));
  }
  if (message.number<std::uint8_t>() != 0) needs = true;
  training.caches = files.empty() || needs ? folder : files.front().path.parent_path();
  ranks.gather_at_first(Bytes(needs ? 1 : 0));
  if (!needs) return training;
  for (std::size_t i = 0; i < files.size(); ++i) receive_file(ranks, i, files[i], folder);
  return training;
}

}  // namespace dhyan
