#include "markup/flow_writer.h"

#include <algorithm>
#include <string_view>

#include "text/unicode.h"

namespace dhyan {

namespace {

using Items = std::span<const PlacedItem>;

char32_t first_of(std::string_view text) { return (*Characters(text).begin()).code; }

char32_t last_of(std::string_view text) {
  std::size_t begin = text.size() - 1;
  while (begin > 0 && (text[begin] & 0xC0) == 0x80) --begin;
  return first_of(text.substr(begin));
}

bool is_mark(char32_t character) { return major_category(character) == 'P'; }

bool is_letter(char32_t character) { return !is_mark(character) && !is_space(character); }

bool opens_bracket(char32_t character) {
  return std::u32string_view(U"([{«“‘「『（¿¡").find(character) != std::u32string_view::npos;
}

bool begins_with_mark(std::string_view word) { return is_mark(first_of(word)) && !opens_bracket(first_of(word)); }

// Where white space goes among items that show nothing: behind the ends of elements that began before them, before the
// starts of those that end after them, and between text that leans to the left and text that does not.
std::size_t place_of_space(Items items) {
  std::size_t earliest = 0;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const FlowItem::Kind kind = items[i].item->kind;
    if (kind == FlowItem::Kind::kOpen) open.push_back(i);
    if (kind != FlowItem::Kind::kClose) continue;
    if (open.empty()) {
      earliest = i + 1;
    } else {
      open.pop_back();
    }
  }
  const std::size_t latest = open.empty() ? items.size() : open.front();
  std::size_t place = earliest;
  for (int depth = 0; place < latest; ++place) {
    const FlowItem& item = *items[place].item;
    if (depth == 0 && item.space_before) break;
    depth += item.kind == FlowItem::Kind::kOpen ? 1 : item.kind == FlowItem::Kind::kClose ? -1 : 0;
  }
  return place;
}

class FlowWriter {
 public:
  FlowWriter(const Flow& flow, const AlignedFlow& aligned) : flow_(flow), aligned_(aligned) {}

  std::string run(Items placed) {
    const Index parts = std::ssize(aligned_.target);
    for (Index gap = 0; gap <= parts; ++gap) {
      std::size_t here = 0;
      while (here < placed.size() && placed[here].gap == gap) ++here;
      write_gap(gap, placed.first(here));
      placed = placed.subspan(here);
      if (gap < parts) written_ += escape_markup(word(gap));
    }
    return std::move(written_);
  }

 private:
  std::string_view word(Index i) const { return part(aligned_.text, aligned_.target[static_cast<std::size_t>(i)]); }

  bool is_first(Index gap) const { return gap == 0; }
  bool is_last(Index gap) const { return gap == std::ssize(aligned_.target); }

  // The white space of the translation before part `gap`; that of the source at its ends.
  std::string space_at(Index gap) const {
    if (is_first(gap) || is_last(gap))
      return (is_first(gap) ? flow_.leading : "") + (is_last(gap) ? flow_.trailing : "");
    const auto i = static_cast<std::size_t>(gap);
    return std::string(part(aligned_.text, {aligned_.target[i - 1].end, aligned_.target[i].begin}));
  }

  void write_gap(Index gap, Items items) {
    const bool any_spaced = has_spaced_item(gap, items);
    const FlowItem* visible = nullptr;  // the last one written
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= items.size(); ++i) {
      const FlowItem* next = i < items.size() ? items[i].item : nullptr;
      if (next != nullptr && next->kind != FlowItem::Kind::kVisible) continue;
      std::string between = space_between(gap, visible, next);
      if (visible == nullptr && next != nullptr && !any_spaced) between = space_at(gap);  // words stay apart
      write_items(items.subspan(begin, i - begin), between);
      if (next != nullptr) written_ += next->source;
      visible = next;
      begin = i + 1;
    }
  }

  bool has_spaced_item(Index gap, Items items) const {
    const FlowItem* visible = nullptr;
    for (const PlacedItem& one : items) {
      if (one.item->kind != FlowItem::Kind::kVisible) continue;
      if (!space_between(gap, visible, one.item).empty()) return true;
      visible = one.item;
    }
    return !space_between(gap, visible, nullptr).empty();
  }

  // Between two visible items; null stands for the word before or after the gap.
  std::string space_between(Index gap, const FlowItem* left, const FlowItem* right) const {
    if (left == nullptr && right == nullptr) return space_at(gap);
    if (left == nullptr && is_first(gap)) return flow_.leading;
    if (right == nullptr && is_last(gap)) return flow_.trailing;
    const bool spaced = (left != nullptr && left->space_after) || (right != nullptr && right->space_before);
    if (!spaced && !loses_mark_between(gap, left, right)) return "";
    const std::string space = is_first(gap) || is_last(gap) ? "" : space_at(gap);
    if (!space.empty()) return space;
    const bool tight = left == nullptr    ? opens_bracket(last_of(word(gap - 1)))
                       : right == nullptr ? begins_with_mark(word(gap))
                                          : false;
    return tight ? "" : " ";
  }

  // Would an item touch a word that only a mark, now lost, kept it away from, as in "%s: word"?
  bool loses_mark_between(Index gap, const FlowItem* left, const FlowItem* right) const {
    if ((left == nullptr) == (right == nullptr)) return false;
    const std::string_view text = flow_.text;
    const auto at = std::min(static_cast<std::size_t>((left != nullptr ? left : right)->offset), text.size());
    const char32_t before = at == 0 ? U' ' : last_of(text.substr(0, at));
    const char32_t after = at == text.size() ? U' ' : first_of(text.substr(at));
    if (is_letter(before) || is_letter(after)) return false;
    return left != nullptr ? is_mark(after) && !is_mark(first_of(word(gap)))
                           : is_mark(before) && !is_mark(last_of(word(gap - 1)));
  }

  void write_items(Items items, std::string_view space) {
    const std::size_t place = place_of_space(items);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i == place) written_ += space;
      written_ += items[i].item->source;
    }
    if (place == items.size()) written_ += space;
  }

  const Flow& flow_;
  const AlignedFlow& aligned_;
  std::string written_;
};

}  // namespace

std::string written_flow(const Flow& flow, const AlignedFlow& aligned, std::span<const PlacedItem> placed) {
  return FlowWriter(flow, aligned).run(placed);
}

}  // namespace dhyan
