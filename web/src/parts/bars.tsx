// Words with bars and numbers, the largest first or in the order of the sentence.
import { decimal } from "../numbers";

export interface Bar {
  word: string;
  value: number; // 0 to 1
  note?: string;
}

interface BarsProps {
  bars: Bar[];
  language: string;
  label: string;
  digits?: number;
}

export function Bars({ bars, language, label, digits = 2 }: BarsProps) {
  return (
    <ol class="bars" aria-label={label}>
      {bars.map(({ word, value, note }, index) => (
        <li key={index} style={{ "--w": value }}>
          <span class="bar-word" lang={language} dir="auto">
            {word}
          </span>
          <span class="bar" aria-hidden="true" />
          <span class="bar-number">
            {decimal(value, digits)}
            {note === undefined ? "" : ` ${note}`}
          </span>
        </li>
      ))}
    </ol>
  );
}
