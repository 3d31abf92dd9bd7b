// What the page says, in the reader's language. Both tables have the same keys; the compiler sees to it.
import { language } from "./state";
import { english } from "./texts/english";
import { hindi } from "./texts/hindi";

export type Key = keyof typeof english;
export type Texts = Record<Key, string>;

const tables: Record<"en" | "hi", Texts> = { en: english, hi: hindi };

// A text with its {values} filled in.
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const text = (tables[language.value] ?? english)[key];
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}
