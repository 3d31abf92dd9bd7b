// A sentence to begin with, so that the page is never empty.
import { useEffect } from "preact/hooks";
import type { Example, ModelInfo } from "./server";
import * as state from "./state";

const kFirst: Record<string, string> = {
  hi: "मैं खाना खा रहा हूँ",
  fr: "je vais manger",
  de: "ein Mann liest ein Buch",
  en: "I am eating food",
};

let begun = false; // what a person empties stays empty

export function useFirstSentence(model: ModelInfo | undefined, examples: Example[] | null): void {
  useEffect(() => {
    const first = kFirst[model?.source ?? ""] ?? examples?.[0]?.source;
    if (begun || first === undefined) return;
    if (state.text.value === "") state.text.value = first;
    begun = true;
  }, [model?.id, examples]);
}

// Whether the page chose this text, or offered it.
export const isOffered = (text: string, examples: Example[]): boolean =>
  Object.values(kFirst).includes(text) || examples.some(({ source }) => source === text);

// For a source in another language.
export function beginAgain(language: string): void {
  state.text.value = kFirst[language] ?? "";
  begun = state.text.value !== ""; // else with its first example, once it is known
}
