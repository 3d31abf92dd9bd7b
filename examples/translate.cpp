// Translates the lines of standard input, each with its score and the alignment of its words:
//   translate MODEL < text
#include <dhyan/dhyan.h>
#include <iostream>

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: translate MODEL < text\n";
    return 2;
  }
  const dhyan::Translator translator(argv[1]);
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) lines.push_back(line);

  const dhyan::TranslateOptions options{.beam_size = 6, .n_best = 2, .details = dhyan::Details::kAttention};
  for (const dhyan::NBest& n_best : translator.translate(lines, options)) {
    for (const dhyan::Translation& one : n_best) {
      std::cout << one.score << '\t' << one.text << '\t';
      for (const dhyan::Link& link : one.alignment) std::cout << link.source << '-' << link.target << ' ';
      std::cout << '\n';
    }
  }
  return 0;
} catch (const dhyan::Error& error) {
  std::cerr << "translate: " << error.what() << '\n';
  return 1;
}
