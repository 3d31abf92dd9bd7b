// Prints the attention of one sentence, every layer and head, and draws it into a page:
//   attention_matrix MODEL SENTENCE PAGE.html
#include <dhyan/dhyan.h>
#include <fstream>
#include <iomanip>
#include <iostream>

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::cerr << "usage: attention_matrix MODEL SENTENCE PAGE.html\n";
    return 2;
  }
  const dhyan::Translator translator(argv[1]);
  const dhyan::Explanation seen = translator.explain(std::string(argv[2]));
  std::cout << seen.translation.text << '\n' << std::fixed << std::setprecision(3);
  for (const dhyan::AttentionHead& head : seen.heads) {
    if (head.place != dhyan::Place::kCross) continue;
    std::cout << "layer " << head.layer << ", head " << head.head << ": energy and weight of each source token\n";
    for (std::int64_t i = 0; i < head.weights.rows; ++i) {
      std::cout << std::setw(12) << seen.target_tokens[static_cast<std::size_t>(i)];
      for (std::int64_t j = 0; j < head.weights.cols; ++j) {
        std::cout << "  " << head.energy(i, j) << " -> " << head.weights(i, j);
      }
      std::cout << "  |c| = " << head.context.cols << " numbers\n";
    }
  }
  std::ofstream(argv[3]) << dhyan::draw(seen, {.format = "html"});
  return 0;
} catch (const dhyan::Error& error) {
  std::cerr << "attention_matrix: " << error.what() << '\n';
  return 1;
}
