// Words with bars and numbers, the largest first or in the order of the sentence.
import { decimal } from "../numbers";

export interface Bar {
  word: string;
  value: number; // 0 to 1
  note?: string;
}

export function Bars({ bars, language, label }: { bars: Bar[]; language: string; label: string }) {
  return (
    <ol class="bars" aria-label={label}>
      {bars.map(({ word, value, note }, index) => (
        <li key={index} style={{ "--w": value }}>
          <span class="bar-word" lang={language} dir="auto">
            {word}
          </span>
          <span class="bar" aria-hidden="true" />
          <span class="bar-number">
            {decimal(value)}
            {note === undefined ? "" : ` ${note}`}
          </span>
        </li>
      ))}
    </ol>
  );
}
