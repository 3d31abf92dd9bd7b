import assert from "node:assert/strict";
import test from "node:test";
import { english } from "../src/texts/english";
import { hindi } from "../src/texts/hindi";
import { views } from "../src/views";

const values = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort();

test("both languages have the same texts, with the same values in them", () => {
  assert.deepEqual(Object.keys(hindi).sort(), Object.keys(english).sort());
  for (const [key, text] of Object.entries(english)) {
    assert.deepEqual(values(hindi[key as keyof typeof english]), values(text), key);
    assert.notEqual(text.trim(), "", key);
  }
});

test("every view has a name and a line that says how to read it", () => {
  for (const { id } of views) {
    assert.ok(`view.${id}` in english, id);
    assert.ok(`how.${id}` in english, id);
  }
});

test("Hindi texts are in Hindi", () => {
  for (const [key, text] of Object.entries(hindi)) {
    if (text !== english[key as keyof typeof english]) assert.match(text, /\p{Script=Devanagari}/u, key);
  }
  const same = Object.keys(hindi).filter(
    (key) => hindi[key as keyof typeof english] === english[key as keyof typeof english],
  );
  assert.deepEqual(same, ["compare.log_p"]);
});
