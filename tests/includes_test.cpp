// Every file includes, itself or through other files of the project, a header for each name of the standard library
// that it uses. The syntax preset does not see who lacks one: it parses all files after these headers.

#include <cctype>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

#include "source_tree.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

// Any of the headers is enough for the names; without headers, nearly every one has them.
constexpr struct {
  const char *headers, *names;
} kProvided[] = {
    {"", "_ erase erase_if forward move size_t swap"},
    {"algorithm",
     "all_of any_of binary_search clamp copy copy_backward copy_if copy_n count count_if equal equal_range fill fill_n "
     "find "
     "find_if find_if_not for_each generate inplace_merge lexicographical_compare lexicographical_compare_three_way "
     "lower_bound make_heap max max_element merge min min_element minmax mismatch next_permutation none_of nth_element "
     "partial_sort partition partition_point pop_heap push_heap remove remove_if replace replace_if reverse rotate "
     "search "
     "shuffle sort sort_heap stable_sort transform unique upper_bound"},
    {"algorithm ranges", "ranges"},
    {"any", "any any_cast"},
    {"array", "array to_array"},
    {"atomic",
     "atomic atomic_flag atomic_ref memory_order_acq_rel memory_order_acquire memory_order_relaxed "
     "memory_order_release memory_order_seq_cst"},
    {"bit", "bit_cast bit_ceil bit_width countl_zero countr_zero endian has_single_bit popcount rotl rotr"},
    {"bitset", "bitset"},
    {"cctype", "isalnum isalpha isdigit islower isspace isupper isxdigit tolower toupper"},
    {"charconv", "chars_format errc from_chars from_chars_result to_chars"},
    {"chrono", "chrono chrono_literals"},
    {"cmath",
     "abs atan2 cbrt ceil copysign cos cosh erf exp exp2 expm1 floor fma fmod hypot isfinite isinf isnan ldexp "
     "lgamma llround log log10 log1p log2 lround modf nan nearbyint nextafter pow rint round signbit sin sqrt tan "
     "tanh trunc"},
    {"compare", "partial_ordering strong_ordering weak_ordering"},
    {"concepts", "convertible_to derived_from floating_point integral invocable same_as"},
    {"condition_variable", "condition_variable condition_variable_any cv_status"},
    {"csetjmp", "jmp_buf longjmp"},
    {"csignal", "raise sig_atomic_t signal"},
    {"cstddef", "max_align_t nullptr_t ptrdiff_t to_integer"},
    {"cstddef span vector", "byte"},
    {"cstdint",
     "int16_t int32_t int64_t int8_t intmax_t intptr_t uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t"},
    {"cstdio", "fclose fflush fgets fopen fprintf fputs fread fwrite printf putchar puts rename snprintf"},
    {"cstdlib",
     "_Exit abort abs aligned_alloc atexit calloc exit free getenv malloc quick_exit realloc strtod strtol strtoull "
     "system"},
    {"cstring", "memchr memcmp memcpy memmove memset strchr strcmp strerror strlen strncmp strncpy strstr"},
    {"ctime", "clock clock_t gmtime localtime mktime strftime time time_t tm"},
    {"deque", "deque"},
    {"exception", "current_exception exception exception_ptr rethrow_exception terminate uncaught_exceptions"},
    {"filesystem", "errc error_code filesystem system_error"},
    {"fstream", "filebuf fstream ifstream ofstream string"},
    {"functional",
     "equal_to function greater greater_equal hash identity invoke less less_equal minus multiplies plus ref "
     "reference_wrapper"},
    {"future", "async future future_status launch packaged_task promise shared_future"},
    {"initializer_list string vector", "initializer_list"},
    {"iomanip", "get_time put_time quoted setfill setprecision setw"},
    {"fstream iomanip ios iosfwd iostream ostream sstream string string_view",
     "ios streambuf streamoff streampos streamsize"},
    {"fstream ios iostream ostream sstream",
     "boolalpha dec defaultfloat fixed hex internal left noskipws oct right "
     "scientific uppercase"},
    {"iostream", "cerr cin clog cout getline string"},
    {"fstream iosfwd iostream istream sstream", "istream ostream"},
    {"fstream iostream ostream sstream", "endl flush ostream"},
    {"iterator",
     "advance back_inserter front_inserter inserter istream_iterator istreambuf_iterator iterator_traits "
     "make_move_iterator make_reverse_iterator ostream_iterator ostreambuf_iterator reverse_iterator"},
    {"array filesystem iterator map set span string string_view vector",
     "begin cbegin cend data distance empty end next prev rbegin rend size ssize"},
    {"limits", "numeric_limits"},
    {"list", "list"},
    {"map", "map multimap pair"},
    {"memory",
     "addressof align allocator default_delete destroy_at enable_shared_from_this hash make_shared make_unique pair "
     "shared_ptr unique_ptr uninitialized_copy weak_ptr"},
    {"mutex",
     "adopt_lock call_once defer_lock lock_guard mutex once_flag recursive_mutex scoped_lock try_to_lock unique_lock"},
    {"new", "align_val_t bad_alloc launder nothrow"},
    {"numbers", "numbers"},
    {"numeric", "accumulate exclusive_scan gcd inclusive_scan inner_product iota lcm midpoint partial_sum reduce"},
    {"optional", "bad_optional_access nullopt nullopt_t optional"},
    {"optional utility variant", "in_place"},
    {"queue", "priority_queue queue"},
    {"random", "mt19937 mt19937_64 random_device uniform_int_distribution uniform_real_distribution"},
    {"ranges", "views"},
    {"regex",
     "cmatch cregex_iterator regex regex_constants regex_error regex_match regex_replace regex_search smatch "
     "sregex_iterator sregex_token_iterator string"},
    {"set", "multiset pair set"},
    {"shared_mutex", "shared_lock shared_mutex"},
    {"span", "as_bytes as_writable_bytes dynamic_extent span"},
    {"sstream", "getline istringstream ostringstream string stringstream"},
    {"stack", "stack"},
    {"stdexcept", "domain_error invalid_argument length_error logic_error out_of_range runtime_error string"},
    {"stop_token thread", "stop_callback stop_source stop_token"},
    {"string",
     "char_traits getline hash stod stof stoi stol stoll stoul stoull string string_literals string_view "
     "string_view_literals to_string u16string u32string u32string_view u8string wstring"},
    {"string_view", "hash string_view string_view_literals u32string_view"},
    {"filesystem", "string"},
    {"system_error", "errc error_category error_code generic_category make_error_code system_category system_error"},
    {"thread", "jthread this_thread thread"},
    {"tuple", "apply get ignore make_tuple tie tuple tuple_cat tuple_element_t tuple_size_v"},
    {"array map utility variant", "get tuple_size_v"},
    {"type_traits",
     "common_type_t conditional_t decay_t enable_if_t false_type integral_constant invoke_result_t "
     "is_arithmetic_v is_base_of_v is_const_v is_constructible_v is_convertible_v is_copy_constructible_v "
     "is_enum_v is_floating_point_v is_integral_v is_invocable_r_v is_invocable_v is_object_v is_same_v "
     "is_signed_v is_trivially_copyable_v is_trivially_destructible_v is_unsigned_v is_void_v make_signed_t "
     "make_unsigned_t remove_const_t remove_cv_t remove_cvref_t remove_pointer_t remove_reference_t "
     "true_type type_identity_t underlying_type_t"},
    {"typeinfo", "bad_cast type_info"},
    {"unordered_map", "unordered_map unordered_multimap"},
    {"unordered_set", "unordered_set"},
    {"utility",
     "as_const cmp_greater cmp_less declval exchange in_place_type index_sequence make_index_sequence make_pair "
     "pair piecewise_construct to_underlying unreachable"},
    {"map set vector", "pair"},
    {"variant", "bad_variant_access get_if holds_alternative monostate variant visit"},
    {"vector", "vector"},
};

using Providers = std::map<std::string, Names>;  // name -> headers, any of them

const Providers& providers() {
  static const Providers table = [] {
    Providers made;
    for (const auto& row : kProvided) {
      std::istringstream names(row.names);
      for (std::string name; names >> name;) {
        std::istringstream headers(row.headers);
        Names& known = made[name];
        for (std::string header; headers >> header;) known.insert(header);
      }
    }
    return made;
  }();
  return table;
}

// Where the literal or comment that begins at text[at] ends, or `at` if there is none.
std::size_t end_of_uncompiled(const std::string& text, std::size_t at) {
  const auto after = [&](std::size_t found, std::size_t length) {
    return found == std::string::npos ? text.size() : found + length;
  };
  if (text.compare(at, 2, "//") == 0) return after(text.find('\n', at), 0);
  if (text.compare(at, 2, "/*") == 0) return after(text.find("*/", at), 2);
  if (text.compare(at, 2, "R\"") == 0) {
    const std::size_t open = text.find('(', at);
    if (open == std::string::npos) return text.size();
    const std::string close = ")" + text.substr(at + 2, open - at - 2) + "\"";
    return after(text.find(close, open), close.size());
  }
  const bool separates_digits =
      text[at] == '\'' && at > 0 && std::isxdigit(static_cast<unsigned char>(text[at - 1])) != 0;
  if ((text[at] != '"' && text[at] != '\'') || separates_digits) return at;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
  return end + 1;
}

// The names after `scope`, such as "std::", outside of comments and literals.
Names names_after(const std::string& scope, const std::string& text) {
  const auto in_name = [&](std::size_t i) {
    return std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_';
  };
  Names names;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (const std::size_t end = end_of_uncompiled(text, at); end != at) {
      at = end - 1;
    } else if (text.compare(at, scope.size(), scope) == 0 && (at == 0 || !in_name(at - 1))) {
      std::size_t last = at += scope.size();
      while (last < text.size() && in_name(last)) ++last;
      names.insert(text.substr(at, last - at));
      at = last - 1;
    }
  }
  return names;
}

// Headers between `open` and `close` in the #include lines of a text.
Names included(const std::string& text, char open, char close) {
  Names headers;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(std::string("#include ") + open)) continue;
    const std::size_t begin = line.find(open) + 1;
    headers.insert(line.substr(begin, line.find(close, begin) - begin));
  }
  return headers;
}

class IncludeGraph {
 public:
  IncludeGraph() {
    for (const char* folder : {"src", "apps", "bench", "tests", "include", "examples"}) {
      for (const fs::path& file : sources_below(folder)) texts_[file] = text_of(file);
    }
  }

  const std::map<fs::path, std::string>& texts() const { return texts_; }

  // Library headers that a file includes, itself or through files of the project.
  Names library_headers(const fs::path& file) const {
    Names headers;
    std::set<fs::path> seen;
    visit(file, seen, headers);
    return headers;
  }

 private:
  void visit(const fs::path& file, std::set<fs::path>& seen, Names& headers) const {
    const auto found = texts_.find(file);
    if (found == texts_.end() || !seen.insert(file).second) return;
    for (const std::string& name : included(found->second, '<', '>')) {
      headers.insert(name);
      visit(source_folder() / "include" / name, seen, headers);
    }
    for (const std::string& name : included(found->second, '"', '"')) {
      for (const fs::path& folder : {source_folder() / "src", source_folder() / "apps", source_folder() / "bench",
                                     source_folder(), file.parent_path()}) {
        visit((folder / name).lexically_normal(), seen, headers);
      }
    }
  }

  std::map<fs::path, std::string> texts_;
};

bool has_any(const Names& headers, const Names& wanted) {
  for (const std::string& header : wanted) {
    if (headers.contains(header)) return true;
  }
  return wanted.empty();
}

// "<string>", "<istream> or <string>"
std::string any_of(const Names& headers) {
  std::string text;
  for (const std::string& header : headers) text += (text.empty() ? "<" : " or <") + header + ">";
  return text;
}

// The names of a text that no header provides.
std::vector<std::string> without_header(const std::string& text, const Names& headers) {
  std::vector<std::string> missing;
  for (const std::string& name : names_after("std::", text)) {
    const auto known = providers().find(name);
    if (known == providers().end()) {
      missing.push_back("std::" + name + ", which the table of this test lacks");
    } else if (!has_any(headers, known->second)) {
      missing.push_back("std::" + name + " without " + any_of(known->second));
    }
  }
  if (!names_after("nlohmann::", text).empty() && !has_any(headers, {"nlohmann/json.hpp", "nlohmann/json_fwd.hpp"})) {
    missing.push_back("nlohmann:: without <nlohmann/json.hpp>");
  }
  Names cli = names_after("CLI::", text);
  cli.erase("App");  // cli/command.h declares it
  std::erase_if(cli, [&](const std::string& name) { return text.find("\nclass " + name + ";") != std::string::npos; });
  if (!cli.empty() && !headers.contains("CLI/CLI.hpp")) missing.push_back("CLI:: without <CLI/CLI.hpp>");
  if (!names_after("testing::", text).empty() && !headers.contains("gtest/gtest.h")) {
    missing.push_back("testing:: without <gtest/gtest.h>");
  }
  return missing;
}

TEST(Includes, ProvideEveryNameOfTheStandardLibrary) {
  const IncludeGraph graph;
  EXPECT_GT(graph.texts().size(), 1000u) << "the source tree was not found";
  for (const auto& [file, text] : graph.texts()) {
    for (const std::string& missing : without_header(text, graph.library_headers(file))) {
      ADD_FAILURE() << fs::relative(file, source_folder()).string() << " uses " << missing;
    }
  }
}

TEST(Includes, AreMissedIfTheyAreAbsent) {
  const std::string text =
      "#include <vector>\n#include \"core/a.h\"\nstd::vector<std::optional<int>> x;  // std::map\n";
  EXPECT_EQ(included(text, '<', '>'), Names{"vector"});
  EXPECT_EQ(included(text, '"', '"'), Names{"core/a.h"});
  EXPECT_EQ(without_header(text, {"vector"}), std::vector<std::string>{"std::optional without <optional>"});
  EXPECT_TRUE(without_header(text, {"vector", "optional"}).empty());
  EXPECT_EQ(without_header("std::no_such_name", {}).size(), 1u);
  EXPECT_EQ(without_header("nlohmann::json j; CLI::Range r; testing::Test t;", {}).size(), 3u);
}

TEST(Includes, AreNotNeededForCommentsAndLiterals) {
  const std::string text =
      "// std::a\n/* std::b */ \"std::c \\\" std::d\" '\"' 1'000 std::vector R\"x(std::e\")x\" std::map";
  EXPECT_EQ(names_after("std::", text), (Names{"map", "vector"}));
}

}  // namespace
}  // namespace dhyan
