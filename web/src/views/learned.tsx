// While it learned: the same sentence at each checkpoint that training kept.
import { useAnswers } from "../ask";
import { chosenWeights, withWords } from "../chosen_map";
import { decimal } from "../numbers";
import { AnyMap } from "../parts/big_map";
import { NumberField } from "../parts/number_field";
import { SmallMap } from "../parts/small_map";
import { Trouble } from "../parts/trouble";
import type { Explanation, ModelInfo } from "../server";
import { beam, checkpoint, units } from "../state";
import { t } from "../texts";
import type { ViewProps } from "../view";

const kMostWords = 60; // of a text that all checkpoints translate at once

export function LearnedView({ model, explanation }: ViewProps) {
  const steps = model.checkpoints;
  const at = checkpoint.value < 0 ? steps.length - 1 : Math.min(checkpoint.value, steps.length - 1);
  const all = explanation.source_tokens.length <= kMostWords;
  const { values, errors, busy } = useAnswers<Explanation>(
    "/v1/explain",
    (all ? steps : steps.slice(at, at + 1)).map((step) => ({
      q: explanation.source,
      model: `${model.id}@${step}`,
      beam_size: beam.value,
      units: units.value,
      include: ["attention"],
    })),
  );
  if (steps.length === 0) return <p>{t("learned.none", { model: model.id })}</p>;
  const error = errors.find((one) => one !== null) ?? null;
  if (error !== null) return <Trouble error={error} />;
  const value = values[all ? at : 0] ?? null;
  return (
    <div>
      <p class="fields">
        <input
          type="range"
          class="checkpoints"
          min="0"
          max={steps.length - 1}
          value={at}
          aria-label={t("learned.slider")}
          aria-valuetext={t("learned.step", { step: steps[at] })}
          onInput={(event) => (checkpoint.value = Number(event.currentTarget.value))}
        />
        <NumberField
          label={t("learned.number", { of: steps.length })}
          value={at + 1}
          least={1}
          most={steps.length}
          set={(number) => (checkpoint.value = number - 1)}
        />
        <span>{t("learned.step", { step: steps[at] })}</span>
      </p>
      <div class="learned" aria-busy={busy}>
        {value !== null && <Checkpoint value={value} model={model} step={steps[at]} />}
        {all && <Film values={values} steps={steps} at={at} />}
      </div>
    </div>
  );
}

function Checkpoint({ value, model, step }: { value: Explanation; model: ModelInfo; step: number }) {
  const weights = chosenWeights(value, "cross", "");
  return (
    <div>
      <p class="translation" lang={model.target} dir="auto">
        {value.translation}
      </p>
      <p class="note">{t("compare.log_p", { value: decimal(value.log_probability, 3) })}</p>
      {weights !== null && (
        <AnyMap map={withWords(value, model, "cross", weights)} label={t("learned.map", { step })} />
      )}
    </div>
  );
}

// All checkpoints at a glance, the first one first.
function Film({ values, steps, at }: { values: (Explanation | null)[]; steps: number[]; at: number }) {
  return (
    <ul class="heads" aria-label={t("learned.film")}>
      {steps.map((step, index) => {
        const value = values[index] ?? null;
        const weights = value === null ? null : chosenWeights(value, "cross", "");
        return (
          <li key={step}>
            <button type="button" aria-pressed={index === at} onClick={() => (checkpoint.value = index)}>
              {weights !== null && <SmallMap weights={weights} most={112} />}
              <span>{t("learned.step", { step })}</span>
              {value !== null && <small>{t("compare.log_p", { value: decimal(value.log_probability) })}</small>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
