#include "phrasebook/scene_claims.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "phrasebook/english.h"

namespace dhyan::picturebook {

namespace {

namespace hindi = phrases::hindi;
using hindi::Case;

constexpr std::size_t kLongestCaption = 1000;  // bytes; the grammar's longest has fewer than 200

template <class Entry>
std::string names_of_all(int count) {
  std::string names;
  for (int i = 0; i < count; ++i) names += cat(i == 0 ? "" : ", ", name_of(static_cast<Entry>(i)).english);
  return names;
}

std::string agreeing(std::string_view adjective, hindi::Gender gender, Case in) {
  return hindi::adjective(adjective, gender, phrases::Number::kSingular, in);
}

std::string noun_in(Case in, const FigureName& figure) {
  return hindi::noun(figure.hindi, figure.gender, phrases::Number::kSingular, in);
}

bool is_form_of(std::string_view adjective, std::string_view word) {
  return word == adjective || word == agreeing(adjective, hindi::kM, Case::kOblique) ||
         word == agreeing(adjective, hindi::kF, Case::kDirect);
}

// The words of a caption and the current position. A function that returns false has set the problem.
class CaptionReader {
 public:
  explicit CaptionReader(std::string_view text) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      words_.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }

  bool at_end() const { return at_ == words_.size(); }
  std::size_t at() const { return at_; }
  std::string_view word() const { return at_end() ? std::string_view() : words_[at_]; }
  std::string_view word(std::size_t number) const { return words_[number]; }
  std::size_t size() const { return words_.size(); }

  bool take(std::string_view expected) {
    if (at_end() || word() != expected) return false;
    ++at_;
    return true;
  }

  // The first entry of an enum that the word names; empty if there is none.
  template <class Entry, class Names>
  std::optional<Entry> take_one(int count, Names names) {
    for (int i = 0; i < count && !at_end(); ++i) {
      const auto entry = static_cast<Entry>(i);
      if (!names(entry)) continue;
      ++at_;
      return entry;
    }
    return std::nullopt;
  }

  // The relation whose words come next, and the number of its content word.
  std::optional<RelationClaim> take_relation(std::string_view RelationName::*phrase,
                                             std::string_view RelationName::*content) {
    for (int i = 0; i < kRelations; ++i) {
      const auto relation = static_cast<Relation>(i);
      const std::size_t begin = at_;
      std::size_t number = begin;
      bool all = true;
      for (const phrases::Word& expected : phrases::words(name_of(relation).*phrase, {})) {
        if (expected.text == name_of(relation).*content) number = at_;
        all = all && take(expected.text);
      }
      if (all) return RelationClaim{relation, number};
      at_ = begin;
    }
    return std::nullopt;
  }

  bool fail(std::size_t number, std::string_view what) {
    problem_ = number < words_.size() ? cat("word ", number + 1, ": '", words_[number], "' ", what)
                                      : cat("the caption ends too early; its next word ", what);
    return false;
  }
  bool fail(std::string_view what) { return fail(at_, what); }

  const std::string& problem() const { return problem_; }

 private:
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
  std::string problem_;
};

class EnglishCaption {
 public:
  EnglishCaption(std::string_view text, Articles articles) : reader_(text), articles_(articles) {}

  ParsedCaption parsed() && {
    if (!read_all()) return {.problem = reader_.problem()};
    claims_.words = reader_.size();
    return {.claims = std::move(claims_)};
  }

 private:
  bool read_all() {
    if (!read_object()) return false;
    if (reader_.at_end()) return true;
    if (!read_relation() || !read_object()) return false;
    if (reader_.at_end()) return true;
    if (!reader_.take("and")) return reader_.fail("is not 'and'");
    if (!read_relation() || !read_object()) return false;
    return reader_.at_end() || reader_.fail("follows the last object");
  }

  bool read_relation() {
    const auto relation = reader_.take_relation(&RelationName::english, &RelationName::english_content);
    if (!relation) return reader_.fail(cat("begins none of ", names_of_all<Relation>(kRelations)));
    claims_.relations.push_back(*relation);
    return true;
  }

  bool read_object() {
    const std::size_t article = reader_.at();
    const bool has_article = reader_.take("a") || reader_.take("an");
    if (!has_article && articles_ == Articles::kRequired) return reader_.fail("is not an article");
    if (has_article && !reader_.word().empty() && reader_.word(article) != phrases::article_before(reader_.word())) {
      return reader_.fail(article, cat("does not go before '", reader_.word(), "'"));
    }
    const auto names = [this](auto entry) { return name_of(entry).english == reader_.word(); };
    ObjectClaim claim;
    const std::size_t first = reader_.at();
    claim.size = reader_.take_one<Size>(kSizes, names);
    const auto colour = reader_.take_one<Colour>(kColours, names);
    if (!colour) {
      return reader_.fail(
          cat("is none of ", claim.size ? "" : names_of_all<Size>(kSizes) + ", ", names_of_all<Colour>(kColours)));
    }
    const auto figure = reader_.take_one<Figure>(kFigures, names);
    if (!figure) return reader_.fail(cat("is none of ", names_of_all<Figure>(kFigures)));
    claim.colour = *colour;
    claim.figure = *figure;
    for (std::size_t i = first; i < reader_.at(); ++i) claim.words.push_back(i);
    claims_.objects.push_back(std::move(claim));
    return true;
  }

  CaptionReader reader_;
  Articles articles_;
  Claims claims_;
};

class HindiCaption {
 public:
  explicit HindiCaption(std::string_view text) : reader_(text) {}

  ParsedCaption parsed() && {
    if (!read_all()) return {.problem = reader_.problem()};
    claims_.words = reader_.size();
    std::rotate(claims_.objects.begin(), claims_.objects.end() - 1,
                claims_.objects.end());  // the one that the caption is about is its last
    return {.claims = std::move(claims_)};
  }

 private:
  bool read_all() {
    if (!read_object()) return false;
    if (reader_.at_end()) return expect_case(Case::kDirect);
    if (!read_relation()) return false;
    if (reader_.take("और") && !(read_object() && read_relation())) return false;
    if (!read_object()) return false;
    if (!reader_.at_end()) return reader_.fail("follows the last object");
    return expect_case(Case::kDirect);
  }

  bool read_relation() {
    const auto relation = reader_.take_relation(&RelationName::hindi, &RelationName::hindi_content);
    if (!relation) return reader_.fail("begins none of के बाईं ओर, के दाईं ओर, के ऊपर, के नीचे");
    claims_.relations.push_back(*relation);
    return expect_case(Case::kOblique);
  }

  bool read_object() {
    reader_.take("एक");
    const auto names = [this](auto entry) { return is_form_of(name_of(entry).hindi, reader_.word()); };
    ObjectClaim claim;
    const std::size_t first = reader_.at();
    claim.size = reader_.take_one<Size>(kSizes, names);
    const auto colour = reader_.take_one<Colour>(kColours, names);
    if (!colour) return reader_.fail(claim.size ? "is no colour" : "is no size and no colour");
    const auto figure = reader_.take_one<Figure>(kFigures, [this](Figure one) {
      return reader_.word() == noun_in(Case::kDirect, name_of(one)) ||
             reader_.word() == noun_in(Case::kOblique, name_of(one));
    });
    if (!figure) return reader_.fail("is no figure");
    claim.colour = *colour;
    claim.figure = *figure;
    for (std::size_t i = first; i < reader_.at(); ++i) claim.words.push_back(i);
    claims_.objects.push_back(std::move(claim));
    return true;
  }

  // Whether the words of the last object agree with its figure and this case.
  bool expect_case(Case in) {
    const ObjectClaim& claim = claims_.objects.back();
    const FigureName& figure = name_of(claim.figure);
    std::vector<std::string> forms;
    if (claim.size) forms.push_back(agreeing(name_of(*claim.size).hindi, figure.gender, in));
    forms.push_back(agreeing(name_of(claim.colour).hindi, figure.gender, in));
    forms.push_back(noun_in(in, figure));
    for (std::size_t i = 0; i < forms.size(); ++i) {
      const std::size_t number = claim.words[i];
      if (reader_.word(number) != forms[i]) return reader_.fail(number, cat("should be '", forms[i], "'"));
    }
    return true;
  }

  CaptionReader reader_;
  Claims claims_;
};

}  // namespace

ParsedCaption parse_caption(std::string_view text, Articles articles) {
  if (text.size() > kLongestCaption) return {.problem = cat("the caption has over ", kLongestCaption, " bytes")};
  const bool is_ascii = std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return is_ascii ? EnglishCaption(text, articles).parsed() : HindiCaption(text).parsed();
}

}  // namespace dhyan::picturebook
