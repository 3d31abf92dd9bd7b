// The heat map: source across, target down.
import { chosenMap, clearest, shownPlace } from "../chosen_map";
import { entropy } from "../maths";
import { decimal, percent } from "../numbers";
import { Bars } from "../parts/bars";
import { AnyMap } from "../parts/big_map";
import { FixedVector } from "../parts/fixed_vector";
import { HeadChoice } from "../parts/head_choice";
import { Word } from "../parts/word";
import type { Map } from "../parts/attention_grid";
import type { Explanation, ModelInfo } from "../server";
import * as state from "../state";
import { phrase, t } from "../texts";
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
        <Overview explanation={explanation} example={shownPlace(model) === "cross" ? map : null} />
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

// One row in words, for those who have never seen such a map.
function Example({ map, explanation }: { map: Map; explanation: Explanation }) {
  const cell = clearest(explanation, map.weights);
  if (cell === undefined) return null;
  return (
    <p class="example">
      {phrase("map.example", {
        word: <Word text={map.rows[cell.row]} language={map.rowLanguage} />,
        source: <Word text={map.columns[cell.column]} language={map.columnLanguage} />,
        weight: percent(map.weights[cell.row][cell.column]),
      })}
    </p>
  );
}

function Overview({ explanation, example }: { explanation: Explanation; example: Map | null }) {
  return (
    <aside class="panel">
      {example !== null && <Example map={example} explanation={explanation} />}
      <h3>{t("map.sentence")}</h3>
      <dl class="facts">
        <dt>{t("map.p_all")}</dt>
        <dd>{decimal(Math.exp(explanation.log_probability), 3)}</dd>
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
  map: Map;
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
        <Word text={map.rows[row]} language={map.rowLanguage} />
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
