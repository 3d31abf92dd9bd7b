// Was it all read? How much of the attention each source word got.
import { chosenWeights } from "../chosen_map";
import { sum } from "../maths";
import { decimal } from "../numbers";
import { t } from "../texts";
import type { ViewProps } from "../view";
import { isEnd } from "../words";

const kHardlyRead = 0.3; // of the mean
const kReadTwice = 1.8;

export function CoverageView({ model, explanation }: ViewProps) {
  const weights = chosenWeights(explanation, "cross", "")!;
  const coverage = explanation.coverage ?? explanation.source_tokens.map((_, j) => sum(weights.map((row) => row[j])));
  const covered = explanation.source_tokens.map((token, j) => ({ token, value: coverage[j] }));
  const words = covered.filter(({ token }) => !isEnd(token));
  const ends = covered.filter(({ token }) => isEnd(token));
  const most = Math.max(...coverage);
  const mean = weights.length / coverage.length; // each step shares out 1
  const is_hardly = (value: number) => value < kHardlyRead * mean;
  const is_twice = (value: number) => value > kReadTwice * mean;
  const verdict = (value: number) =>
    is_hardly(value) ? t("coverage.hardly") : is_twice(value) ? t("coverage.twice") : t("coverage.read");
  return (
    <>
      <ol class="columns" lang={model.source} aria-label={t("coverage.label")} style={{ "--mean": mean / most }}>
        {words.map(({ token, value }, j) => (
          <li key={j} class={is_hardly(value) || is_twice(value) ? "flagged" : ""}>
            <span class="column-word" dir="auto">
              {token.text}
            </span>
            <span class="column-space" aria-hidden="true">
              <span class="column-bar" style={{ "--w": value / most }} />
            </span>
            <span class="column-number">{decimal(value)}</span>
            <small>{verdict(value)}</small>
          </li>
        ))}
      </ol>
      <p class="note">
        {t("coverage.mean", {
          steps: weights.length,
          sum: decimal(sum(words.map(({ value }) => value))),
          end: decimal(sum(ends.map(({ value }) => value))),
          mean: decimal(mean),
        })}
      </p>
    </>
  );
}
