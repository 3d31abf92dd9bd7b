// Guesses, as they are kept in the address: the source word of each written word, from 0, apart by ","; "!" before them
// once the weights are revealed.
export interface Guesses {
  words: (number | undefined)[]; // of each row
  revealed: boolean;
}

export function parseGuesses(text: string, rows: number, columns: number): Guesses {
  const revealed = text.startsWith("!");
  const given = text.slice(revealed ? 1 : 0).split(",");
  const words = Array.from({ length: rows }, (_, row) => {
    const number = /^\d+$/.test(given[row] ?? "") ? Number(given[row]) : columns;
    return number < columns ? number : undefined;
  });
  return { words, revealed };
}

export function formatGuesses({ words, revealed }: Guesses): string {
  if (words.every((word) => word === undefined)) return "";
  return (revealed ? "!" : "") + words.map((word) => word ?? "").join(",");
}
