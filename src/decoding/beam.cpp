#include "decoding/beam.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace dhyan {

namespace {

Index needed(const SearchTask& task) {
  Index tokens = 1 + std::ssize(task.prefix);  // with </s>
  for (const Phrase& phrase : task.required) tokens += std::ssize(phrase);
  return tokens;
}

Index share_of(Index all, Index groups) { return (all + groups - 1) / groups; }

}  // namespace

Beam::Beam(const SearchOptions& options, const SearchTask& task, Index b)
    : options_(options),
      score_(options),
      rules_(options, task),
      required_(task.required, task.forbidden_after_required),
      b_(b),
      width_(options.beam_size / options.groups),
      enough_(std::max(share_of(options.n_best, options.groups),
                       static_cast<Index>(std::ceil(options.patience * static_cast<double>(width_))))),
      max_length_(longest_translation(task.source_length, options)),
      all_fit_(needed(task) <= max_length_) {
  constexpr Index kUsualLength = 32;
  nodes_.reserve(static_cast<std::size_t>(width_ * std::min(max_length_, kUsualLength)));
}

// The search ends if no hypothesis is live, if all have the maximum length, or if none can improve the result.
bool Beam::over() const { return live_.empty() || cut() || !worth_going_on(); }

// Log p only decreases, but divided by a greater length it can still give a better score. The score at the maximum
// length with full coverage is an upper bound.
bool Beam::worth_going_on() const {
  if (std::ssize(finished_) < enough_) return true;
  if (options_.stopping == Stopping::kFull) return false;
  const bool certain = options_.stopping == Stopping::kCertain;
  return std::ranges::any_of(live_, [&](const Live& one) {
    const double log_p = log_probability(one.node);
    const double reached = certain ? score_(log_p, max_length_) : score_(log_p, length_, one.covered);
    return reached > finished_.back().score;
  });
}

void Beam::add_live(LiveBatch& live) const {
  if (over()) return;
  for (const Live& one : live_) {
    live.add(one.node == kRoot ? Extension{static_cast<RowId>(b_), kBegin} : at(one.node).extension);
  }
}

Phrase Beam::written(Index node) const {
  Phrase tokens;
  for (; node != kRoot; node = at(node).parent) tokens.push_back(at(node).extension.token);
  std::ranges::reverse(tokens);
  return tokens;
}

void Beam::add_proposal(const Node& from, const Candidate& word, const TakenWords& taken, Index left) {
  Node node = from;
  node.extension.token = word.token;
  node.token_score = word.log_probability;
  node.log_probability += word.log_probability;
  const auto often = taken.find(word.token);
  const double cost = often == taken.end() ? 0 : options_.diversity * static_cast<double>(often->second);
  proposals_.push_back({node, node.log_probability - cost, left});
}

// The proposals if there are rules or required phrases.
void Beam::propose_words(const StepScores& scores, const Node& from, const TakenWords& taken) {
  Phrase tokens = written(from.parent);
  const auto forbid = [&](std::span<Real> logits) {
    rules_.forbid(tokens, logits);
    if (!rules_.in_prefix(tokens)) required_.forbid(tokens, max_length_ - length_ - 1, logits);
  };
  std::vector<Candidate> words = scores.best(from.extension.row, width_ + std::ssize(taken) + 1, forbid);
  if (!rules_.in_prefix(tokens)) {
    for (const TokenId token : required_.next(tokens)) {
      if (rules_.continues_prefix(tokens, token)) continue;
      if (std::ranges::find(words, token, &Candidate::token) != words.end()) continue;
      words.push_back({token, scores.log_probability(from.extension.row, token)});
    }
  }
  for (const Candidate& word : words) {
    tokens.push_back(word.token);
    const Index left = required_.left(tokens);
    tokens.pop_back();
    const bool has_room = !all_fit_ || rules_.in_prefix(tokens) || length_ + left + 1 <= max_length_;
    if (left == 0 || (has_room && word.token != kEnd)) add_proposal(from, word, taken, left);
  }
}

void Beam::propose(const StepScores& scores, Index first_row, const TakenWords& taken) {
  proposals_.clear();
  for (std::size_t i = 0; i < live_.size(); ++i) {
    const auto row = static_cast<RowId>(first_row + static_cast<Index>(i));
    const Node from{.parent = live_[i].node, .extension = {row}, .log_probability = log_probability(live_[i].node)};
    if (!rules_.empty() || !required_.empty()) {
      propose_words(scores, from, taken);
    } else {
      for (const Candidate& word : scores.best(row)) {
        if (word.token != kEnd || rules_.may_end(length_ - 1)) add_proposal(from, word, taken);
      }
    }
  }
}

// Behind the first `width` proposals, of which some end, come as many of the next ones that go on. Returns how many
// they are together.
std::size_t Beam::refilled(std::size_t width, std::size_t sorted) {
  const auto ends = [](const Proposal& one) { return one.node.extension.token == kEnd; };
  auto missing = std::count_if(proposals_.begin(), proposals_.begin() + static_cast<Index>(width), ends);
  for (std::size_t place = width; place < sorted && missing > 0; ++place) {
    if (ends(proposals_[place])) continue;
    const auto begin = proposals_.begin();
    std::rotate(begin + static_cast<Index>(width), begin + static_cast<Index>(place),
                begin + static_cast<Index>(place) + 1);
    ++width;
    --missing;
  }
  return width;
}

// Moves the proposals to keep to the front, in order, and returns their number.
std::size_t Beam::choose() {
  const auto order = [](const Proposal& one) {
    return std::tuple(-one.rank, one.node.extension.token, one.node.extension.row);
  };
  const std::size_t width = std::min(proposals_.size(), static_cast<std::size_t>(width_));
  if (required_.empty()) {
    const bool refills = options_.refill && width_ > 1;
    const Index looked_at = (refills ? 2 : 1) * width_ + std::max<Index>(options_.record_pruned, 0);
    const std::size_t sorted = std::min(proposals_.size(), static_cast<std::size_t>(looked_at));
    std::ranges::partial_sort(proposals_, proposals_.begin() + static_cast<Index>(sorted), {}, order);
    return refills ? refilled(width, sorted) : width;
  }
  std::ranges::sort(proposals_, {}, order);
  std::vector<Index> left;
  for (const Proposal& one : proposals_) left.push_back(one.left);
  std::size_t kept = 0;
  for (const std::size_t place : allocate_to_banks(left, width_)) {  // ascending: no moved proposal is read again
    std::rotate(proposals_.begin() + static_cast<Index>(kept), proposals_.begin() + static_cast<Index>(place),
                proposals_.begin() + static_cast<Index>(place) + 1);
    ++kept;
  }
  return kept;
}

void Beam::advance(const StepView& step, Index first_row, TakenWords& taken) {
  ++length_;
  propose(step.scores, first_row, taken);
  const std::size_t kept = choose();
  if (kept == 0) {  // no word is allowed
    --length_;
    stuck_ = true;
    return;
  }
  live_.swap(before_);
  live_.clear();
  for (const Proposal& chosen : std::span(proposals_).first(kept)) {
    const Extension& extension = chosen.node.extension;
    const Live& from = before_[static_cast<std::size_t>(extension.row - first_row)];
    Live one{static_cast<Index>(nodes_.size()), more_covered(from.covered, step.looked.of(extension.row))};
    nodes_.push_back(chosen.node);
    if (options_.groups > 1) ++taken[extension.token];
    if (extension.token == kEnd) {
      nodes_.back().fate = BeamNode::Fate::kEnded;
      finish(one);
      if (options_.narrow) --width_;
    } else {
      live_.push_back(std::move(one));
    }
  }
  if (options_.record_pruned > 0) record_pruned(kept);
}

void Beam::record_pruned(std::size_t kept) {
  const std::size_t most = static_cast<std::size_t>(options_.record_pruned);
  for (const Proposal& one : std::span(proposals_).subspan(kept, std::min(most, proposals_.size() - kept))) {
    nodes_.push_back(one.node);
    nodes_.back().fate = BeamNode::Fate::kPruned;
  }
}

// Behind equal scores: the shorter hypothesis ended first.
void Beam::finish(const Live& ended) {
  const double score = score_(log_probability(ended.node), length_, ended.covered);
  const auto place = std::ranges::upper_bound(finished_, score, std::ranges::greater(), &Ended::score);
  finished_.insert(place, {ended.node, score});
  if (std::ssize(finished_) > enough_) finished_.pop_back();
}

Beam::Result Beam::result_of(const Ended& ended) const {
  Result result{.hypothesis = {}, .rows = {}, .node = ended.node, .missing = ended.missing};
  result.hypothesis.log_probability = log_probability(ended.node);
  result.hypothesis.score = ended.score;
  result.hypothesis.tokens = written(ended.node);
  for (Index node = ended.node; node != kRoot; node = at(node).parent) {
    result.hypothesis.token_scores.push_back(at(node).token_score);
    result.rows.push_back(at(node).extension.row);
  }
  std::ranges::reverse(result.hypothesis.token_scores);
  std::ranges::reverse(result.rows);
  return result;
}

std::vector<Beam::Result> Beam::results() const {
  std::vector<Ended> ended = finished_;
  if (cut()) {
    for (const Live& one : live_) {
      const Index missing = required_.empty() ? 0 : required_.left(written(one.node));
      ended.push_back({one.node, score_(log_probability(one.node), length_, one.covered), missing});
    }
    std::ranges::stable_sort(ended, {}, [](const Ended& one) { return std::pair(one.missing, -one.score); });
  }
  std::vector<Result> results;
  for (const Ended& one : ended) {
    if (std::ssize(results) == options_.n_best) break;
    results.push_back(result_of(one));
  }
  return results;
}

std::vector<BeamNode> Beam::record() const {
  std::vector<BeamNode> nodes;
  for (const Node& node : nodes_) {
    const Index step = node.parent == kRoot ? 1 : nodes[static_cast<std::size_t>(node.parent)].step + 1;
    nodes.push_back({node.parent, step, node.extension.token, node.fate, node.token_score, node.log_probability,
                     score_(node.log_probability, step)});
  }
  return nodes;
}

}  // namespace dhyan
