#include "decoding/beam.h"

#include <algorithm>
#include <tuple>

namespace dhyan {

// No hypothesis lives, they are as long as they may be, or it is not worth going on.
bool Beam::over() const { return live_.empty() || length_ == max_length_ || !worth_going_on(); }

// Log p only falls on the way. Divided by a greater length a fallen one can still be the better score: the longest it
// may become bounds what it can reach.
bool Beam::worth_going_on() const {
  if (static_cast<Index>(finished_.size()) < options_.beam_size) return true;
  const Index length = options_.stopping == Stopping::kCertain ? max_length_ : length_;
  return normalised(log_probability(live_.front()), length, options_.length_penalty) > finished_.back().score;
}

void Beam::add_live(Frontier& frontier) const {
  if (over()) return;
  for (const Index node : live_) {
    frontier.add(node == kRoot ? Extension{static_cast<RowId>(b_), kBegin} : at(node).extension);
  }
}

std::vector<Beam::Node> Beam::best_extensions(const StepScores& scores, Index first_row) const {
  std::vector<Node> extensions;
  for (std::size_t i = 0; i < live_.size(); ++i) {
    const auto row = static_cast<RowId>(first_row + static_cast<Index>(i));
    const double so_far = log_probability(live_[i]);
    for (const Candidate& word : scores.best(row)) {
      extensions.push_back({live_[i], {row, word.token}, word.log_probability, so_far + word.log_probability});
    }
  }
  const std::size_t kept = std::min(extensions.size(), static_cast<std::size_t>(options_.beam_size));
  const auto order = [](const Node& node) {
    return std::tuple(-node.log_probability, node.extension.token, node.extension.row);
  };
  std::ranges::partial_sort(extensions, extensions.begin() + static_cast<Index>(kept), {}, order);
  extensions.resize(kept);
  return extensions;
}

void Beam::advance(const StepScores& scores, Index first_row) {
  ++length_;
  const std::vector<Node> extensions = best_extensions(scores, first_row);
  live_.clear();
  for (const Node& extension : extensions) {
    const auto node = static_cast<Index>(nodes_.size());
    nodes_.push_back(extension);
    if (extension.extension.token == kEnd) {
      finish(node);
    } else {
      live_.push_back(node);
    }
  }
}

// Behind its equals: the shorter one came first.
void Beam::finish(Index node) {
  const double score = normalised(log_probability(node), length_, options_.length_penalty);
  const auto place = std::ranges::upper_bound(finished_, score, std::ranges::greater(), &Ended::score);
  finished_.insert(place, {node, score});
  if (static_cast<Index>(finished_.size()) > options_.beam_size) finished_.pop_back();
}

Beam::Result Beam::result_of(const Ended& ended) const {
  Result result;
  result.hypothesis.log_probability = log_probability(ended.node);
  result.hypothesis.score = ended.score;
  for (Index node = ended.node; node != kRoot; node = at(node).parent) {
    result.hypothesis.tokens.push_back(at(node).extension.token);
    result.hypothesis.token_scores.push_back(at(node).token_score);
    result.rows.push_back(at(node).extension.row);
  }
  std::ranges::reverse(result.hypothesis.tokens);
  std::ranges::reverse(result.hypothesis.token_scores);
  std::ranges::reverse(result.rows);
  return result;
}

std::vector<Beam::Result> Beam::results() const {
  std::vector<Ended> ended = finished_;
  for (const Index node : live_) {  // cut at the greatest length
    ended.push_back({node, normalised(log_probability(node), length_, options_.length_penalty)});
  }
  std::vector<Result> results;
  for (const Ended& one : ended) {
    if (static_cast<Index>(results.size()) == options_.n_best) break;
    results.push_back(result_of(one));
  }
  return results;
}

}  // namespace dhyan
