// Words on both sides, and a line for each weight: the thicker and darker, the greater.
import { decimal } from "../numbers";
import type { Map } from "./attention_grid";

const kLine = 30; // pixels of a word's height
const kWidth = 260;

interface LinePictureProps {
  map: Map;
  least: number; // lines with smaller weights are left out
  row: number | undefined; // the lines of other words are faint
  pick: (row: number) => void;
  label: string;
}

function curve(from: number, to: number): string {
  const [y1, y2] = [(from + 0.5) * kLine, (to + 0.5) * kLine];
  return `M0 ${y1}C${kWidth / 2} ${y1} ${kWidth / 2} ${y2} ${kWidth} ${y2}`;
}

export function LinePicture({ map, least, row, pick, label }: LinePictureProps) {
  const height = kLine * Math.max(map.rows.length, map.columns.length);
  const lines = map.weights.flatMap((weights, i) =>
    weights.map((weight, j) => ({ i, j, weight })).filter(({ weight }) => weight >= least),
  );
  const isOther = (i: number) => row !== undefined && i !== row;
  lines.sort((a, b) => Number(isOther(b.i)) - Number(isOther(a.i))); // what is faint lies below
  return (
    <div class="line-picture" role="group" aria-label={label}>
      <ol class="line-words from" lang={map.columnLanguage} style={{ "--row": `${kLine}px` }}>
        {map.columns.map((word, j) => (
          <li key={j} dir="auto">
            {word}
          </li>
        ))}
      </ol>
      <svg height={height} viewBox={`0 0 ${kWidth} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {lines.map(({ i, j, weight }) => (
          <path
            key={`${i} ${j}`}
            class={isOther(i) ? "other" : ""}
            d={curve(j, i)}
            style={{ opacity: 0.15 + 0.85 * weight, strokeWidth: 1 + 5 * weight }}
          />
        ))}
      </svg>
      <ol class="line-words to" lang={map.rowLanguage} style={{ "--row": `${kLine}px` }}>
        {map.rows.map((word, i) => (
          <li key={i}>
            <button
              type="button"
              dir="auto"
              aria-pressed={row === i}
              aria-label={`${word} ← ${lines
                .filter((line) => line.i === i)
                .map(({ j, weight }) => `${map.columns[j]} ${decimal(weight)}`)
                .join(", ")}`}
              onClick={() => pick(i)}
            >
              {word}
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
