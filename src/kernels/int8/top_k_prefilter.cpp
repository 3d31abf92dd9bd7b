#include "kernels/int8/top_k_prefilter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/error.h"
#include "kernels/gemm/column_partition.h"
#include "kernels/gemm/unpacked_gemm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/int8/top_k_prefilter.cpp"
#include <hwy/foreach_target.h>

#include "kernels/rows/top_k-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// |x|, and the error |d| of quantizing x with the scale max |x| / 127.
QuantizationError quantization_error(const Real* x, Index n) {
  const Real largest = max_abs_of(n, x);
  const V step = all(largest / 127), inverse = all(largest > 0 ? 127 / largest : 0);
  const auto square = [](V v) HWY_ATTR { return hn::Mul(v, v); };
  const auto squared_error = [&](V v)
                                 HWY_ATTR { return square(hn::NegMulAdd(hn::Round(hn::Mul(v, inverse)), step, v)); };
  return {std::sqrt(sum_of(n, square, x)), std::sqrt(sum_of(n, squared_error, x))};
}

// The k-th largest of the lanes, or less if some are equal.
HWY_INLINE Real kth_of_lanes(V left, Index k) {
  const V excluded = all(-std::numeric_limits<Real>::infinity());
  V largest = hn::MaxOfLanes(D(), left);
  for (Index i = 1; i < k; ++i) {
    left = hn::IfThenElse(hn::Eq(left, largest), excluded, left);
    largest = hn::MaxOfLanes(D(), left);
  }
  return hn::GetLane(largest);
}

// A value that at least k of the lower bounds z_j - margin n_j reach: the k-th largest of the maxima per lane, which
// start as -inf and grow from call to call.
Real lower_bound_of_kth(const PrefilterRow& of, Index k, Real* by_lane) {
  const V factor = all(of.margin);
  V top = load(by_lane);
  for (Index j = 0; j + lanes() <= of.n; j += lanes()) {
    top = hn::Max(top, hn::NegMulAdd(factor, load(of.norms + j), load(of.z + j)));
  }
  store(top, by_lane);
  return kth_of_lanes(top, k);
}

// Collects the j whose upper bound z_j + margin n_j reaches `threshold`; returns how many.
Index collect_candidates(const PrefilterRow& of, Real threshold, Ranked* to) {
  const V factor = all(of.margin), bound = all(threshold);
  Index count = 0, j = 0;
  for (; j + lanes() <= of.n; j += lanes()) {
    const V upper_bound = hn::MulAdd(factor, load(of.norms + j), load(of.z + j));
    const auto reaches = hn::Ge(upper_bound, bound);
    if (hn::AllFalse(D(), reaches)) continue;
    HWY_ALIGN Real values[HWY_MAX_BYTES / sizeof(Real)];
    hn::Store(upper_bound, D(), values);
    for (Lanes left = lanes_of(reaches); left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      to[count++] = {static_cast<RowId>(j + lane), values[lane]};
    }
  }
  for (; j < of.n; ++j) {
    const Real upper_bound = of.z[j] + of.margin * of.norms[j];
    if (upper_bound >= threshold) to[count++] = {static_cast<RowId>(j), upper_bound};
  }
  return count;
}

// Largest |x_i|; NaN if an x_i is not finite.
Real max_abs_or_nan(Index n, const Real* x) {
  return max_abs_of(n, x) + sum_of(
                                n, [](V v) HWY_ATTR { return hn::Sub(v, v); }, x);
}

Index bound_lanes() { return lanes(); }

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(quantization_error);
HWY_EXPORT(lower_bound_of_kth);
HWY_EXPORT(collect_candidates);
HWY_EXPORT(max_abs_or_nan);
HWY_EXPORT(bound_lanes);

namespace {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

// Bound of the relative rounding error of a sum of n products and a bias, in Real and in the int8 GEMM's float.
Real rounding_error(Index n) {
  return static_cast<Real>(n + 4) * std::numeric_limits<Real>::epsilon() + 4 * std::numeric_limits<float>::epsilon();
}

// Sorts the candidates by their exact value; z has the columns `computed`, in ascending order.
void rank(const Real* z, std::span<const RowId> computed, std::span<const Ranked> candidates, std::span<Ranked> top) {
  thread_local std::vector<Ranked> exact;
  exact.clear();
  for (const auto& [j, upper_bound] : candidates) {
    exact.push_back({j, z[std::ranges::lower_bound(computed, j) - computed.begin()]});
  }
  const auto order = [](const Ranked& one) {  // NaN comes first, where it will be noticed
    return std::pair(std::isnan(one.value) ? -std::numeric_limits<Real>::infinity() : -one.value, one.column);
  };
  std::ranges::partial_sort_copy(exact, top, {}, order, order);
}

}  // namespace

TopKPrefilter::TopKPrefilter(ConstMatrix w) : w_(w), norms_(static_cast<std::size_t>(w.n())) {
  if (!w.transposed) throw UsageError("TopKPrefilter: expected a weight with an output's values side by side");
  std::vector<std::int8_t> values(static_cast<std::size_t>(w.rows * w.cols));
  std::vector<float> scales(norms_.size());
  quantize(w, values, scales);
  for (std::size_t j = 0; j < norms_.size(); ++j) {
    const QuantizationError of = HWY_DYNAMIC_DISPATCH(quantization_error)(w.row(static_cast<Index>(j)), w.cols);
    norms_[j] = of.norm;
    if (of.norm > 0) weight_error_ = std::max(weight_error_, of.error / of.norm);  // std::max keeps NaN
    if (!std::isfinite(of.norm)) weight_error_ = kNan;
  }
  quantized_ = std::make_unique<Int8Matrix>(Int8Weight{values.data(), w.rows, w.cols, true, scales});
}

TopKPrefilter::Bounds TopKPrefilter::bounds_of(const ConstMatrix& x, std::span<const Real> bias, Index k) const {
  Bounds bounds{
      k,
      4 * std::numeric_limits<float>::epsilon() * HWY_DYNAMIC_DISPATCH(max_abs_or_nan)(std::ssize(bias), bias.data()),
      {}};
  for (Index r = 0; r < x.rows; ++r) {
    const auto [norm, error] = HWY_DYNAMIC_DISPATCH(quantization_error)(x.row(r), w_.cols);
    bounds.margins.push_back(Real{1.001} * (error + (norm + error) * weight_error_) + rounding_error(w_.cols) * norm);
  }
  return bounds;
}

// Works on blocks of columns whose int8 results for all rows stay in the L2 cache until they are read.
void TopKPrefilter::prefilter_partition(const QuantizedRows& x, std::span<const Real> bias, const Bounds& bounds,
                                        const ColumnPartition& partition, std::span<PrefilteredRow> rows) const {
  constexpr Index kBlockValues = 32768;
  thread_local std::vector<Real> buffer;
  thread_local std::vector<Ranked> found;
  const Index lanes = HWY_DYNAMIC_DISPATCH(bound_lanes)();
  const Index blocks = std::max<Index>(1, x.rows * w_.n() / (partition.count * kBlockValues));
  std::vector<Real> by_lane(static_cast<std::size_t>(x.rows * lanes), -std::numeric_limits<Real>::infinity());
  for (Index i = 0; i < blocks; ++i) {
    const ColumnRange range =
        quantized_->columns_of_partition({partition.index * blocks + i, partition.count * blocks});
    buffer.resize(static_cast<std::size_t>(x.rows * range.size));
    found.resize(static_cast<std::size_t>(range.size));
    const Matrix z{buffer.data(), x.rows, range.size, range.size};
    quantized_->multiply_columns(x, bias, range, z);
    for (Index r = 0; r < x.rows; ++r) {
      const PrefilterRow of{range.size, z.row(r), norms_.data() + range.begin,
                            bounds.margins[static_cast<std::size_t>(r)]};
      PrefilteredRow& row = rows[static_cast<std::size_t>(r)];
      row.threshold = HWY_DYNAMIC_DISPATCH(lower_bound_of_kth)(of, bounds.k, by_lane.data() + r * lanes) - bounds.slack;
      const Index count = HWY_DYNAMIC_DISPATCH(collect_candidates)(of, row.threshold, found.data());
      for (Index j = 0; j < count; ++j) {
        const auto& [column, upper_bound] = found[static_cast<std::size_t>(j)];
        row.found.push_back({static_cast<RowId>(range.begin + column), upper_bound});
      }
    }
  }
}

void TopKPrefilter::prefilter(const ConstMatrix& x, std::span<const Real> bias, const Bounds& bounds,
                              IntraOpThreads* intra_op, std::span<PrefilteredRow> rows) const {
  thread_local std::vector<std::uint8_t> memory;
  memory.resize(static_cast<std::size_t>(quantized_bytes(x)));
  const QuantizedRows quantized = quantize_rows(x, memory.data());
  std::mutex mutex;
  partition_columns({.weights = w_.m() * w_.n(), .rows = x.rows}, intra_op, [&](const ColumnPartition& partition) {
    if (partition.count == 1) return prefilter_partition(quantized, bias, bounds, partition, rows);
    std::vector<PrefilteredRow> mine(rows.size());
    prefilter_partition(quantized, bias, bounds, partition, mine);
    const std::lock_guard lock(mutex);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      rows[r].threshold = std::max(rows[r].threshold, mine[r].threshold);
      rows[r].found.insert(rows[r].found.end(), mine[r].found.begin(), mine[r].found.end());
    }
  });
}

// Drops candidates below the final threshold. False, and there are none, if too few are left, because of NaN: then all
// outputs are candidates.
bool TopKPrefilter::keep_candidates(const Bounds& bounds, std::size_t r, PrefilteredRow& row) const {
  std::erase_if(row.found, [&](const Ranked& one) { return !(one.value >= row.threshold); });
  if (std::isfinite(bounds.margins[r] + bounds.slack) && std::ssize(row.found) >= bounds.k) return true;
  row.found.clear();
  return false;
}

// Computes the candidates of all rows in full, and ranks those of each row.
void TopKPrefilter::rank_candidates(ConstMatrix x, std::span<const Real> bias, std::span<PrefilteredRow> rows,
                                    std::span<Ranked> top, Precision precision) const {
  thread_local std::vector<Real> buffer;
  std::vector<RowId> wanted;  // candidates of any row
  for (const PrefilteredRow& row : rows) {
    for (const Ranked& one : row.found) wanted.push_back(one.column);
  }
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  buffer.resize(rows.size() * wanted.size());
  const Matrix z{buffer.data(), x.rows, std::ssize(wanted), std::ssize(wanted)};
  multiply_some_outputs(x, w_, bias, wanted, z, precision);
  const std::size_t k = top.size() / rows.size();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    rank(z.row(static_cast<Index>(r)), wanted, rows[r].found, top.subspan(r * k, k));
  }
}

void TopKPrefilter::top_k(ConstMatrix x, std::span<const Real> bias, std::span<Ranked> top,
                          const PackedGemmOptions& options) const {
  if (x.rows == 0) return;
  thread_local std::vector<PrefilteredRow> rows;
  const Bounds bounds = bounds_of(x, bias, std::ssize(top) / x.rows);
  rows.resize(static_cast<std::size_t>(x.rows));
  for (PrefilteredRow& row : rows) row.clear();
  prefilter(x, bias, bounds, options.intra_op, rows);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (keep_candidates(bounds, r, rows[r])) continue;
    for (RowId j = 0; j < w_.n(); ++j) rows[r].found.push_back({j, 0});
  }
  rank_candidates(x, bias, rows, top, options.precision);
}

void TopKPrefilter::top_k_listed(ConstMatrix x, std::span<const Real> bias, std::span<const ListedColumns> lists,
                                 std::span<Ranked> top, Precision precision) const {
  if (x.rows == 0) return;
  std::call_once(rows_once_, [&] { rows_ = std::make_unique<Int8Rows>(*quantized_); });
  thread_local std::vector<PrefilteredRow> rows;
  thread_local std::vector<Real> z, norms;
  thread_local std::vector<Ranked> found;
  const Bounds bounds = bounds_of(x, bias, std::ssize(top) / x.rows);
  rows.resize(static_cast<std::size_t>(x.rows));
  std::vector<Real> by_lane(static_cast<std::size_t>(HWY_DYNAMIC_DISPATCH(bound_lanes)()));
  for (const ListedColumns& list : lists) {
    const Index n = std::ssize(list.columns);
    norms.clear();
    for (const RowId j : list.columns) norms.push_back(norms_[static_cast<std::size_t>(j)]);
    z.resize(list.columns.size()), found.resize(list.columns.size());
    for (Index r = list.begin; r < list.end; ++r) {
      const auto place = static_cast<std::size_t>(r);
      rows_->multiply({x.row(r), 1, x.cols, x.stride}, bias, list.columns, {z.data(), 1, n, n});
      std::ranges::fill(by_lane, -std::numeric_limits<Real>::infinity());
      const PrefilterRow of{n, z.data(), norms.data(), bounds.margins[place]};
      rows[place].clear();
      rows[place].threshold = HWY_DYNAMIC_DISPATCH(lower_bound_of_kth)(of, bounds.k, by_lane.data()) - bounds.slack;
      const Index count = HWY_DYNAMIC_DISPATCH(collect_candidates)(of, rows[place].threshold, found.data());
      for (const Ranked& one : std::span(found).first(static_cast<std::size_t>(count))) {
        rows[place].found.push_back({list.columns[static_cast<std::size_t>(one.column)], one.value});
      }
      if (keep_candidates(bounds, place, rows[place])) continue;
      for (const RowId j : list.columns) rows[place].found.push_back({j, 0});
    }
  }
  rank_candidates(x, bias, rows, top, precision);
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE
