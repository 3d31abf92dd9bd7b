// Guess first: which source word will the model read for each word it writes?
import { useState } from "preact/hooks";
import { chosenWeights, withWords } from "../chosen_map";
import { argmax } from "../maths";
import { AttentionGrid } from "../parts/attention_grid";
import { useSaid } from "../said";
import { t } from "../texts";
import type { ViewProps } from "../view";

export function GuessView({ model, explanation }: ViewProps) {
  const map = withWords(explanation, model, "cross", chosenWeights(explanation, "cross", "")!);
  const sentence = `${explanation.source} ${explanation.translation}`;
  return <Guessing key={sentence} map={map} />;
}

function Guessing({ map }: { map: ReturnType<typeof withWords> }) {
  const [guesses, setGuesses] = useState<(number | undefined)[]>(map.rows.map(() => undefined));
  const [revealed, setRevealed] = useState(false);
  const made = guesses.filter((guess) => guess !== undefined).length;
  const right = guesses.filter((guess, i) => guess === argmax(map.weights[i])).length;
  const mark = (i: number, j: number) => {
    if (guesses[i] !== j) return "";
    return !revealed ? "guess" : j === argmax(map.weights[i]) ? "right" : "wrong";
  };
  const guess = (i: number, j: number) => {
    if (!revealed) setGuesses(guesses.map((old, row) => (row !== i ? old : old === j ? undefined : j)));
  };
  const again = () => {
    setGuesses(map.rows.map(() => undefined));
    setRevealed(false);
  };
  const result = revealed ? t("guess.score", { right, made }) : t("guess.made", { made, of: map.rows.length });
  useSaid(made === 0 ? "" : result);
  return (
    <div>
      <AttentionGrid map={map} label={t("guess.label")} hidden={!revealed} mark={mark} onCell={guess} />
      <p class="fields">
        <button type="button" class="main" disabled={made === 0 || revealed} onClick={() => setRevealed(true)}>
          {t("guess.reveal")}
        </button>
        <button type="button" onClick={again}>
          {t("guess.again")}
        </button>
        <span class="result">{result}</span>
      </p>
    </div>
  );
}
