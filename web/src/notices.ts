// What a reader of a translation must know, or takes it for better than it is.
import type { Sentence, Token } from "./server";
import { type Key, t } from "./texts";

const kNotices: { key: Key; holds: (sentence: Sentence) => boolean }[] = [
  { key: "notice.unknown", holds: ({ mostly_unknown }) => mostly_unknown },
  { key: "notice.source_cut", holds: ({ source_cut }) => source_cut },
  { key: "notice.cut", holds: ({ finished }) => !finished },
];

// Of several sentences, each notice says which it is about.
export function noticesOf(sentences: Sentence[]): string[] {
  return kNotices.flatMap(({ key, holds }) => {
    const numbers = sentences.flatMap((sentence, index) => (holds(sentence) ? [index + 1] : []));
    if (numbers.length === 0) return [];
    return sentences.length === 1 ? t(key) : t("notice.of", { numbers: numbers.join(", "), notice: t(key) });
  });
}

// The words, or parts of words, that the model has never seen, in the order of the sentence.
export const unknownWords = (text: string, tokens: Token[]): string[] => {
  const characters = [...text];
  const words = tokens.flatMap(({ unknown = [] }) =>
    unknown.map(([begin, end]) => characters.slice(begin, end).join("")),
  );
  return [...new Set(words.map((word) => word.trim()))].filter((word) => word !== "");
};
