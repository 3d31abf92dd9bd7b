// Does it matter? Beside each weight, what the word's probability would be without it.
import { useAnswer } from "../ask";
import { chosenWeights, shownStep } from "../chosen_map";
import { decimal, signed } from "../numbers";
import { StepChoice } from "../parts/step_choice";
import { Trouble } from "../parts/trouble";
import { Wide } from "../parts/wide";
import type { Explanation } from "../server";
import * as state from "../state";
import { t } from "../texts";
import type { ViewProps } from "../view";

const kLargeWeight = 0.3; // a weight and
const kSmallChange = 0.1; // a change of log p that go badly together

export function InfluenceView({ model, explanation }: ViewProps) {
  const step = shownStep(explanation);
  const { value, error, busy } = useAnswer<Explanation>("/v1/explain", {
    q: explanation.source,
    model: model.id,
    beam_size: state.beam.value,
    units: state.units.value,
    include: ["attention"],
    influence: step,
  });
  if (error !== null) return <Trouble error={error} />;
  const weights = value === null ? undefined : chosenWeights(value, "cross", "")?.[step - 1];
  return (
    <div>
      <p class="fields">
        <StepChoice tokens={explanation.target_tokens} chosen={step} />
      </p>
      <p class="caution">{t("influence.caution")}</p>
      {value?.influence !== undefined && weights !== undefined && (
        <InfluenceTable explanation={value} weights={weights} language={model.source} busy={busy} />
      )}
    </div>
  );
}

interface TableProps {
  explanation: Explanation;
  weights: number[];
  language: string;
  busy: boolean;
}

function InfluenceTable({ explanation, weights, language, busy }: TableProps) {
  const changes = explanation.influence!;
  const most = Math.max(...changes.map((change) => Math.abs(change ?? 0)), 1);
  return (
    <Wide label={t("view.influence")} busy={busy}>
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">{t("influence.word")}</th>
            <th scope="col">α</th>
            <th scope="col">{t("influence.change")}</th>
            <th scope="col" class="text">
              {t("influence.verdict")}
            </th>
          </tr>
        </thead>
        <tbody>
          {explanation.source_tokens.map((token, j) => {
            const change = changes[j];
            const idle = weights[j] >= kLargeWeight && change !== null && Math.abs(change) < kSmallChange;
            return (
              <tr key={j}>
                <th scope="row" lang={language}>
                  <span dir="auto">{token.text}</span>
                </th>
                <td class="shaded" style={{ "--w": weights[j] }}>
                  {decimal(weights[j])}
                </td>
                <td>
                  <span
                    class={`change ${(change ?? 0) < 0 ? "down" : "up"}`}
                    style={{ "--w": Math.abs(change ?? 0) / most }}
                  >
                    {change === null ? "–" : signed(change)}
                  </span>
                </td>
                <td class="text">
                  {idle ? t("influence.idle") : change !== null && change < -1 ? t("influence.matters") : ""}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Wide>
  );
}
