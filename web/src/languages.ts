import { language } from "./state";

// "hi": Hindi, or हिन्दी on the Hindi page.
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([language.value], { type: "language" }).of(code) ?? code;
  } catch {
    return code; // a model may call its language anything
  }
}
