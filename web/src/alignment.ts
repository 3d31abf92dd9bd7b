// Links between words, as people and heads make them.
import { argmax } from "./maths";

export type Links = Set<string>; // "0-1": source word 0 and target word 1

// Reads Pharaoh's format; what is no link within the sentence is left out.
export function parseLinks(text: string, sources: number, targets: number): Links {
  const links: Links = new Set();
  for (const [, i, j] of text.matchAll(/(\d+)-(\d+)/g)) {
    if (Number(i) < sources && Number(j) < targets) links.add(`${Number(i)}-${Number(j)}`);
  }
  return links;
}

export function formatLinks(links: Links): string {
  const pairs = [...links].map((link) => link.split("-").map(Number));
  return pairs
    .sort(([i, j], [k, l]) => i - k || j - l)
    .map((pair) => pair.join("-"))
    .join(" ");
}

// Each target word is linked to the source word it looks at most; none if that is </s>. The last row and column are
// those of </s>.
export function hardLinks(weights: number[][], sources: number, targets: number): Links {
  const links: Links = new Set();
  for (const [j, row] of weights.slice(0, targets).entries()) {
    const i = argmax(row);
    if (i < sources) links.add(`${i}-${j}`);
  }
  return links;
}

export interface Agreement {
  precision: number;
  recall: number;
  errorRate: number; // AER: 1 - 2 |A and G| / (|A| + |G|)
}

export function compareLinks(made: Links, gold: Links): Agreement {
  const both = [...made].filter((link) => gold.has(link)).length;
  const ratio = (of: number) => (of > 0 ? both / of : 0);
  const all = made.size + gold.size;
  return { precision: ratio(made.size), recall: ratio(gold.size), errorRate: all > 0 ? 1 - (2 * both) / all : 0 };
}
