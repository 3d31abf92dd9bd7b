import assert from "node:assert/strict";
import test from "node:test";
import { fromSource, ofPair, reverseOf, sourcesOf, targetsOf, toTarget } from "../src/pairs";
import type { ModelInfo } from "../src/server";

const model = (id: string, source: string, target: string, kind = "recurrent"): ModelInfo => ({
  id,
  task: "translate",
  kind,
  source,
  target,
  attends: ["cross"],
  checkpoints: [],
});

const kModels = [
  model("a", "hi", "en"),
  model("b", "hi", "en", "transformer"),
  model("c", "fr", "en"),
  model("d", "fr", "en", "transformer"),
  model("e", "en", "fr"),
  model("f", "hi", "fr"),
];

const [a, b, c, , e] = kModels;

test("languages are those of the models, each once", () => {
  assert.deepEqual(sourcesOf(kModels), ["hi", "fr", "en"]);
  assert.deepEqual(targetsOf(kModels, "hi"), ["en", "fr"]);
  assert.deepEqual(
    ofPair(kModels, b).map(({ id }) => id),
    ["a", "b"],
  );
});

test("another source keeps the target and the kind of model if it can", () => {
  assert.equal(fromSource(kModels, a, "fr").id, "c");
  assert.equal(fromSource(kModels, b, "fr").id, "d");
});

test("the target chosen as the source turns the languages round, or finds another target", () => {
  assert.equal(fromSource(kModels, c, "en").id, "e");
  assert.equal(fromSource(kModels, e, "hi").id, "f");
  assert.equal(fromSource(kModels, a, "en").id, "e");
});

test("another target keeps the source", () => {
  assert.equal(toTarget(kModels, a, "fr").id, "f");
  assert.equal(toTarget(kModels, a, "de").id, "a");
});

test("only a pair with a model the other way has a reverse", () => {
  assert.equal(reverseOf(kModels, e)?.id, "c");
  assert.equal(reverseOf(kModels, a), undefined);
  assert.equal(reverseOf([model("x", "", "")], model("x", "", "")), undefined);
});
