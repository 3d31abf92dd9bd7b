// Texts for display.
import { diffWordsWithSpace } from "diff";
import type { Explanation, Token } from "./server";

export interface Piece {
  text: string;
  tokens: number[]; // that make it; none of white space
}

// A text as its words and the white space between them. Words are not cut at their tokens, which may begin in the middle
// of a letter. Offsets count characters (code points), not UTF-16 units.
export function piecesOf(text: string, tokens: Token[]): Piece[] {
  let end = 0;
  return (text.match(/\s+|\S+/gu) ?? []).map((piece) => {
    const begin = end;
    end += [...piece].length;
    if (piece.trim() === "") return { text: piece, tokens: [] };
    const touches = (token: Token) => (token.begin ?? Infinity) < end && (token.end ?? 0) > begin;
    return { text: piece, tokens: tokens.flatMap((token, number) => (touches(token) ? [number] : [])) };
  });
}

// A piece of a word that starts with a sign that belongs to the letter before it, such as a Devanagari vowel: alone, it
// is drawn with a dotted circle.
export function isPartOfLetter(text: string): boolean {
  return /^\p{M}/u.test(text);
}

export interface Change {
  text: string;
  kind: "same" | "added" | "removed";
}

export function changesBetween(before: string, after: string): Change[] {
  return diffWordsWithSpace(before, after).map(({ value, added, removed }) => ({
    text: value,
    kind: added ? "added" : removed ? "removed" : "same",
  }));
}

// Words without </s>, which is the last token if there is one: what can be linked and guessed.
export const isEnd = (token: Token): boolean => token.text === "</s>";
export const wordCount = (tokens: Token[]): number => tokens.filter((token) => !isEnd(token)).length;

export const labels = (tokens: Token[]): string[] => tokens.map((token) => token.text);

// The first subword step of a word, both from 1.
export function subwordStep(words: Explanation, subwords: Explanation, wordStep: number): number {
  const begin = words.target_tokens[wordStep - 1]?.begin;
  if (begin === undefined) return subwords.target_tokens.length;
  const found = subwords.target_tokens.findIndex((token) => (token.end ?? Infinity) > begin);
  return found < 0 ? subwords.target_tokens.length : found + 1;
}

// How many words of `expected` a text has, each counted as often as it stands there.
export function wordsKept(expected: string, text: string): { kept: number; of: number } {
  const split = (line: string) =>
    line
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
  const left = split(text);
  let kept = 0;
  for (const word of split(expected)) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    kept += 1;
  }
  return { kept, of: split(expected).length };
}
