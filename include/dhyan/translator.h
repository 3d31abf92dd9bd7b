#pragma once

#include <dhyan/error.h>
#include <dhyan/evaluation.h>
#include <dhyan/explanation.h>
#include <dhyan/options.h>
#include <dhyan/translation.h>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dhyan::v1 {

// A picture: a file, its bytes, or a scene of the picture book.
struct Picture {
  std::string file = {};
  std::string bytes = {};  // of a JPEG, PNG or WebP file, instead of a file
  std::string scene = {};  // "small red circle above large blue square", instead of a file
};

struct Captions {
  std::string name;                      // of the picture
  std::vector<Translation> n_best = {};  // the best first
  std::string failure = {};              // why the picture cannot be read; there are no captions then
};

using NBest = std::vector<Translation>;  // the best first; at least one

// A model that translates, or several as an ensemble, with the threads it works on. Any number of threads may use one
// translator: calls take turns on its threads. Errors are those of dhyan/error.h; after one the translator is as
// before.
class DHYAN_EXPORT Translator {
 public:
  // A folder that `dhyan train` or `dhyan import` has written. ModelFileError if it cannot be used.
  explicit Translator(const std::filesystem::path& model, const LoadOptions& options = {});
  explicit Translator(const std::vector<std::filesystem::path>& ensemble, const LoadOptions& options = {});
  ~Translator();
  Translator(Translator&&) noexcept;
  Translator& operator=(Translator&&) noexcept;

  // The translation of one line,
  std::string translate(std::string_view line) const;

  // and of each line, in order. The result of a line depends neither on the others nor on threads.
  std::vector<NBest> translate(const std::vector<std::string>& lines, const TranslateOptions& options) const;

  // Each line of a source. Calls `give` for some lines at a time, in order, so that memory stays bounded; lines that
  // somebody types are translated at once.
  void translate(const LineSource& source, const TranslateOptions& options,
                 const std::function<void(const std::vector<NBest>& lines)>& give) const;

  // Given translations: their log p and, if asked for, attention. One that is too long for the model has score -inf.
  std::vector<Translation> score(const std::vector<std::string>& sources, const std::vector<std::string>& targets,
                                 const ScoreOptions& options = {}) const;

  // One line with every energy, weight and context. UsageError for a line without text.
  Explanation explain(const std::string& line, const ExplainOptions& options = {}) const;

  // The same of a picture, for a model of pictures.
  Explanation explain(const Picture& picture, const ExplainOptions& options = {}) const;

  // Pictures in words. UsageError if the model reads text.
  std::vector<Captions> caption(const std::vector<Picture>& pictures, const TranslateOptions& options = {}) const;

  // Translates a test set and compares. UsageError if it is empty.
  Evaluation evaluate(const TestSet& set, const EvaluateOptions& options = {}) const;

  bool reads_pictures() const;
  bool has_cross_attention() const;
  bool attends() const;                 // by cross-attention or any other
  std::int64_t longest_source() const;  // tokens; what follows is cut off
  std::int64_t longest_target() const;  // tokens of a given translation, </s> included
  int threads() const;

  // Every setting of the model, as YAML.
  std::string config() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dhyan::v1
