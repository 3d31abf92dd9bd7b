import assert from "node:assert/strict";
import test from "node:test";
import { entropy, meanOf, product, selfAttention, softmax, sum, withWeight, shrunk } from "../src/maths";

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 5e-5, `${a} is not ${b}`);

test("softmax is positive, sums to 1 and does not mind large energies", () => {
  const weights = softmax([1000, 1001, 999]);
  near(sum(weights), 1);
  near(weights[1], 0.6652);
  assert.deepEqual(softmax([2, 2]), [0.5, 0.5]);
});

test("entropy is 0 for one word read alone and log n for all alike", () => {
  near(entropy([0, 1, 0]), 0);
  near(entropy([0.25, 0.25, 0.25, 0.25]), Math.log(4));
});

test("setting a weight leaves the proportions of the others, and the sum at 1", () => {
  const row = withWeight([0.2, 0.6, 0.2], 0, 0.6);
  assert.deepEqual(
    row.map((weight) => weight.toFixed(6)),
    ["0.600000", "0.300000", "0.100000"],
  );
});

test("a weight taken from the only word read goes to the others alike", () => {
  assert.deepEqual(withWeight([1, 0, 0], 0, 0.5), [0.5, 0.25, 0.25]);
});

test("a weight beyond 0 and 1 is kept within", () => {
  assert.deepEqual(withWeight([0.5, 0.5], 0, 7), [1, 0]);
  assert.deepEqual(withWeight([0.5, 0.5], 0, -7), [0, 1]);
});

test("the mean of heads is the mean of each cell", () => {
  assert.deepEqual(meanOf([[[1, 0]], [[0, 1]]]), [[0.5, 0.5]]);
});

test("a product of matrices takes rows times columns", () => {
  assert.deepEqual(
    product(
      [[1, 2]],
      [
        [3, 4],
        [5, 6],
      ],
    ),
    [[13, 16]],
  );
});

test("the worked example of self-attention has its nine weights to four decimals", () => {
  const x = [
    [0.9, 0.1, 0.1],
    [0.1, 0.9, 0.1],
    [0.5, 0.5, 0.1],
  ];
  const one = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const wk = [
    [1, 0, 0],
    [0, 2, 0],
    [0, 0, 1],
  ];
  const { weights } = selfAttention(x, one, wk, one, true);
  const expected = [
    [0.4231, 0.2697, 0.3072],
    [0.1487, 0.6466, 0.2047],
    [0.2728, 0.4543, 0.2728],
  ];
  for (const [i, row] of expected.entries()) for (const [j, weight] of row.entries()) near(weights[i][j], weight);
});

test("a shrunk matrix keeps its size within bounds and its largest weights", () => {
  const matrix = Array.from({ length: 7 }, (_, i) =>
    Array.from({ length: 5 }, (_, j) => (i === 6 && j === 4 ? 1 : 0.1)),
  );
  const small = shrunk(matrix, 3);
  assert.deepEqual(small, [
    [0.1, 0.1, 0.1],
    [0.1, 0.1, 0.1],
    [0.1, 0.1, 1],
  ]);
  assert.equal(shrunk(matrix, 7), matrix);
});
