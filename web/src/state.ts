// What the page shows, all of it in the fragment of its address, which no server sees.
import { effect, type Signal, signal } from "@preact/signals";
import type { Units } from "./server";

type Value = string | number;

interface Field {
  value: Signal<Value>;
  initial: Value;
}

const fields = new Map<string, Field>();

// Type arguments tell a choice of texts from any text.
function field<T extends string>(name: string, initial: T): Signal<T>;
function field(name: string, initial: number): Signal<number>;
function field(name: string, initial: Value): Signal<Value> {
  const value = signal(initial);
  fields.set(name, { value, initial });
  return value;
}

const browserLanguage = typeof navigator === "undefined" ? "en" : navigator.language;

export const language = field<"en" | "hi">("ui", browserLanguage.startsWith("hi") ? "hi" : "en");
export const view = field<string>("view", "map");
export const text = field<string>("q", "");
export const model = field<string>("model", "");
export const beam = field("beam", 4);
export const units = field<Units>("units", "word");
export const sentence = field("sentence", 0); // of the text, which one is explained
export const step = field("step", 0); // from 1: the target word that is pinned; 0: none
export const place = field<string>("place", "cross");
export const head = field<string>("head", ""); // "layer.head"; empty: the mean of all
export const threshold = field("least", 0.1); // of lines
export const otherModel = field<string>("with", "");
export const otherHead = field<string>("edit-head", ""); // whose weights are edited; empty: of all
export const edits = field<string>("edits", ""); // see edits.ts
export const links = field<string>("links", ""); // Pharaoh
export const clauses = field<string>("clauses", ""); // one a line
export const checkpoint = field("checkpoint", -1);
export const versions = field<string>("versions", ""); // see versions.ts
export const captioner = field<string>("captioner", "");
export const scene = field<string>("scene", "");
export const tour = field<string>("tour", "");

// The fragment of this state, with changes.
export function fragment(changes: Record<string, Value> = {}): string {
  const parts = new URLSearchParams();
  for (const [name, { value, initial }] of fields) {
    const current = changes[name] ?? value.value;
    if (current !== initial || (name === "ui" && current !== "en")) parts.set(name, String(current));
  }
  return "#" + parts.toString();
}

function readFragment(): void {
  const parts = new URLSearchParams(location.hash.slice(1));
  for (const [name, { value, initial }] of fields) {
    const given = parts.get(name);
    const number = Number(given);
    if (given === null) value.value = initial;
    else if (typeof initial === "string") value.value = given;
    else value.value = Number.isFinite(number) ? number : initial;
  }
}

// Text, model and search: what belongs to another sentence is let go.
export function newSentence(): void {
  sentence.value = 0;
  newTranslation();
  links.value = "";
}

export function newTranslation(): void {
  step.value = 0;
  edits.value = "";
  versions.value = "";
}

export function followAddress(): void {
  readFragment();
  addEventListener("hashchange", readFragment);
  effect(() => {
    const now = fragment();
    if (now !== location.hash && !(now === "#" && location.hash === "")) history.replaceState(null, "", now);
  });
}
