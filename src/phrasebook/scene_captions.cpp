#include "phrasebook/scene_captions.h"

#include <algorithm>

#include "phrasebook/english.h"

namespace dhyan::picturebook {

namespace {

using phrases::hindi::Case;

enum class Sizes { kSaid, kUnsaid };

// The content of a caption: an object, and its relations to the others.
struct Statement {
  struct Link {
    Relation relation;
    std::size_t object;
  };

  std::size_t subject = 0;
  std::vector<Link> links;
  Sizes sizes = Sizes::kSaid;
};

class CaptionWriter {
 public:
  explicit CaptionWriter(const Scene& scene) : scene_(scene) {}

  Caption english(const Statement& statement) && {
    add_english(statement.subject, statement.sizes);
    for (const Statement::Link& link : statement.links) {
      if (&link != &statement.links.front()) add("and", 0);
      const RelationName& relation = name_of(link.relation);
      add_relation(relation.english, relation.english_content, both(statement, link));
      add_english(link.object, statement.sizes);
    }
    return std::move(caption_);
  }

  Caption hindi(const Statement& statement) && {
    for (const Statement::Link& link : statement.links) {
      if (&link != &statement.links.front()) add("और", 0);
      add_hindi(link.object, statement.sizes, Case::kOblique);
      const RelationName& relation = name_of(link.relation);
      add_relation(relation.hindi, relation.hindi_content, both(statement, link));
    }
    add("एक", 0);
    add_hindi(statement.subject, statement.sizes, Case::kDirect);
    return std::move(caption_);
  }

 private:
  static ObjectSet only(std::size_t object) { return static_cast<ObjectSet>(1u << object); }
  static ObjectSet both(const Statement& statement, const Statement::Link& link) {
    return only(statement.subject) | only(link.object);
  }

  void add(std::string_view word, ObjectSet objects) {
    if (!caption_.text.empty()) caption_.text += ' ';
    caption_.text += word;
    caption_.objects.push_back(objects);
  }

  void add_relation(std::string_view words, std::string_view content, ObjectSet objects) {
    for (const phrases::Word& word : phrases::words(words, {})) add(word.text, word.text == content ? objects : 0);
  }

  void add_english(std::size_t number, Sizes sizes) {
    const Object& object = scene_.objects[number];
    const std::string_view size = name_of(object.size).english, colour = name_of(object.colour).english;
    add(phrases::article_before(sizes == Sizes::kSaid ? size : colour), 0);
    if (sizes == Sizes::kSaid) add(size, only(number));
    add(colour, only(number));
    add(name_of(object.figure).english, only(number));
  }

  void add_hindi(std::size_t number, Sizes sizes, Case in) {
    const Object& object = scene_.objects[number];
    const FigureName& figure = name_of(object.figure);
    const auto agreeing = [&](std::string_view adjective) {
      return phrases::hindi::adjective(adjective, figure.gender, phrases::Number::kSingular, in);
    };
    if (sizes == Sizes::kSaid) add(agreeing(name_of(object.size).hindi), only(number));
    add(agreeing(name_of(object.colour).hindi), only(number));
    add(phrases::hindi::noun(figure.hindi, figure.gender, phrases::Number::kSingular, in), only(number));
  }

  const Scene& scene_;
  Caption caption_;
};

Caption written(const Scene& scene, const Statement& statement, Language language) {
  CaptionWriter writer(scene);
  return language == Language::kEnglish ? std::move(writer).english(statement) : std::move(writer).hindi(statement);
}

// A caption that begins with this object; the others in reading order, by their main relations.
Statement statement_about(const Scene& scene, std::size_t subject) {
  Statement statement{.subject = subject, .links = {}, .sizes = Sizes::kSaid};
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (i != subject) statement.links.push_back({main_relation(scene.objects[subject], scene.objects[i]), i});
  }
  return statement;
}

// The same with the second relation of each pair that has two.
Statement with_second_relations(const Scene& scene, Statement statement) {
  for (Statement::Link& link : statement.links) {
    const Relation main = link.relation;
    for (const Relation other : {Relation::kLeftOf, Relation::kRightOf, Relation::kAbove, Relation::kBelow}) {
      const bool holds_too = holds(other, scene.objects[statement.subject], scene.objects[link.object]);
      if (other != main && holds_too) link.relation = other;
    }
  }
  return statement;
}

}  // namespace

Caption caption(const Scene& scene, Language language) { return written(scene, statement_about(scene, 0), language); }

std::vector<Caption> references(const Scene& scene, Language language) {
  std::vector<Caption> captions;
  const auto add = [&](const Statement& statement) {
    Caption another = written(scene, statement, language);
    if (std::ranges::find(captions, another) == captions.end()) captions.push_back(std::move(another));
  };
  for (std::size_t subject = 0; subject < scene.objects.size(); ++subject) add(statement_about(scene, subject));
  Statement statement = statement_about(scene, 0);
  add(with_second_relations(scene, statement));
  std::ranges::reverse(statement.links);
  add(statement);
  statement = statement_about(scene, 0);
  statement.sizes = Sizes::kUnsaid;
  add(statement);
  return captions;
}

}  // namespace dhyan::picturebook
