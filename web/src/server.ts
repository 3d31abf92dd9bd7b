// What dhyan serve answers, and how it is asked.
import { EventSourceParserStream } from "eventsource-parser/stream";
import { type Rows, unpacked } from "./packed";

export type Place = "cross" | "encoder" | "decoder";

export interface ModelInfo {
  id: string;
  task: "translate" | "caption" | "write" | "fill";
  kind: string;
  source: string; // language codes; empty if they were not recorded
  target: string;
  attends: Place[];
  checkpoints: number[]; // steps of training, which are models called "id@step"
}

export interface Token {
  text: string;
  begin?: number; // characters of the text it is in; </s> has none
  end?: number;
  unknown?: [number, number][]; // where the text is that the vocabulary lacks, in characters
}

export interface HeadMap {
  place: Place;
  layer: number;
  head: number;
  weights: number[][];
}

export interface HeadValues {
  layer: number;
  head: number;
  values: (number | null)[][];
}

export interface Candidate {
  token: string;
  log_probability: number;
}

export interface BeamNode {
  parent: number;
  step: number;
  token: string;
  text: string;
  fate: "kept" | "pruned" | "ended";
  best: boolean;
  probability: number;
  log_probability: number;
}

export interface Explanation {
  model: string;
  source: string;
  translation: string;
  log_probability: number;
  finished: boolean; // else it was cut off at the maximum length
  units: Units;
  source_tokens: Token[];
  target_tokens: Token[];
  token_scores: number[];
  entropy?: number[];
  coverage?: number[];
  alignment?: string;
  attention?: HeadMap[];
  energies?: HeadValues[];
  context?: HeadValues[];
  context_vector?: number[];
  candidates?: Candidate[][];
  beam?: { nodes: BeamNode[]; found: number[] };
  influence?: (number | null)[];
}

export type Units = "word" | "subword";

export interface Edit {
  step: number; // from 1
  layer?: number;
  head?: number;
  weights: number[];
}

export interface ExplainQuestion {
  q: string;
  model: string;
  beam_size?: number;
  units?: Units;
  target?: string;
  prefix?: string;
  include?: ("attention" | "self" | "energies" | "context" | "candidates" | "beam")[];
  encoding?: "json" | "base64"; // of attention
  attention?: Place; // that a format shows
  layers?: number[];
  heads?: number[];
  edits?: Edit[];
  influence?: number;
  format?: string;
}

export interface Sentence {
  source: string;
  text: string;
  log_probability: number;
  finished: boolean; // else it was cut off at the maximum length
  source_cut: boolean; // the model takes no source as long as this one
  mostly_unknown: boolean; // to the model's vocabulary
  n_best?: { text: string; log_probability: number }[];
}

export interface Example {
  source: string;
  target: string;
  alignment: string; // Pharaoh
}

export interface SceneObject {
  figure: string;
  colour: string;
  size: string;
  x: number; // pixels of the centre, from the upper left corner of 64 x 64
  y: number;
}

export interface Examples {
  sentences: Example[];
  scenes: SceneObject[][];
  figures: string[];
  colours: string[];
  sizes: string[];
}

export interface CaptionAnswer {
  model: string;
  caption: string;
  log_probability: number;
  grid: { rows: number; columns: number };
  words: { word: string; weights: number[] }[];
  n_best?: { caption: string; log_probability: number }[];
}

// Why there is no answer. Status 0: nobody answers at all.
export class ServerError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

async function failure(response: Response): Promise<ServerError> {
  const seconds = response.headers.get("Retry-After");
  let message = response.statusText;
  try {
    message = (await response.json()).error.message;
  } catch {
    // Not our server's words: the status line says what there is to say.
  }
  return new ServerError(response.status, message, seconds === null ? null : Number(seconds));
}

// For servers that need one. Of this tab, and not in the address, which people share.
const kKey = "dhyan-api-key";
export const setApiKey = (key: string): void => sessionStorage.setItem(kKey, key);

async function fetched(path: string, init: RequestInit): Promise<Response> {
  const key = sessionStorage.getItem(kKey);
  const headers = { ...init.headers, ...(key === null ? {} : { Authorization: `Bearer ${key}` }) };
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    throw new ServerError(0, String(error));
  }
  if (!response.ok) throw await failure(response);
  return response;
}

function posted(body: object, signal?: AbortSignal): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
}

export async function get<T>(path: string): Promise<T> {
  return (await fetched(path, {})).json();
}

export async function post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
  const answer = await (await fetched(path, posted(body, signal))).json();
  for (const map of (answer.attention ?? []) as { weights: Rows }[]) map.weights = unpacked(map.weights);
  return answer;
}

export async function postForFile(path: string, body: object, signal?: AbortSignal): Promise<Blob> {
  return (await fetched(path, posted(body, signal))).blob();
}

// Translates a text; each sentence is told as soon as it is done.
export async function streamSentences(
  body: { q: string; model: string; beam_size: number },
  signal: AbortSignal,
  told: (index: number, sentence: Sentence) => void,
): Promise<void> {
  const response = await fetched("/v1/translate", posted({ ...body, stream: true }, signal));
  const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for (const reader = events.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done || value.data === "[DONE]") return;
    const event = JSON.parse(value.data);
    if (event.error !== undefined) throw new ServerError(event.error.code, event.error.message);
    if (event.sentence_index !== undefined) told(event.sentence_index, event);
  }
}
