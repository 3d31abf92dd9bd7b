// Describes pictures and shows where the model looks while it writes the caption of the first:
//   caption_picture MODEL PAGE.html PICTURE...
#include <dhyan/dhyan.h>
#include <fstream>
#include <iostream>

int main(int argc, char** argv) try {
  if (argc < 4) {
    std::cerr << "usage: caption_picture MODEL PAGE.html PICTURE...\n";
    return 2;
  }
  const dhyan::Translator captioner(argv[1]);
  std::vector<dhyan::Picture> pictures;
  for (int i = 3; i < argc; ++i) pictures.push_back({.file = argv[i]});

  for (const dhyan::Captions& picture : captioner.caption(pictures, {.beam_size = 3, .n_best = 1})) {
    std::cout << picture.name << '\t' << (picture.failure.empty() ? picture.n_best.front().text : picture.failure)
              << '\n';
  }
  std::ofstream(argv[2]) << dhyan::draw(captioner.explain(pictures.front()), {.format = "html"});
  return 0;
} catch (const dhyan::Error& error) {
  std::cerr << "caption_picture: " << error.what() << '\n';
  return 1;
}
