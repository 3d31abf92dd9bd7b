// The beam search as a tree.
import { hierarchy, type HierarchyNode } from "d3-hierarchy";
import { useAnswer } from "../ask";
import { chosenWeights } from "../chosen_map";
import { decimal } from "../numbers";
import { Bars } from "../parts/bars";
import { Trouble } from "../parts/trouble";
import { Wide } from "../parts/wide";
import { Word } from "../parts/word";
import type { BeamNode, Explanation, ModelInfo } from "../server";
import * as state from "../state";
import { phrase, t } from "../texts";
import type { ViewProps } from "../view";
import { labels } from "../words";

const kAcross = 104; // pixels of a step
const kDown = 26; // and of a hypothesis

interface Branch {
  number: number; // -1: <s>
  node: BeamNode | null;
  children: Branch[];
}

// The best continuation of each hypothesis goes straight on, so that the translation reads as a line.
interface Placed extends HierarchyNode<Branch> {
  x: number; // down
  y: number; // across
}

function branches(nodes: BeamNode[]): Branch {
  const root: Branch = { number: -1, node: null, children: [] };
  const all = nodes.map((node, number) => ({ number, node, children: [] as Branch[] }));
  for (const branch of all) (branch.node.parent < 0 ? root : all[branch.node.parent]).children.push(branch);
  return root;
}

const rank = ({ node }: Branch) => (node!.best ? 2 : node!.fate === "pruned" ? 0 : 1) + Math.exp(node!.log_probability);

// A column is a step. Each branch takes the first free row of every column it reaches, so that lines do not cross.
function placed(nodes: BeamNode[]): Placed {
  const root = hierarchy(branches(nodes)).sort((a, b) => rank(b.data) - rank(a.data)) as Placed;
  const free: number[] = [];
  root.eachBefore((node) => {
    const parent = node.parent as Placed | null;
    const row = Math.max(free[node.depth] ?? 0, parent === null ? 0 : parent.x / kDown);
    free[node.depth] = row + 1;
    node.x = row * kDown;
    node.y = node.depth * kAcross;
  });
  return root;
}

export function BeamView({ model, explanation }: ViewProps) {
  const { value, error } = useAnswer<Explanation>("/v1/explain", {
    q: explanation.source,
    model: model.id,
    beam_size: state.beam.value,
    units: state.units.value,
    include: ["beam"],
  });
  if (error !== null) return <Trouble error={error} />;
  if (value?.beam === undefined) return null;
  const nodes = value.beam.nodes;
  const chosen = state.node.value in nodes ? state.node.value : value.beam.found[0];
  const node = nodes[chosen];
  return (
    <div>
      <Tree nodes={nodes} chosen={chosen} choose={(number) => (state.node.value = number)} language={model.target} />
      {node !== undefined && <Hypothesis node={node} model={model} source={explanation.source} />}
    </div>
  );
}

interface TreeProps {
  nodes: BeamNode[];
  chosen: number;
  choose: (number: number) => void;
  language: string;
}

// Where an arrow key leads from a node: to its parent, its best child, or the one above or below in its column.
function neighbour(all: Placed[], from: Placed, key: string): Placed | undefined {
  if (key === "ArrowLeft") return from.parent?.data.node ? (from.parent as Placed) : undefined;
  if (key === "ArrowRight") return from.children?.[0] as Placed | undefined;
  const column = all.filter((other) => other.depth === from.depth).sort((a, b) => a.x - b.x);
  const at = column.indexOf(from);
  return key === "ArrowUp" ? column[at - 1] : key === "ArrowDown" ? column[at + 1] : undefined;
}

function Tree({ nodes, chosen, choose, language }: TreeProps) {
  const all = placed(nodes).descendants() as Placed[];
  const top = Math.min(...all.map(({ x }) => x)) - kDown;
  const height = Math.max(...all.map(({ x }) => x)) - top + kDown;
  const width = (Math.max(...all.map(({ depth }) => depth)) + 1) * kAcross;
  const onKeyDown = (event: KeyboardEvent) => {
    const from = all.find(({ data }) => data.number === chosen);
    const next = from && neighbour(all, from, event.key);
    if (next === undefined) return;
    event.preventDefault();
    choose(next.data.number);
    const svg = event.currentTarget as Element;
    requestAnimationFrame(() => svg.querySelector<SVGElement>(`[data-node="${next.data.number}"]`)?.focus());
  };
  return (
    <Wide label={t("beam.label")}>
      <svg
        class="beam"
        width={width}
        height={height}
        viewBox={`-8 ${top} ${width} ${height}`}
        role="group"
        onKeyDown={onKeyDown}
      >
        {all.slice(1).map((point) => (
          <path
            key={point.data.number}
            class={`edge ${point.data.node!.fate} ${point.data.node!.best ? "best" : ""}`}
            style={{ strokeWidth: 1 + 7 * point.data.node!.probability }}
            d={edge(point)}
          />
        ))}
        <text x="0" y={all[0].x + 5}>
          {"<s>"}
        </text>
        {all.slice(1).map((point) => (
          <Node key={point.data.number} point={point} chosen={chosen} choose={choose} language={language} />
        ))}
      </svg>
    </Wide>
  );
}

function edge(point: Placed): string {
  const parent = point.parent as Placed;
  const { x, y } = point;
  const begin = parent.y + (parent.depth > 0 ? 76 : 24);
  return `M${begin} ${parent.x}C${y - 10} ${parent.x} ${y - 22} ${x} ${y - 4} ${x}`;
}

interface NodeProps {
  point: Placed;
  chosen: number;
  choose: (number: number) => void;
  language: string;
}

function Node({ point, chosen, choose, language }: NodeProps) {
  const { node, number } = point.data;
  const { token, text, probability, fate, best } = node!;
  const fates = { kept: t("beam.kept"), pruned: t("beam.pruned"), ended: t("beam.ended") };
  return (
    <g
      class={`node ${fate} ${best ? "best" : ""}`}
      role="button"
      data-node={number}
      tabindex={number === chosen ? 0 : -1}
      aria-pressed={number === chosen}
      aria-label={`${text}, ${decimal(probability)}, ${fates[fate]}`}
      onClick={() => choose(number)}
      onKeyDown={(event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), choose(number))}
    >
      <rect x={point.y - 4} y={point.x - 12} width={80} height={24} rx="4" />
      <text x={point.y} y={point.x + 5} lang={language}>
        {token.length > 9 ? `${token.slice(0, 8)}…` : token}
      </text>
    </g>
  );
}

// A hypothesis up to a node: its text, and where its last word looked.
function Hypothesis({ node, model, source }: { node: BeamNode; model: ModelInfo; source: string }) {
  const target = node.text.replace(/\s*<\/s>$/, "");
  const { value, error } = useAnswer<Explanation>(
    "/v1/explain",
    target === "" ? null : { q: source, model: model.id, target, units: "word" },
  );
  const weights = value === null ? null : chosenWeights(value, "cross", "");
  const row = value === null ? 0 : value.target_tokens.length - (node.fate === "ended" ? 1 : 2);
  return (
    <section class="two">
      <div>
        <h3 lang={model.target} dir="auto">
          {node.text}
        </h3>
        <dl class="facts">
          <dt>{t("beam.p")}</dt>
          <dd>{decimal(node.probability, 4)}</dd>
          <dt>{t("beam.log_p")}</dt>
          <dd>{decimal(node.log_probability, 3)}</dd>
        </dl>
      </div>
      {error !== null && <Trouble error={error} />}
      {error === null && value !== null && weights?.[row] !== undefined && (
        <div>
          <h3>
            {phrase("beam.read", { word: <Word text={value.target_tokens[row].text} language={model.target} /> })}
          </h3>
          <Bars
            label={t("map.most")}
            language={model.source}
            bars={labels(value.source_tokens).map((word, j) => ({ word, value: weights[row][j] }))}
          />
        </div>
      )}
    </section>
  );
}
