// What the page shows, all of it in the fragment of its address, which no server sees. Two things are not in it: the API
// key, since people share addresses, and the bytes of a photograph, which are too many.
import { batch, effect, type Signal, signal } from "@preact/signals";
import type { Units } from "./server";

type Value = string | number;

export type Order = "place" | "sharpness" | "error";

interface Field {
  value: Signal<Value>;
  initial: Value;
  allowed?: readonly Value[]; // all, unless they are named
}

const fields = new Map<string, Field>();

// Type arguments tell a choice of texts from any text.
function field<T extends string>(name: string, initial: T, allowed?: readonly T[]): Signal<T>;
function field(name: string, initial: number): Signal<number>;
function field(name: string, initial: Value, allowed?: readonly Value[]): Signal<Value> {
  const value = signal(initial);
  fields.set(name, { value, initial, allowed });
  return value;
}

const browserLanguage = typeof navigator === "undefined" ? "en" : navigator.language;

export const language = field<"en" | "hi">("ui", browserLanguage.startsWith("hi") ? "hi" : "en", ["en", "hi"]);
export const view = field<string>("view", "map");
export const text = field<string>("q", "");
export const model = field<string>("model", "");
export const beam = field("beam", 4);
export const units = field<Units>("units", "word", ["word", "subword"]);
export const sentence = field("sentence", 0); // of the text, which one is explained
export const step = field("step", 0); // from 1: the target word that is pinned; 0: none
export const place = field<string>("place", "cross");
export const head = field<string>("head", ""); // "layer.head"; empty: the mean of all
export const node = field("node", -1); // of the beam tree; -1: the end of the translation
export const order = field<Order>("order", "place", ["place", "sharpness", "error"]); // of heads
export const corner = field<string>("from", ""); // "row,column" of the window over a large map, from 0
export const guesses = field<string>("guesses", ""); // see guesses.ts
export const threshold = field("least", 0.1); // of lines
export const otherModel = field<string>("with", "");
export const otherHead = field<string>("edit-head", ""); // whose weights are edited; empty: of all
export const edits = field<string>("edits", ""); // see edits.ts
export const links = field<string>("links", ""); // Pharaoh
export const clauses = field<string>("clauses", ""); // one a line
export const checkpoint = field("checkpoint", -1);
export const versions = field<string>("versions", ""); // see versions.ts
export const word = field("word", 0); // from 1: the word of the version that is opened; 0: none
export const required = field<string>("require", ""); // typed, not yet asked for
export const beginning = field<string>("begin", ""); // likewise
export const captioner = field<string>("captioner", "");
export const scene = field<string>("scene", "");
export const tour = field<string>("tour", "");
export const exporting = field("export", 0); // 1: what to take away is listed

// The fragment of this state, with changes.
export function fragment(changes: Record<string, Value> = {}): string {
  const parts = new URLSearchParams();
  for (const [name, { value, initial }] of fields) {
    const current = changes[name] ?? value.value;
    if (current !== initial || (name === "ui" && current !== "en")) parts.set(name, String(current));
  }
  return "#" + parts.toString();
}

// What an address gives a field; addresses come from anywhere.
function read(given: string | null, { initial, allowed }: Field): Value {
  if (given === null) return initial;
  if (typeof initial === "string") return allowed === undefined || allowed.includes(given) ? given : initial;
  const number = Number(given);
  if (!Number.isFinite(number)) return initial;
  return Number.isInteger(initial) ? Math.trunc(number) : number;
}

function readFragment(): void {
  const parts = new URLSearchParams(location.hash.slice(1));
  batch(() => {
    for (const [name, field] of fields) field.value.value = read(parts.get(name), field);
  });
}

// Text, model and search: what belongs to another sentence is let go.
export function newSentence(): void {
  sentence.value = 0;
  newTranslation();
  links.value = "";
}

export function chooseModel(id: string): void {
  model.value = id;
  head.value = "";
  newTranslation();
}

export function newTranslation(): void {
  step.value = 0;
  node.value = -1;
  corner.value = "";
  guesses.value = "";
  edits.value = "";
  versions.value = "";
  word.value = 0;
}

// Safari refuses more than 100 changes of the address in 30 seconds, as they would come while a weight is dragged: after
// some at once, the others come at intervals.
const kAtOnce = 45;
const kInterval = 700; // milliseconds
const kRemembered = 30_000;

export function followAddress(): void {
  readFragment();
  addEventListener("hashchange", readFragment);
  const writes: number[] = []; // when
  let timer = 0;
  const write = () => {
    const now = fragment();
    if (now === location.hash || (now === "#" && location.hash === "")) return;
    history.replaceState(null, "", now);
    writes.push(performance.now());
  };
  effect(() => {
    fragment(); // or the effect would not follow it
    clearTimeout(timer);
    const now = performance.now();
    while (writes.length > 0 && writes[0] < now - kRemembered) writes.shift();
    const pause = writes.length < kAtOnce ? 0 : writes.at(-1)! + kInterval - now;
    if (pause <= 0) write();
    else timer = window.setTimeout(write, pause);
  });
}
