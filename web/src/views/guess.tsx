// Guess first: which source word will the model read for each word it writes?
import { chosenWeights, withWords } from "../chosen_map";
import { formatGuesses, type Guesses, parseGuesses } from "../guesses";
import { argmax } from "../maths";
import { AnyMap } from "../parts/big_map";
import { useSaid } from "../said";
import { guesses } from "../state";
import { t } from "../texts";
import type { ViewProps } from "../view";

export function GuessView({ model, explanation }: ViewProps) {
  const map = withWords(explanation, model, "cross", chosenWeights(explanation, "cross", "")!);
  const { words, revealed } = parseGuesses(guesses.value, map.rows.length, map.columns.length);
  const made = words.filter((word) => word !== undefined).length;
  const right = words.filter((word, i) => word === argmax(map.weights[i])).length;
  const set = (next: Guesses) => (guesses.value = formatGuesses(next));
  const mark = (i: number, j: number) => {
    if (words[i] !== j) return "";
    return !revealed ? "guess" : j === argmax(map.weights[i]) ? "right" : "wrong";
  };
  const guess = (i: number, j: number) => {
    if (!revealed) set({ words: words.map((old, row) => (row !== i ? old : old === j ? undefined : j)), revealed });
  };
  const result = revealed ? t("guess.score", { right, made }) : t("guess.made", { made, of: map.rows.length });
  useSaid(made === 0 ? "" : result);
  return (
    <div>
      <AnyMap map={map} label={t("guess.label")} hidden={!revealed} mark={mark} onCell={guess} />
      <p class="fields">
        <button
          type="button"
          class="main"
          disabled={made === 0 || revealed}
          onClick={() => set({ words, revealed: true })}
        >
          {t("guess.reveal")}
        </button>
        <button type="button" onClick={() => (guesses.value = "")}>
          {t("guess.again")}
        </button>
        <span class="result">{result}</span>
      </p>
    </div>
  );
}
