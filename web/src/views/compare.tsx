// The same sentence through two models, side by side.
import { useAnswer } from "../ask";
import { chosenWeights, withWords } from "../chosen_map";
import { decimal } from "../numbers";
import { AnyMap } from "../parts/big_map";
import { Changes } from "../parts/changes";
import { CutOff } from "../parts/cut_off";
import { FixedVector } from "../parts/fixed_vector";
import { comparedModel, OtherModelChoice } from "../parts/other_model";
import { Trouble } from "../parts/trouble";
import type { Explanation, ModelInfo } from "../server";
import * as state from "../state";
import { t } from "../texts";
import type { ViewProps } from "../view";

export function CompareView({ model, explanation }: ViewProps) {
  const other = comparedModel(model);
  const { value, error } = useAnswer<Explanation>(
    "/v1/explain",
    other === undefined
      ? null
      : {
          q: explanation.source,
          model: other.id,
          beam_size: state.beam.value,
          units: state.units.value,
          include: ["attention", "context"],
        },
  );
  if (other === undefined) return <p>{t("compare.none")}</p>;
  if (error !== null) return <Trouble error={error} />;
  return (
    <div>
      <p class="fields">
        <OtherModelChoice model={model} other={other} />
      </p>
      <div class="two">
        <Side model={model} explanation={explanation} before={null} />
        {value !== null && <Side model={other} explanation={value} before={explanation.translation} />}
      </div>
    </div>
  );
}

interface SideProps {
  model: ModelInfo;
  explanation: Explanation;
  before: string | null; // the translation it is compared with
}

function Side({ model, explanation, before }: SideProps) {
  const weights = chosenWeights(explanation, "cross", "");
  return (
    <section>
      <h3>
        {model.id} <small>{t(weights === null ? "compare.without" : "compare.attends")}</small>
      </h3>
      <p class="translation" lang={model.target} dir="auto">
        {before === null ? explanation.translation : <Changes before={before} after={explanation.translation} />}
      </p>
      <CutOff finished={explanation.finished} />
      <p class="note">{t("compare.log_p", { value: decimal(explanation.log_probability, 3) })}</p>
      {weights !== null && (
        <AnyMap map={withWords(explanation, model, "cross", weights)} label={t("compare.map", { model: model.id })} />
      )}
      {weights === null && explanation.context_vector && <FixedVector values={explanation.context_vector} />}
    </section>
  );
}
