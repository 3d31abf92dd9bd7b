// While it learned: the same sentence at each checkpoint that training kept.
import { useAnswer } from "../ask";
import { chosenWeights, withWords } from "../chosen_map";
import { decimal } from "../numbers";
import { AnyMap } from "../parts/big_map";
import { NumberField } from "../parts/number_field";
import { Trouble } from "../parts/trouble";
import type { Explanation } from "../server";
import { beam, checkpoint, units } from "../state";
import { t } from "../texts";
import type { ViewProps } from "../view";

export function LearnedView({ model, explanation }: ViewProps) {
  const steps = model.checkpoints;
  const at = checkpoint.value < 0 ? steps.length - 1 : Math.min(checkpoint.value, steps.length - 1);
  const { value, error, busy } = useAnswer<Explanation>(
    "/v1/explain",
    steps.length === 0
      ? null
      : {
          q: explanation.source,
          model: `${model.id}@${steps[at]}`,
          beam_size: beam.value,
          units: units.value,
          include: ["attention", "context"],
        },
  );
  if (steps.length === 0) return <p>{t("learned.none", { model: model.id })}</p>;
  if (error !== null) return <Trouble error={error} />;
  const weights = value === null ? null : chosenWeights(value, "cross", "");
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
      {value !== null && (
        <div aria-busy={busy}>
          <p class="translation" lang={model.target} dir="auto">
            {value.translation}
          </p>
          <p class="note">{t("compare.log_p", { value: decimal(value.log_probability, 3) })}</p>
          {weights !== null && (
            <AnyMap map={withWords(value, model, "cross", weights)} label={t("learned.map", { step: steps[at] })} />
          )}
        </div>
      )}
    </div>
  );
}
