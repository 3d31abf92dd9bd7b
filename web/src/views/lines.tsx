// Lines between words, and all heads side by side.
import { useMemo } from "preact/hooks";
import { hardLinks, compareLinks, parseLinks } from "../alignment";
import { chosenMap, mapsOf, nameOfHead } from "../chosen_map";
import { entropy, sum } from "../maths";
import { decimal } from "../numbers";
import { Choice } from "../parts/choice";
import { HeadChoice } from "../parts/head_choice";
import { LinePicture } from "../parts/line_picture";
import { NumberField } from "../parts/number_field";
import { SmallMap } from "../parts/small_map";
import type { Explanation, HeadMap } from "../server";
import * as state from "../state";
import { type Key, t } from "../texts";
import type { ViewProps } from "../view";
import { wordCount } from "../words";

export function LinesView({ model, explanation, examples }: ViewProps) {
  const map = chosenMap(explanation, model)!;
  const row = state.step.value > 0 && state.step.value <= map.rows.length ? state.step.value - 1 : undefined;
  const gold = examples.find(
    ({ source, target }) => source === explanation.source && target === explanation.translation,
  );
  return (
    <div class="two">
      <div>
        <p class="fields">
          <HeadChoice explanation={explanation} model={model} />
          <NumberField
            label={t("lines.least")}
            value={state.threshold.value}
            least={0}
            most={1}
            step={0.05}
            set={(value) => (state.threshold.value = value)}
          />
          <input
            type="range"
            min="0"
            max="1"
            step="0.05"
            aria-label={t("lines.least")}
            value={state.threshold.value}
            onInput={(event) => (state.threshold.value = Number(event.currentTarget.value))}
          />
        </p>
        <LinePicture
          map={map}
          least={state.threshold.value}
          row={row}
          label={t("lines.label")}
          pick={(picked) => (state.step.value = picked === row ? 0 : picked + 1)}
        />
      </div>
      <Heads explanation={explanation} gold={state.links.value || (gold?.alignment ?? "")} />
    </div>
  );
}

interface Rated {
  map: HeadMap;
  sharpness: number; // mean entropy of its rows
  error: number | null; // of alignment, if there are gold links
}

function rated(explanation: Explanation, gold: string): Rated[] {
  const [sources, targets] = [wordCount(explanation.source_tokens), wordCount(explanation.target_tokens)];
  const links = parseLinks(gold, sources, targets);
  return (explanation.attention ?? []).map((map) => ({
    map,
    sharpness: sum(map.weights.map(entropy)) / map.weights.length,
    error:
      map.place === "cross" && links.size > 0
        ? compareLinks(hardLinks(map.weights, sources, targets), links).errorRate
        : null,
  }));
}

const byOrder: Record<state.Order, (a: Rated, b: Rated) => number> = {
  place: () => 0,
  sharpness: (a, b) => a.sharpness - b.sharpness,
  error: (a, b) => (a.error ?? 2) - (b.error ?? 2),
};

function Heads({ explanation, gold }: { explanation: Explanation; gold: string }) {
  const orders: state.Order[] = gold === "" ? ["place", "sharpness"] : ["place", "sharpness", "error"];
  const order = orders.includes(state.order.value) ? state.order.value : "place";
  const all = useMemo(() => rated(explanation, gold), [explanation, gold]);
  const places = [...new Set(all.map(({ map }) => map.place))];
  const isOpen = (map: HeadMap) =>
    state.place.value === map.place &&
    (state.head.value === nameOfHead(map) || (state.head.value === "" && mapsOf(explanation, map.place).length === 1));
  return (
    <section>
      <h3>{t("lines.heads")}</h3>
      <p class="fields">
        <Choice
          label={t("lines.order")}
          value={order}
          set={(value) => (state.order.value = value as state.Order)}
          options={orders.map((value) => ({ value, text: t(`order.${value}` as Key) }))}
        />
      </p>
      {order === "place" ? (
        places.map((place) => (
          <HeadGrid
            key={place}
            title={t(`place.${place}`)}
            columns={Math.max(...mapsOf(explanation, place).map((map) => map.head))}
            heads={all.filter(({ map }) => map.place === place)}
            isOpen={isOpen}
          />
        ))
      ) : (
        <HeadGrid columns={4} heads={[...all].sort(byOrder[order])} isOpen={isOpen} />
      )}
      <p class="note">{t("lines.sharp")}</p>
    </section>
  );
}

interface HeadGridProps {
  title?: string;
  columns: number;
  heads: Rated[];
  isOpen: (map: HeadMap) => boolean;
}

// Small maps; in the order of their place, a row is a layer.
function HeadGrid({ title, columns, heads, isOpen }: HeadGridProps) {
  const open = (map: HeadMap) => {
    state.place.value = map.place;
    state.head.value = nameOfHead(map);
  };
  return (
    <>
      {title !== undefined && <h4>{title}</h4>}
      <ul class="heads" style={{ "--columns": columns }}>
        {heads.map(({ map, sharpness, error }) => (
          <li key={`${map.place} ${nameOfHead(map)}`}>
            <button type="button" aria-pressed={isOpen(map)} onClick={() => open(map)}>
              <SmallMap weights={map.weights} most={112} />
              <span>
                {title === undefined ? `${t(`place.short.${map.place}`)} ${nameOfHead(map)}` : nameOfHead(map)}
              </span>
              <small>
                H {decimal(sharpness)}
                {error === null ? "" : ` · AER ${decimal(error)}`}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
