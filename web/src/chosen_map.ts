// Which of the maps of an explanation is looked at.
import { argmax, meanOf, within } from "./maths";
import type { Map } from "./parts/attention_grid";
import { head, place, step } from "./state";
import type { Explanation, HeadMap, ModelInfo, Place } from "./server";
import { labels, wordCount } from "./words";

export const nameOfHead = (map: { layer: number; head: number }): string => `${map.layer}.${map.head}`;

export const mapsOf = (explanation: Explanation, place: Place): HeadMap[] =>
  (explanation.attention ?? []).filter((map) => map.place === place);

// The chosen head of a place, or the mean of all; null if the model does not attend there.
export function chosenWeights(explanation: Explanation, place: Place, head: string): number[][] | null {
  const maps = mapsOf(explanation, place);
  if (maps.length === 0) return null;
  const one = maps.find((map) => nameOfHead(map) === head);
  return one === undefined ? meanOf(maps.map((map) => map.weights)) : one.weights;
}

// What a decoder has read at each step: <s> and its own words; before them the source, if it has no encoder.
function readByDecoder(source: string[], target: string[], count: number): string[] {
  const given = ["<s>", ...target.slice(0, -1)];
  return count > given.length ? [...source, ...given] : given;
}

// The weights with the words that attend (rows) and those attended to (columns).
export function withWords(explanation: Explanation, model: ModelInfo, place: Place, weights: number[][]): Map {
  const source = labels(explanation.source_tokens);
  const target = labels(explanation.target_tokens);
  return {
    columns: place === "decoder" ? readByDecoder(source, target, weights[0].length) : source,
    rows: place === "encoder" ? source : target,
    weights,
    columnLanguage: place === "decoder" ? model.target : model.source,
    rowLanguage: place === "encoder" ? model.source : model.target,
  };
}

// The chosen place, if the model attends there; otherwise its first.
export const shownPlace = ({ attends }: ModelInfo): Place | undefined =>
  attends.find((one) => one === place.value) ?? attends[0];

// What is chosen in the state; null for a model without attention.
export function chosenMap(explanation: Explanation, model: ModelInfo): Map | null {
  const shown = shownPlace(model);
  const weights = shown === undefined ? null : chosenWeights(explanation, shown, head.value);
  return weights === null ? null : withWords(explanation, model, shown!, weights);
}

// The written word that read a source word most clearly; undefined if all read the end of the sentence.
export function clearest(explanation: Explanation, weights: number[][]): { row: number; column: number } | undefined {
  const sources = wordCount(explanation.source_tokens);
  return weights
    .slice(0, wordCount(explanation.target_tokens))
    .map((weights, row) => ({ row, column: argmax(weights), weight: Math.max(...weights) }))
    .filter(({ column }) => column < sources)
    .sort((a, b) => b.weight - a.weight)[0];
}

// The step of a view that shows one, from 1: the chosen one, or that of the word that read most clearly, which has
// something to show.
export function shownStep(explanation: Explanation): number {
  const weights = chosenWeights(explanation, "cross", "") ?? [];
  const wanted = step.value > 0 ? step.value : (clearest(explanation, weights)?.row ?? 0) + 1;
  return within(wanted, 1, explanation.target_tokens.length);
}
