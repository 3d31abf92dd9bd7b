// Numbers as the reader's language writes them.
import { language } from "./state";

const formats = new Map<string, Intl.NumberFormat>();

export function decimal(value: number, digits = 2): string {
  const key = `${language.value} ${digits}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(language.value, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      signDisplay: "negative", // no −0
    });
    formats.set(key, format);
  }
  return format.format(value).replace("-", "−");
}

export const percent = (value: number): string =>
  new Intl.NumberFormat(language.value, { style: "percent", maximumFractionDigits: 0 }).format(value);

// With its sign, for changes.
export const signed = (value: number, digits = 2): string => {
  const text = decimal(value, digits);
  return Number(value.toFixed(digits)) > 0 ? `+${text}` : text;
};
