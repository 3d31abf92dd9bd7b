import { language } from "./state";
import { t } from "./texts";

// "hi": Hindi, or हिन्दी on the Hindi page.
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([language.value], { type: "language" }).of(code) ?? code;
  } catch {
    return code; // a model may call its language anything
  }
}

// Of a model, which may not have recorded it.
export const nameOf = (code: string): string => (code === "" ? t("composer.no_language") : languageName(code));
