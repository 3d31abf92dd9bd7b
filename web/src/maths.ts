// The arithmetic that the page lets people try: all of it is small enough to be done by hand.

export const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

export function softmax(energies: number[]): number[] {
  const most = Math.max(...energies);
  const exponentials = energies.map((energy) => Math.exp(energy - most));
  const total = sum(exponentials);
  return exponentials.map((exponential) => exponential / total);
}

export function entropy(weights: number[]): number {
  let total = 0;
  for (const weight of weights) if (weight > 0) total -= weight * Math.log(weight);
  return total;
}

// The nearest number of a range, which may be open.
export const within = (value: number, least = -Infinity, most = Infinity): number =>
  Math.min(Math.max(value, least), most);

export const argmax = (numbers: number[]): number => numbers.indexOf(Math.max(...numbers));

// The row with one weight set; the others keep their proportions, and all sum to 1.
export function withWeight(row: number[], at: number, weight: number): number[] {
  const set = Math.min(Math.max(weight, 0), 1);
  const rest = sum(row) - row[at];
  return row.map((old, j) => {
    if (j === at) return set;
    return rest > 0 ? (old / rest) * (1 - set) : (1 - set) / (row.length - 1);
  });
}

export function meanOf(matrices: number[][][]): number[][] {
  return matrices[0].map((row, i) =>
    row.map((_, j) => {
      let total = 0;
      for (const matrix of matrices) total += matrix[i][j];
      return total / matrices.length;
    }),
  );
}

// A matrix of at most so many rows and columns: each weight is the largest of those it stands for, so that none is lost.
export function shrunk(matrix: number[][], most: number): number[][] {
  const [rows, columns] = [matrix.length, matrix[0].length];
  if (rows <= most && columns <= most) return matrix;
  const [height, width] = [Math.min(rows, most), Math.min(columns, most)];
  const small = Array.from({ length: height }, () => new Array<number>(width).fill(0));
  matrix.forEach((row, i) => {
    const into = small[Math.floor((i * height) / rows)];
    for (let j = 0; j < columns; ++j) {
      const at = Math.floor((j * width) / columns);
      if (row[j] > into[at]) into[at] = row[j];
    }
  });
  return small;
}

export const transpose = (matrix: number[][]): number[][] => matrix[0].map((_, j) => matrix.map((row) => row[j]));

export function product(a: number[][], b: number[][]): number[][] {
  const columns = transpose(b);
  return a.map((row) => columns.map((column) => sum(row.map((value, k) => value * column[k]))));
}

// Self-attention on rows X. On the left, Q = W X, as in the text that the worked example comes from; on the right,
// Q = X W, as in every model.
export function selfAttention(x: number[][], wq: number[][], wk: number[][], wv: number[][], left: boolean) {
  const times = (w: number[][]) => (left ? product(w, x) : product(x, w));
  const [q, k, v] = [times(wq), times(wk), times(wv)];
  const energies = product(q, transpose(k));
  const weights = energies.map(softmax);
  return { q, k, v, energies, weights, contexts: product(weights, v) };
}
