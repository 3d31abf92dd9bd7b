// What the page says, in the reader's language. Both tables have the same keys; the compiler sees to it.
import type { ComponentChildren } from "preact";
import { language } from "./state";
import { english } from "./texts/english";
import { hindi } from "./texts/hindi";

export type Key = keyof typeof english;
export type Texts = Record<Key, string>;

const tables: Record<"en" | "hi", Texts> = { en: english, hi: hindi };

const textOf = (key: Key): string => (tables[language.value] ?? english)[key];

// A text with its {values} filled in.
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return textOf(key).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

// The same with elements filled in, such as words that are not in the reader's language.
export function phrase(key: Key, values: Record<string, ComponentChildren>): ComponentChildren[] {
  return textOf(key)
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : values[part]));
}
