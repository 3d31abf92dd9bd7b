// The heat map: source across, target down.
import { chosenMap, shownPlace } from "../chosen_map";
import { entropy } from "../maths";
import { decimal } from "../numbers";
import { Bars } from "../parts/bars";
import { AnyMap } from "../parts/big_map";
import { FixedVector } from "../parts/fixed_vector";
import { HeadChoice } from "../parts/head_choice";
import type { Explanation, ModelInfo } from "../server";
import * as state from "../state";
import { t } from "../texts";
import type { ViewProps } from "../view";
import { isPartOfLetter, labels } from "../words";

export function MapView({ model, explanation }: ViewProps) {
  const map = chosenMap(explanation, model);
  if (map === null) return <WithoutAttention explanation={explanation} model={model} />;
  const pinned = state.step.value > 0 && state.step.value <= map.rows.length ? state.step.value - 1 : undefined;
  const pin = (row: number) => (state.step.value = state.step.value === row + 1 ? 0 : row + 1);
  return (
    <div class="map-view">
      <div>
        <p class="fields">
          <HeadChoice explanation={explanation} model={model} />
        </p>
        <AnyMap
          map={map}
          label={t("map.label", { place: t(`place.${shownPlace(model)!}`) })}
          pinned={pinned}
          onCell={pin}
        />
        <Scale />
        {[...map.rows, ...map.columns].some(isPartOfLetter) && <p class="note">{t("map.dotted")}</p>}
      </div>
      {pinned === undefined ? (
        <Overview explanation={explanation} />
      ) : (
        <Pinned explanation={explanation} model={model} row={pinned} map={map} />
      )}
    </div>
  );
}

function Scale() {
  return (
    <p class="scale note">
      <span aria-hidden="true">0</span>
      <span class="scale-bar" aria-hidden="true" />
      <span aria-hidden="true">1</span>
      <span>{t("map.scale")}</span>
    </p>
  );
}

function WithoutAttention({ explanation, model }: { explanation: Explanation; model: ModelInfo }) {
  return (
    <div>
      <p>{t("map.without", { model: model.id })}</p>
      {explanation.context_vector && <FixedVector values={explanation.context_vector} />}
    </div>
  );
}

function Overview({ explanation }: { explanation: Explanation }) {
  return (
    <aside class="panel">
      <h3>{t("map.sentence")}</h3>
      <dl class="facts">
        <dt>{t("map.log_p")}</dt>
        <dd>{decimal(explanation.log_probability, 3)}</dd>
        <dt>{t("map.mean_entropy")}</dt>
        <dd>
          {explanation.entropy === undefined
            ? "–"
            : decimal(explanation.entropy.reduce((a, b) => a + b, 0) / explanation.entropy.length)}
        </dd>
      </dl>
      <p class="note">{t("map.pin")}</p>
    </aside>
  );
}

interface PinnedProps {
  explanation: Explanation;
  model: ModelInfo;
  row: number;
  map: { rows: string[]; columns: string[]; weights: number[][]; columnLanguage: string; rowLanguage: string };
}

function Pinned({ explanation, model, row, map }: PinnedProps) {
  const bars = map.columns
    .map((word, j) => ({ word, value: map.weights[row][j] }))
    .sort((a, b) => b.value - a.value)
    .slice(0, 6);
  const probability = Math.exp(explanation.token_scores[row] ?? NaN);
  const isTarget = map.rowLanguage === model.target && labels(explanation.target_tokens)[row] === map.rows[row];
  return (
    <aside class="panel">
      <h3>
        {t("map.reads_before")}
        <span lang={map.rowLanguage} dir="auto">
          {map.rows[row]}
        </span>
      </h3>
      <Bars bars={bars} language={map.columnLanguage} label={t("map.most")} />
      <dl class="facts">
        {isTarget && <dt>{t("map.p")}</dt>}
        {isTarget && <dd>{decimal(probability, 3)}</dd>}
        <dt>{t("map.entropy")}</dt>
        <dd>{decimal(entropy(map.weights[row]))}</dd>
      </dl>
      <p>
        <a href={state.fragment({ view: "step", step: row + 1 })}>{t("map.to_step")}</a>
      </p>
    </aside>
  );
}
