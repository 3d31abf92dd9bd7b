#include "text/subword_sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "core/error.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

constexpr double kUnknownPenalty = 10;  // below the worst piece, as in SentencePiece's library

bool can_be_cut_from_text(PieceKind kind) { return kind == PieceKind::kNormal || kind == PieceKind::kUserDefined; }

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return std::isinf(b) ? a : a + std::log1p(std::exp(b - a));
}

// All segmentations of a line. log Z(e) = log sum over pieces [b,e) of Z(b) p(piece)^alpha
struct Lattice {
  struct Arc {
    std::size_t begin;
    int id;
    double weight;  // log of Z(b) p(piece)^alpha
  };

  explicit Lattice(std::size_t atoms) : arcs(atoms + 1), log_z(atoms + 1, -std::numeric_limits<double>::infinity()) {
    log_z[0] = 0;
  }

  void add(const Cut& cut, double scaled_score) {
    const double weight = log_z[cut.begin] + scaled_score;
    arcs[cut.end].push_back({cut.begin, cut.id, weight});
    log_z[cut.end] = log_add(log_z[cut.end], weight);
  }

  // The last piece of [0,e) is [b,e) with probability Z(b) p(piece)^alpha / Z(e).
  Cut draw_last(std::size_t end, Rng& rng) const {
    double left = rng.uniform();
    for (const Arc& arc : arcs[end]) {
      left -= std::exp(arc.weight - log_z[end]);
      if (left < 0) return {arc.begin, end, arc.id};
    }
    return {arcs[end].back().begin, end, arcs[end].back().id};  // rounding can leave a remainder
  }

  std::vector<std::vector<Arc>> arcs;  // by their end
  std::vector<double> log_z;
};

// A possible merge of the parts [left, right) and [right, end).
struct Merge {
  float score;
  std::size_t left, right, end;

  bool operator<(const Merge& other) const { return score != other.score ? score < other.score : left > other.left; }
};

}  // namespace

// The concatenated atoms of a line, so that consecutive atoms are a substring.
class SubwordSampler::Line {
 public:
  Line(std::span<const Atom> atoms, const TokenMap<Entry>& entries) : atoms_(atoms), entries_(entries) {
    begins_.reserve(atoms.size() + 1);
    for (const Atom& atom : atoms) {
      begins_.push_back(text_.size());
      text_ += atom.text;
    }
    begins_.push_back(text_.size());
  }

  std::size_t size() const { return atoms_.size(); }
  bool fixed(std::size_t i) const { return atoms_[i].fixed; }

  // Null if no piece begins with atoms [begin, end).
  const Entry* find(std::size_t begin, std::size_t end) const {
    const auto found = entries_.find(std::string_view(text_).substr(begins_[begin], begins_[end] - begins_[begin]));
    return found == entries_.end() ? nullptr : &found->second;
  }

  // The id of atoms [begin, end), kNoPiece if there is none.
  int id(std::size_t begin, std::size_t end) const {
    const Entry* entry = find(begin, end);
    return entry == nullptr ? Cut::kNoPiece : entry->id;
  }

 private:
  std::span<const Atom> atoms_;
  const TokenMap<Entry>& entries_;
  std::string text_;
  std::vector<std::size_t> begins_;
};

SubwordSampler::SubwordSampler(const SubwordModel& model, const SubwordSampling& sampling)
    : algorithm_(model.algorithm), sampling_(sampling) {
  if (!(sampling.alpha >= 0 && std::isfinite(sampling.alpha))) {
    throw ConfigError(cat("subword sampling: alpha is ", sampling.alpha, ", expected 0 or more"));
  }
  if (!(sampling.dropout >= 0 && sampling.dropout <= 1)) {
    throw ConfigError(cat("subword sampling: dropout is ", sampling.dropout, ", expected 0 to 1"));
  }
  double worst = 0;
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    const SubwordPiece& piece = model.pieces[id];
    if (!can_be_cut_from_text(piece.kind)) continue;
    for (const Character& character : Characters(piece.text)) {
      entries_[std::string(part(piece.text, {0, character.end}))];
    }
    entries_[piece.text] = {static_cast<int>(id), piece.score};
    worst = std::min(worst, double{piece.score});
  }
  unknown_score_ = worst - kUnknownPenalty;
}

std::vector<Cut> SubwordSampler::cut(std::span<const Atom> atoms, Rng& rng) const {
  const Line line(atoms, entries_);
  if (algorithm_ == SubwordAlgorithm::kBpe) return cut_bpe(line, rng);
  return cut_unigram(line, rng);
}

std::vector<Cut> SubwordSampler::cut_unigram(const Line& line, Rng& rng) const {
  Lattice lattice(line.size());
  for (std::size_t begin = 0; begin < line.size(); ++begin) {
    const int alone = line.id(begin, begin + 1);
    if (alone == Cut::kNoPiece || line.fixed(begin)) {
      lattice.add({begin, begin + 1, alone}, sampling_.alpha * unknown_score_);
    }
    for (std::size_t end = begin + 1; end <= line.size() && !line.fixed(end - 1); ++end) {
      const Entry* entry = line.find(begin, end);
      if (entry == nullptr) break;
      if (entry->id != Cut::kNoPiece) lattice.add({begin, end, entry->id}, sampling_.alpha * entry->score);
    }
  }
  std::vector<Cut> cuts;
  for (std::size_t end = line.size(); end > 0; end = cuts.back().begin) cuts.push_back(lattice.draw_last(end, rng));
  std::reverse(cuts.begin(), cuts.end());
  return cuts;
}

// Merges neighbours into the best piece first, the leftmost on a tie. Each possible merge is skipped once with
// probability `dropout`.
std::vector<Cut> SubwordSampler::cut_bpe(const Line& line, Rng& rng) const {
  // For the part that begins at an atom: its end, and the begin of the previous part. End 0: the part was merged.
  std::vector<std::size_t> end(line.size()), before(line.size());
  std::priority_queue<Merge> merges;
  const auto consider = [&](std::size_t left, std::size_t right) {
    if (line.fixed(left) || line.fixed(right)) return;
    const Entry* entry = line.find(left, end[right]);
    if (entry != nullptr && entry->id != Cut::kNoPiece) merges.push({entry->score, left, right, end[right]});
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    end[i] = i + 1;
    before[i] = i == 0 ? 0 : i - 1;
    if (i > 0) consider(i - 1, i);
  }
  while (!merges.empty()) {
    const Merge merge = merges.top();
    merges.pop();
    if (end[merge.left] != merge.right || end[merge.right] != merge.end) continue;  // one of the parts has changed
    if (sampling_.dropout > 0 && rng.uniform() < sampling_.dropout) continue;
    end[merge.left] = merge.end;
    end[merge.right] = 0;
    if (merge.end < line.size()) {
      before[merge.end] = merge.left;
      consider(merge.left, merge.end);
    }
    if (merge.left > 0) consider(before[merge.left], merge.left);
  }

  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < line.size(); i = end[i]) cuts.push_back({i, end[i], line.id(i, end[i])});
  return cuts;
}

}  // namespace dhyan
