#include "training/gradient_chain.h"

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "distributed/message_bytes.h"
#include "kernels/bfloat16/bfloat16.h"

namespace dhyan {

namespace {

enum class Touched : std::uint8_t { kNothing, kRows, kAll };

// The elements of a gradient that are sent of its part [begin,end): all, or those of the touched rows that are in it.
struct Pieces {
  std::vector<ElementRange> ranges;
  Index elements = 0;

  void add(Index begin, Index end) {
    if (begin >= end) return;
    ranges.push_back({begin, end});
    elements += end - begin;
  }
};

Pieces pieces_of_rows(std::span<const RowId> rows, Index cols, const ElementRange& part) {
  Pieces pieces;
  for (const RowId row : rows) pieces.add(std::max(part.begin, row * cols), std::min(part.end, (row + 1) * cols));
  return pieces;
}

Pieces all_of(const ElementRange& part) {
  Pieces pieces;
  pieces.add(part.begin, part.end);
  return pieces;
}

// Calls f(begin, end) for the elements [from, from + count) of the pieces, one after the other.
template <class F>
void for_each_in(const Pieces& pieces, Index from, Index count, const F& f) {
  for (const ElementRange& range : pieces.ranges) {
    const Index size = range.end - range.begin, skipped = std::min(from, size), taken = std::min(count, size - skipped);
    from -= skipped;
    if (taken > 0) f(range.begin + skipped, range.begin + skipped + taken);
    count -= taken;
    if (count == 0) return;
  }
}

void write_values(MessageWriter& message, std::span<const Real> values, GradientWire wire) {
  if (wire == GradientWire::kReal) return message.numbers(values);
  std::vector<std::uint16_t> halves(values.size());
  std::ranges::transform(values, halves.begin(), [](Real x) {
    return static_cast<std::uint16_t>(kernels::bfloat16_bits(static_cast<float>(x)));
  });
  message.numbers(std::span<const std::uint16_t>(halves));
}

void read_values(MessageReader& message, std::span<Real> to, GradientWire wire) {
  if (wire == GradientWire::kReal) return message.numbers(to);
  std::vector<std::uint16_t> halves(to.size());
  message.numbers(std::span(halves));
  std::ranges::transform(halves, to.begin(), [](std::uint16_t half) {
    return static_cast<Real>(std::bit_cast<float>(std::uint32_t{half} << 16));
  });
}

[[noreturn]] void refuse(const char* what) { throw RankError(cat("a gradient from another rank ", what)); }

std::vector<RowId> read_rows(MessageReader& message, const Gradient& gradient) {
  const auto count = message.number<std::uint64_t>();
  if (count > static_cast<std::uint64_t>(gradient.value().rows())) refuse("has more rows than there are");
  std::vector<RowId> rows(count);
  message.numbers(std::span(rows));
  for (const RowId row : rows) {
    if (row < 0 || row >= gradient.value().rows()) refuse(cat("names row ", row).c_str());
  }
  return rows;
}

std::span<Real> elements(const Gradient& gradient, Index begin, Index end) {
  return gradient.value().span().subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

}  // namespace

GradientChain::GradientChain(const ParameterSet& parameters, const Ranks& ranks, const ShardDeal& deal)
    : ranks_(ranks), deal_(deal), received_(parameters.count(), -1) {
  const Index all = parameters.element_count();
  for (int rank = 0; rank < ranks.communicator.size(); ++rank) {
    shares_.push_back(share_of_rank(all, rank, ranks.communicator.size()));
  }
  own_range_ = shares_[static_cast<std::size_t>(ranks.communicator.rank())];
  Index first = 0;
  for (const Parameter& parameter : parameters) {
    first_.push_back(first);
    first += parameter.value.size();
  }
}

void GradientChain::start(Index count) {
  count_ = count;
  own_ = deal_.shards_of(ranks_.communicator.rank(), count);
  std::ranges::fill(received_, Index{-1});
}

bool GradientChain::arrives(Index shard) const { return shard > 0 && deal_.rank_of(shard - 1) != deal_.rank_of(shard); }

bool GradientChain::departs(Index shard) const {
  return shard + 1 == count_ || deal_.rank_of(shard + 1) != deal_.rank_of(shard);
}

void GradientChain::receive(const Parameter& parameter, Index shard, Gradient& gradient) {
  if (!arrives(shard) || received_[parameter.index] == shard) return;
  const auto index = static_cast<std::uint32_t>(parameter.index), number = static_cast<std::uint32_t>(shard);
  receive_part(gradient, {0, gradient.value().size()}, deal_.rank_of(shard - 1),
               {.kind = kGradientMessage, .a = number, .b = index});
  received_[parameter.index] = shard;
}

void GradientChain::send(const Parameter& parameter, Index shard, const Gradient& gradient) {
  if (!departs(shard)) return;
  const auto index = static_cast<std::uint32_t>(parameter.index), number = static_cast<std::uint32_t>(shard);
  const Index size = gradient.value().size();
  if (shard + 1 < count_) {
    return send_part(gradient, {0, size}, deal_.rank_of(shard + 1),
                     {.kind = kGradientMessage, .a = number + 1, .b = index});
  }
  for (int rank = 0; rank < ranks_.communicator.size(); ++rank) {
    const ElementRange part = part_in(shares_[static_cast<std::size_t>(rank)], first_[parameter.index], size);
    if (rank == ranks_.communicator.rank() || part.begin == part.end) continue;
    send_part(gradient, part, rank, {.kind = kFinalGradientMessage, .b = index});
  }
}

void GradientChain::receive_final(const ParameterSet& parameters, GradientSet& gradients) {
  const int last = deal_.rank_of(count_ - 1);
  if (last == ranks_.communicator.rank()) return;
  for (const Parameter& parameter : parameters) {
    const ElementRange part = part_in(own_range_, first_[parameter.index], parameter.value.size());
    if (parameter.frozen || part.begin == part.end) continue;
    receive_part(gradients[parameter], part, last,
                 {.kind = kFinalGradientMessage, .b = static_cast<std::uint32_t>(parameter.index)});
  }
}

// The first message begins with what is touched; the order of rows matters to the norm.
void GradientChain::send_part(const Gradient& gradient, const ElementRange& part, int to, MessageKey key) const {
  MessageWriter message;
  const Touched touched = gradient.all_touched() ? Touched::kAll
                          : gradient.untouched() ? Touched::kNothing
                                                 : Touched::kRows;
  message.number(static_cast<std::uint8_t>(touched));
  Pieces pieces;
  if (touched == Touched::kAll) pieces = all_of(part);
  if (touched == Touched::kRows) {
    const std::span<const RowId> rows = gradient.touched_rows();
    message.number(static_cast<std::uint64_t>(rows.size()));
    message.numbers(rows);
    pieces = pieces_of_rows(rows, gradient.value().cols(), part);
  }
  for (Index from = 0; from == 0 || from < pieces.elements; from += kChunkElements) {
    message.reserve(message.size() + static_cast<std::size_t>(kChunkElements) * sizeof(Real));
    for_each_in(pieces, from, kChunkElements,
                [&](Index begin, Index end) { write_values(message, elements(gradient, begin, end), ranks_.wire); });
    ranks_.communicator.send(to, key, message.take());
    ++key.c;
  }
}

void GradientChain::receive_part(Gradient& gradient, const ElementRange& part, int from, MessageKey key) const {
  Bytes bytes = ranks_.communicator.receive(from, key);
  MessageReader head(bytes);
  const auto touched = static_cast<Touched>(head.number<std::uint8_t>());
  gradient.forget();
  Pieces pieces;
  if (touched == Touched::kAll) {
    gradient.touch_to_overwrite();
    pieces = all_of(part);
  } else if (touched == Touched::kRows) {
    const std::vector<RowId> rows = read_rows(head, gradient);
    for (const RowId row : rows) gradient.touch_row(row);
    pieces = pieces_of_rows(rows, gradient.value().cols(), part);
  } else if (touched != Touched::kNothing) {
    refuse("has an unknown form");
  }
  const auto read = [&](MessageReader& message, Index at) {
    for_each_in(pieces, at, kChunkElements,
                [&](Index begin, Index end) { read_values(message, elements(gradient, begin, end), ranks_.wire); });
    if (message.left() > 0) refuse(cat("has ", message.left(), " bytes too many").c_str());
  };
  read(head, 0);
  for (Index at = kChunkElements; at < pieces.elements; at += kChunkElements) {
    ++key.c;
    bytes = ranks_.communicator.receive(from, key);
    MessageReader message(bytes);
    read(message, at);
  }
}

}  // namespace dhyan
