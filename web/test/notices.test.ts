import assert from "node:assert/strict";
import test from "node:test";
import { noticesOf, unknownWords } from "../src/notices";
import type { Sentence, Token } from "../src/server";

const kFine: Sentence = {
  source: "a",
  text: "b",
  log_probability: -1,
  finished: true,
  source_cut: false,
  mostly_unknown: false,
};

test("a translation of known words that ended has no notices", () => {
  assert.deepEqual(noticesOf([kFine, kFine]), []);
});

test("a guess and a translation that was cut off are said to be so", () => {
  const [unknown, cut, ...others] = noticesOf([{ ...kFine, finished: false, mostly_unknown: true }]);
  assert.match(unknown, /^The model knows few of these words/);
  assert.match(cut, /^The translation was cut off/);
  assert.deepEqual(others, []);
});

test("of several sentences, a notice says which it is about", () => {
  const cut = { ...kFine, finished: false };
  assert.match(noticesOf([cut, kFine, cut])[0], /^Sentence 1, 3: The translation was cut off/);
});

test("unknown words are cut out of the sentence by characters, each once", () => {
  const tokens = [
    { text: "😀", begin: 0, end: 1, unknown: [[0, 1]] },
    { text: "मैं", begin: 2, end: 5 },
    { text: "हूँ।", begin: 6, end: 10, unknown: [[9, 10]] },
    { text: "<unk>", begin: 10, end: 15, unknown: [[10, 15]] },
    { text: "<unk>", begin: 15, end: 17, unknown: [[15, 17]] },
    { text: "</s>" },
  ] satisfies Token[];
  assert.deepEqual(unknownWords("😀 मैं हूँ। asdf 😀", tokens), ["😀", "।", "asdf"]);
});
