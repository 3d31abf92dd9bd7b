// One step in numbers: e, exp, α, c and the best words, as the server computed them.
import { useAnswer } from "../ask";
import { nameOfHead, shownStep } from "../chosen_map";
import { decimal } from "../numbers";
import { Bars } from "../parts/bars";
import { Choice } from "../parts/choice";
import { FixedVector } from "../parts/fixed_vector";
import { ContextFormula, EnergyFormula, ExponentialFormula, SoftmaxFormula, SourceFormula } from "../parts/formulas";
import { StepChoice } from "../parts/step_choice";
import { Trouble } from "../parts/trouble";
import { Wide } from "../parts/wide";
import { Word } from "../parts/word";
import type { Explanation, ModelInfo } from "../server";
import * as state from "../state";
import { phrase, t } from "../texts";
import type { ViewProps } from "../view";
import { subwordStep } from "../words";

export function StepView({ model, explanation }: ViewProps) {
  const { value, error } = useAnswer<Explanation>("/v1/explain", {
    q: explanation.source,
    model: model.id,
    beam_size: state.beam.value,
    units: "subword",
    include: ["attention", "energies", "context", "candidates"],
  });
  if (error !== null) return <Trouble error={error} />;
  if (value === null) return null;
  const pinned = shownStep(explanation);
  const step = Math.min(
    explanation.units === "word" ? subwordStep(explanation, value, pinned) : pinned,
    value.target_tokens.length,
  );
  return <Step model={model} explanation={value} step={step} words={explanation} pinned={pinned} />;
}

interface StepProps {
  model: ModelInfo;
  explanation: Explanation; // by subword
  words: Explanation; // in the units of the page
  step: number; // from 1
  pinned: number; // the same, in the units of the page
}

function Step({ model, explanation, words, step, pinned }: StepProps) {
  const heads = explanation.energies ?? [];
  const chosen = heads.find((values) => nameOfHead(values) === state.head.value) ?? heads[0];
  const of = (values: { layer: number; head: number }) => nameOfHead(values) === nameOfHead(chosen);
  const weights = explanation.attention!.filter(({ place }) => place === "cross").find(of)!.weights[step - 1];
  const context = explanation.context?.find(of)?.values[step - 1];
  const candidates = explanation.candidates?.[step - 1] ?? [];
  return (
    <div>
      <p class="fields">
        <StepChoice tokens={words.target_tokens} chosen={pinned} />
        {heads.length > 1 && (
          <Choice
            label={t("head.head")}
            value={nameOfHead(chosen)}
            set={(value) => (state.head.value = value)}
            options={heads.map((values) => ({
              value: nameOfHead(values),
              text: t("head.name", { layer: values.layer, head: values.head }),
            }))}
          />
        )}
      </p>
      <p class="step-title">
        {phrase("step.title", {
          step,
          word: <Word text={explanation.target_tokens[step - 1].text} language={model.target} />,
        })}
      </p>
      <div class="two">
        <Energies
          words={explanation.source_tokens.map((token) => token.text)}
          energies={chosen.values[step - 1]}
          weights={weights}
          language={model.source}
        />
        <div>
          <h3>{t("step.candidates")}</h3>
          <Bars
            label={t("step.candidates")}
            digits={4}
            language={model.target}
            bars={candidates.map(({ token, log_probability }) => ({ word: token, value: Math.exp(log_probability) }))}
          />
          {context && (
            <>
              <h3>{t("step.context")}</h3>
              <ContextFormula />
              <FixedVector values={context.map((value) => value ?? 0)} />
            </>
          )}
        </div>
      </div>
    </div>
  );
}

interface EnergiesProps {
  words: string[];
  energies: (number | null)[];
  weights: number[];
  language: string;
}

function Energies({ words, energies, weights, language }: EnergiesProps) {
  const most = Math.max(...energies.map((energy) => energy ?? -Infinity));
  const exponentials = energies.map((energy) => (energy === null ? 0 : Math.exp(energy - most)));
  const total = exponentials.reduce((a, b) => a + b, 0);
  const largest = Math.max(...weights.map((weight, j) => Math.abs(weight - exponentials[j] / total)));
  return (
    <Wide label={t("step.table")}>
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">j</th>
            <th scope="col">
              <span class="unseen">{t("influence.word")}</span>
              <SourceFormula />
            </th>
            <th scope="col">
              <span class="unseen">{t("step.energy")}</span>
              <EnergyFormula />
            </th>
            <th scope="col">
              <span class="unseen">{t("step.exponential")}</span>
              <ExponentialFormula largest={decimal(most, 3)} />
            </th>
            <th scope="col">
              <span class="unseen">{t("step.weight")}</span>
              <SoftmaxFormula />
            </th>
          </tr>
        </thead>
        <tbody>
          {words.map((word, j) => (
            <tr key={j}>
              <td>{j + 1}</td>
              <th scope="row" lang={language}>
                <span dir="auto">{word}</span>
              </th>
              <td>{energies[j] === null ? "−∞" : decimal(energies[j], 3)}</td>
              <td>{decimal(exponentials[j], 4)}</td>
              <td class="shaded" style={{ "--w": weights[j] }}>
                {decimal(weights[j], 4)}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {t("step.sum")}
            </th>
            <td>{decimal(total, 4)}</td>
            <td>
              {decimal(
                weights.reduce((a, b) => a + b, 0),
                4,
              )}
            </td>
          </tr>
        </tfoot>
      </table>
      {largest > 0.001 && <p class="note">{t("step.window")}</p>}
    </Wide>
  );
}
