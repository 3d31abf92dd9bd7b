#pragma once

#include "config/option.h"
#include "translator/search_request.h"
#include "translator/text_models.h"

namespace dhyan {

// Whether an option can be part of a JSON request. Options that name files belong to the command line: a client
// must not choose files of the server.
enum class Availability { kEverywhere, kCommandLine };

// A row of the table of search options.
struct SearchOption : OptionOf<SearchRequest> {
  SearchOption(OptionOf<SearchRequest> row) : OptionOf(std::move(row)) {}  // implicit: option_kinds.h makes rows

  std::string needs = {};     // name of an option without which this one has no effect
  std::string excludes = {};  // name of an option beside which this one has no effect
  bool needs_cross_attention = false;
  Availability availability = Availability::kEverywhere;
};

// The one place where an option of translate, explain, evaluate, compare and score is declared. The command line, its
// help and the JSON of a request iterate it.
std::span<const SearchOption> search_option_table();

// Whether the option differs from its default in a request.
bool is_set(const SearchOption& option, const SearchRequest& request);

// The options of generate; those about sampling are rows of both tables.
std::span<const OptionOf<GenerationOptions>> generation_option_table();

}  // namespace dhyan
