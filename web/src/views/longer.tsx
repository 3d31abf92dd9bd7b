// Make it longer: a sentence grows clause by clause, and two models translate each length.
import { useAnswer } from "../ask";
import { percent } from "../numbers";
import { comparedModel, OtherModelChoice } from "../parts/other_model";
import { Trouble } from "../parts/trouble";
import { Wide } from "../parts/wide";
import { Word } from "../parts/word";
import type { Example, ModelInfo } from "../server";
import * as state from "../state";
import { phrase, t } from "../texts";
import type { ViewProps } from "../view";
import { wordsKept } from "../words";

interface Translations {
  translations: { text: string }[];
}

const kAnd: Record<string, string> = { hi: "और", en: "and", fr: "et", de: "und", es: "y" };
const kMostClauses = 12;

const ask = (texts: string[], model: ModelInfo) => ({ q: texts, model: model.id, beam_size: state.beam.value });

export function LongerView({ model, explanation, examples }: ViewProps) {
  const clauses =
    state.clauses.value === "" ? [explanation.source] : [explanation.source, ...state.clauses.value.split("\n")];
  const other = comparedModel(model);
  return (
    <div>
      <Clauses clauses={clauses} examples={examples} language={model.source} />
      {other === undefined ? <p>{t("compare.none")}</p> : <Lengths clauses={clauses} model={model} other={other} />}
    </div>
  );
}

function Clauses({ clauses, examples, language }: { clauses: string[]; examples: Example[]; language: string }) {
  const unused = examples.filter(({ source }) => !clauses.includes(source) && source.split(" ").length < 9);
  const set = (added: string[]) => (state.clauses.value = added.join("\n"));
  return (
    <p class="fields">
      <button
        type="button"
        class="main"
        disabled={unused.length === 0 || clauses.length >= kMostClauses}
        onClick={() => set([...clauses.slice(1), unused[0].source])}
      >
        {t("longer.add")}
      </button>
      <button type="button" disabled={clauses.length === 1} onClick={() => set(clauses.slice(1, -1))}>
        {t("longer.remove")}
      </button>
      {unused.length > 0 && (
        <span class="note">
          {phrase("longer.next", { clause: <Word text={unused[0].source} language={language} /> })}
        </span>
      )}
    </p>
  );
}

function Lengths({ clauses, model, other }: { clauses: string[]; model: ModelInfo; other: ModelInfo }) {
  const and = ` ${kAnd[model.source] ?? ","} `;
  const grown = clauses.map((_, length) => clauses.slice(0, length + 1).join(and));
  const mine = useAnswer<Translations>("/v1/translate", ask([...grown, ...clauses], model));
  const theirs = useAnswer<Translations>("/v1/translate", ask([...grown, ...clauses], other));
  const error = mine.error ?? theirs.error;
  const rows = clauses.length;
  const of = (answer: typeof mine) => answer.value?.translations.map(({ text }) => text) ?? [];
  const [left, right] = [of(mine), of(theirs)];
  const expected = (texts: string[], length: number) =>
    texts.slice(texts.length / 2, texts.length / 2 + length + 1).join(" ");
  const cell = (texts: string[], length: number) => {
    const text = texts[length];
    if (text === undefined || texts.length < 2 * rows) return <td class="text">…</td>;
    const { kept, of } = wordsKept(expected(texts, length), text);
    return (
      <td class="text">
        <span lang={model.target} dir="auto">
          {text}
        </span>
        {length > 0 && (
          <>
            <span class="kept" style={{ "--w": kept / of }} aria-hidden="true" />
            <small>{t("longer.kept", { kept, of, part: percent(kept / of) })}</small>
          </>
        )}
      </td>
    );
  };
  return (
    <div>
      <p class="fields">
        <OtherModelChoice model={model} other={other} />
      </p>
      {error !== null && <Trouble error={error} />}
      <Wide label={t("view.longer")} busy={mine.busy || theirs.busy}>
        <table class="numbers lengths">
          <thead>
            <tr>
              <th scope="col">{t("longer.words")}</th>
              <th scope="col" class="text">
                {model.id}
              </th>
              <th scope="col" class="text">
                {other.id}
              </th>
            </tr>
          </thead>
          <tbody>
            {grown.map((text, length) => (
              <tr key={length}>
                <th scope="row">{text.split(/\s+/).length}</th>
                {cell(left, length)}
                {cell(right, length)}
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      <p class="note">{t(rows > 1 ? "longer.measure" : "longer.alone")}</p>
    </div>
  );
}
