#pragma once

#include <expat.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace dhyan {

// For tests: the elements of a document, in the order in which they begin.
struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // without the text of nested elements
};

// Fails the test if the document is not well-formed.
inline std::vector<XmlElement> parsed_xml(const std::string& document) {
  struct State {
    std::vector<XmlElement> elements;
    std::vector<std::size_t> open;
  } state;
  XML_Parser parser = XML_ParserCreate("UTF-8");
  XML_SetUserData(parser, &state);
  XML_SetElementHandler(
      parser,
      [](void* data, const char* name, const char** attributes) {
        auto& [elements, open] = *static_cast<State*>(data);
        open.push_back(elements.size());
        elements.push_back({name, {}, ""});
        for (; *attributes != nullptr; attributes += 2) elements.back().attributes[attributes[0]] = attributes[1];
      },
      [](void* data, const char*) { static_cast<State*>(data)->open.pop_back(); });
  XML_SetCharacterDataHandler(parser, [](void* data, const char* text, int size) {
    auto& [elements, open] = *static_cast<State*>(data);
    elements[open.back()].text.append(text, static_cast<std::size_t>(size));
  });
  if (XML_Parse(parser, document.data(), static_cast<int>(document.size()), 1) != XML_STATUS_OK) {
    ADD_FAILURE() << "line " << XML_GetCurrentLineNumber(parser) << ": " << XML_ErrorString(XML_GetErrorCode(parser));
  }
  XML_ParserFree(parser);
  return state.elements;
}

// The elements with a name and, if one is given, a class.
inline std::vector<XmlElement> named(const std::vector<XmlElement>& elements, const std::string& name,
                                     const std::string& kind = "") {
  std::vector<XmlElement> found;
  for (const XmlElement& element : elements) {
    const auto has = element.attributes.find("class");
    const bool is_kind = kind.empty() || (has != element.attributes.end() && has->second == kind);
    if (element.name == name && is_kind) found.push_back(element);
  }
  return found;
}

}  // namespace dhyan
