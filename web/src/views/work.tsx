// Work it out: change an energy or a weight of one step, and the translation goes on from there.
import { useEffect, useRef, useState } from "preact/hooks";
import { useAnswer } from "../ask";
import { mapsOf, nameOfHead, shownStep } from "../chosen_map";
import { formatEdits, parseEdits, withEdit } from "../edits";
import { argmax, meanOf, softmax, within, withWeight } from "../maths";
import { decimal } from "../numbers";
import { Changes } from "../parts/changes";
import { CutOff } from "../parts/cut_off";
import { Choice } from "../parts/choice";
import { NumberField } from "../parts/number_field";
import { StepChoice } from "../parts/step_choice";
import { Trouble } from "../parts/trouble";
import type { Edit, Explanation } from "../server";
import { Wide } from "../parts/wide";
import { useSaid } from "../said";
import * as state from "../state";
import { t } from "../texts";
import type { ViewProps } from "../view";

const kPause = 150; // milliseconds after which a dragged weight is decoded

export function WorkView({ model, explanation }: ViewProps) {
  const edits = parseEdits(state.edits.value);
  const { value, error, busy } = useAnswer<Explanation>("/v1/explain", {
    q: explanation.source,
    model: model.id,
    beam_size: state.beam.value,
    units: state.units.value,
    include: ["attention"],
    ...(edits.length > 0 ? { edits } : {}),
  });
  const history = useRef<string[]>([]);
  const change = (next: string) => {
    history.current.push(state.edits.value);
    state.edits.value = next;
  };
  const undo = () => {
    state.edits.value = history.current.pop() ?? formatEdits(edits.slice(0, -1));
  };
  const step = Math.min(shownStep(explanation), value?.target_tokens.length ?? 1);
  if (value === null) return error === null ? null : <Trouble error={error} />;
  return (
    <div>
      <Outcome
        before={explanation.translation}
        after={value}
        language={model.target}
        busy={busy}
        edited={edits.length}
      />
      {error !== null && <Trouble error={error} />}
      <p class="fields">
        <StepChoice tokens={value.target_tokens} chosen={step} />
        <EditedHead explanation={value} />
        <button type="button" disabled={state.edits.value === ""} onClick={undo}>
          {t("work.undo")}
        </button>
        <button type="button" disabled={state.edits.value === ""} onClick={() => change("")}>
          {t("work.reset")}
        </button>
      </p>
      <Row
        explanation={value}
        unedited={explanation}
        step={step}
        language={model.source}
        edit={(edit) => change(formatEdits(withEdit(edits, edit)))}
      />
    </div>
  );
}

interface OutcomeProps {
  before: string;
  after: Explanation;
  language: string;
  busy: boolean;
  edited: number;
}

function Outcome({ before, after, language, busy, edited }: OutcomeProps) {
  const result =
    edited === 0 ? t("work.unedited") : t("work.edited", { count: edited, value: decimal(after.log_probability, 3) });
  useSaid(busy ? "" : `${after.translation}. ${result}`);
  return (
    <p class="outcome" aria-busy={busy}>
      <span lang={language} dir="auto" class="translation">
        <Changes before={before} after={after.translation} />
      </span>
      <CutOff finished={after.finished} />
      <span class="note">{result}</span>
    </p>
  );
}

// Which head is edited: all of them, or one.
function EditedHead({ explanation }: { explanation: Explanation }) {
  const heads = mapsOf(explanation, "cross");
  if (heads.length < 2) return null;
  return (
    <Choice
      label={t("work.head")}
      value={state.otherHead.value}
      set={(value) => (state.otherHead.value = value)}
      options={[
        { value: "", text: t("work.all_heads", { count: heads.length }) },
        ...heads.map((map) => ({ value: nameOfHead(map), text: t("head.name", { layer: map.layer, head: map.head }) })),
      ]}
    />
  );
}

// The mean of all heads, or the chosen one, at a step.
function rowOf(explanation: Explanation, step: number): number[] {
  const heads = mapsOf(explanation, "cross");
  const one = heads.find((map) => nameOfHead(map) === state.otherHead.value);
  const weights = one?.weights ?? meanOf(heads.map((map) => map.weights));
  return weights[Math.min(step, weights.length) - 1];
}

const kMostFields = 40; // words that are shown at a time

// Which words are shown of a sentence that has too many: around the one read most, or from the one that is chosen.
function shownFrom(unedited: number[]): number {
  const chosen = state.corner.value === "" ? argmax(unedited) - kMostFields / 2 : Number(state.corner.value);
  return within(Math.round(chosen) || 0, 0, Math.max(unedited.length - kMostFields, 0));
}

interface RowProps {
  explanation: Explanation;
  unedited: Explanation;
  step: number;
  language: string;
  edit: (edit: Edit) => void;
}

function Row({ explanation, unedited, step, language, edit }: RowProps) {
  const one = mapsOf(explanation, "cross").find((map) => nameOfHead(map) === state.otherHead.value);
  const shown = rowOf(explanation, step);
  const [row, setRow] = useState(shown);
  const timer = useRef(0);
  useEffect(() => setRow(shown), [JSON.stringify(shown)]);
  const set = (weights: number[]) => {
    setRow(weights);
    clearTimeout(timer.current);
    const place = one === undefined ? {} : { layer: one.layer, head: one.head };
    timer.current = window.setTimeout(() => edit({ step, ...place, weights }), kPause);
  };
  const setEnergy = (j: number, energy: number) =>
    set(softmax(row.map((weight, k) => (k === j ? energy : energyOf(weight)))));
  const words = explanation.source_tokens;
  const from = shownFrom(rowOf(unedited, step));
  return (
    <Wide label={t("work.table")}>
      {words.length > kMostFields && (
        <p class="fields">
          <NumberField
            label={t("work.from", { count: kMostFields, of: words.length })}
            value={from + 1}
            least={1}
            most={words.length - kMostFields + 1}
            set={(value) => (state.corner.value = String(value - 1))}
          />
        </p>
      )}
      <table class="numbers work">
        <thead>
          <tr>
            <th scope="col">{t("influence.word")}</th>
            <th scope="col">{t("work.energy")}</th>
            <th scope="col" colSpan={2}>
              {t("work.weight")}
            </th>
            <th scope="col">{t("work.only")}</th>
          </tr>
        </thead>
        <tbody>
          {words.slice(from, from + kMostFields).map(({ text }, index) => {
            const j = from + index;
            return (
              <tr key={j}>
                <th scope="row" lang={language}>
                  <span dir="auto">{text}</span>
                </th>
                <td>
                  <NumberField
                    hideLabel
                    label={t("work.energy_of", { word: text })}
                    value={energyOf(row[j])}
                    step={0.5}
                    digits={2}
                    set={(value) => setEnergy(j, value)}
                  />
                </td>
                <td>
                  <input
                    type="range"
                    min="0"
                    max="1"
                    step="0.01"
                    aria-label={t("work.weight_of", { word: text })}
                    value={row[j]}
                    onInput={(event) => set(withWeight(row, j, Number(event.currentTarget.value)))}
                  />
                </td>
                <td>
                  <NumberField
                    hideLabel
                    label={t("work.weight_of", { word: text })}
                    value={row[j]}
                    least={0}
                    most={1}
                    step={0.05}
                    set={(value) => set(withWeight(row, j, value))}
                  />
                </td>
                <td>
                  <button type="button" onClick={() => set(withWeight(row, j, 1))}>
                    <span class="unseen">{t("work.only_this", { word: text })}: </span>1
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="note">{t("work.constant")}</p>
    </Wide>
  );
}

const kLeast = 1e-5; // a weight of 0 has no energy: shown as that of this one

// The energy of a weight, up to a constant that softmax does not see.
const energyOf = (weight: number) => Math.log(Math.max(weight, kLeast));
