import assert from "node:assert/strict";
import test from "node:test";
import { compareLinks, formatLinks, hardLinks, parseLinks } from "../src/alignment";
import { formatEdits, parseEdits, withEdit } from "../src/edits";
import { formatScene, freePlace, movedTo, parseScene } from "../src/scene";
import { formatGuesses, parseGuesses } from "../src/guesses";
import { unpacked } from "../src/packed";
import { formatVersions, parseVersions, withoutVersion, withVersion } from "../src/versions";
import { changesBetween, piecesOf, wordsKept } from "../src/words";

test("a text is cut into words, whose tokens are found by characters and not by UTF-16 units", () => {
  const pieces = piecesOf("😀 क्षमा!", [
    { text: "😀", begin: 0, end: 1 },
    { text: "क्", begin: 2, end: 4 },
    { text: "षमा!", begin: 4, end: 8 },
    { text: "</s>" },
  ]);
  assert.deepEqual(pieces, [
    { text: "😀", tokens: [0] },
    { text: " ", tokens: [] },
    { text: "क्षमा!", tokens: [1, 2] },
  ]);
});

test("a token that brings the space before it belongs to its word alone", () => {
  const pieces = piecesOf("I am", [
    { text: "I", begin: 0, end: 1 },
    { text: "am", begin: 1, end: 4 },
    { text: "</s>", begin: 4, end: 4 },
  ]);
  assert.deepEqual(
    pieces.map(({ tokens }) => tokens),
    [[0], [], [1]],
  );
});

test("changes of a translation are told by words", () => {
  const kinds = changesBetween("I am eating food", "I am eating rice").map(
    ({ kind, text }) => `${kind} ${text.trim()}`,
  );
  assert.deepEqual(kinds, ["same I am eating", "removed food", "added rice"]);
});

test("words are kept as often as they stand there", () => {
  assert.deepEqual(wordsKept("the cat and the dog", "The dog and a dog"), { kept: 3, of: 5 });
  assert.deepEqual(wordsKept("a b", ""), { kept: 0, of: 2 });
});

test("links outside the sentence are left out, and the rest come out sorted", () => {
  const links = parseLinks("2-0, 0-1 9-9 nonsense 0-0", 3, 2);
  assert.equal(formatLinks(links), "0-0 0-1 2-0");
});

test("a word that looks most at </s> has no link", () => {
  const links = hardLinks(
    [
      [0.9, 0.1, 0],
      [0.1, 0.2, 0.7],
      [0, 0, 1],
    ],
    2,
    2,
  );
  assert.deepEqual([...links], ["0-0"]);
});

test("the alignment error rate is 0 for the same links and 1 for none in common", () => {
  const gold = parseLinks("0-0 1-1", 2, 2);
  assert.deepEqual(compareLinks(gold, gold), { precision: 1, recall: 1, errorRate: 0 });
  assert.deepEqual(compareLinks(parseLinks("0-1", 2, 2), gold), { precision: 0, recall: 0, errorRate: 1 });
  assert.equal(compareLinks(parseLinks("0-0", 2, 2), gold).errorRate.toFixed(4), "0.3333");
});

test("edits survive the address, and the last one of a row counts", () => {
  const first = { step: 2, layer: 1, head: 3, weights: [0.25, 0.75] };
  const second = { step: 1, weights: [1, 0] };
  const edits = withEdit(withEdit([first], second), { ...first, weights: [0.5, 0.5] });
  assert.deepEqual(parseEdits(formatEdits(edits)), [second, { ...first, weights: [0.5, 0.5] }]);
  assert.deepEqual(parseEdits(""), []);
});

test("versions survive the address, whatever their words are", () => {
  const version = { prefix: "I; am|so,", required: ["a,b", "c"], forbidden: ["é|"] };
  const versions = withVersion(parseVersions(""), version);
  assert.deepEqual(parseVersions(formatVersions(versions)), versions);
  assert.equal(versions.all[1].parent, 0);
});

test("a version whose parent does not exist is left out", () => {
  assert.equal(parseVersions("5;7|x||").all.length, 1);
});

test("without a version, those after it have their parents still, and its parent is the current one", () => {
  const version = (parent: number, prefix: string) => ({ parent, prefix, required: [], forbidden: [] });
  const all = [version(-1, ""), version(0, "a"), version(0, "b"), version(1, "c"), version(3, "d")];
  const { all: rest, current } = withoutVersion({ all, current: 2 }, 2);
  assert.deepEqual(rest, [version(-1, ""), version(0, "a"), version(1, "c"), version(2, "d")]);
  assert.equal(current, 0);
  assert.equal(withoutVersion({ all, current: 4 }, 4).current, 3);
});

test("guesses survive the address, and those outside the sentence are left out", () => {
  const guesses = { words: [1, undefined, 0], revealed: true };
  assert.deepEqual(parseGuesses(formatGuesses(guesses), 3, 2), guesses);
  assert.deepEqual(parseGuesses("5,-1,x,1", 3, 2), { words: [undefined, undefined, undefined], revealed: false });
  assert.equal(formatGuesses({ words: [undefined, undefined], revealed: false }), "");
});

test("packed rows are unpacked as little-endian float32", () => {
  const float32 = Buffer.from(new Float32Array([0.25, 0.75, 1, 0, 0.5, 0.5]).buffer).toString("base64");
  const rows = [
    [0.25, 0.75, 1],
    [0, 0.5, 0.5],
  ];
  assert.deepEqual(unpacked({ shape: [2, 3], float32 }), rows);
  assert.deepEqual(unpacked(rows), rows);
});

// Addresses come from anywhere: whatever stands in them is read without an error, and what was read is read again.
test("any text is read as edits, versions, scenes, links and guesses", () => {
  const characters = [...";,:|.!-019aé%E0 \u0915😀"];
  let state = 1;
  const random = (below: number) => {
    state = (state * 48271) % 0x7fffffff;
    return state % below;
  };
  for (let round = 0; round < 20000; ++round) {
    const text = Array.from({ length: random(24) }, () => characters[random(characters.length)]).join("");
    const edits = parseEdits(text);
    assert.ok(
      edits.every(({ step, weights }) => Number.isInteger(step) && weights.length > 0),
      text,
    );
    const versions = parseVersions(text);
    assert.ok(versions.current in versions.all, text);
    assert.ok(
      versions.all.every(({ parent }, number) => parent < number),
      text,
    );
    assert.deepEqual(parseVersions(formatVersions(versions)), versions, text);
    const scene = parseScene(text);
    assert.deepEqual(parseScene(formatScene(scene)), scene, text);
    const links = parseLinks(text, 3, 3);
    assert.deepEqual(parseLinks(formatLinks(links), 3, 3), links, text);
    const { words } = parseGuesses(text, 4, 3);
    assert.ok(words.length === 4 && words.every((word) => word === undefined || word < 3), text);
  }
});

test("a new shape is put where no other is", () => {
  const object = (x: number, y: number) => ({ figure: "circle", colour: "red", size: "large", x, y });
  assert.deepEqual(freePlace([object(12, 12)]), { x: 52, y: 52 });
  for (const scene of [
    [object(32, 32), object(32, 12)],
    [object(16, 32), object(48, 32)],
  ]) {
    const { x, y } = freePlace(scene);
    for (const other of scene) assert.ok(Math.hypot(x - other.x, y - other.y) > 20);
  }
});

test("a scene survives the address, and its objects stay in the picture", () => {
  const objects = [{ figure: "circle", colour: "red", size: "large", x: 20, y: 30 }];
  assert.deepEqual(parseScene(formatScene(objects)), objects);
  assert.deepEqual(movedTo(objects[0], -50, 500), { ...objects[0], x: 12, y: 52 });
});
