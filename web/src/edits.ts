// Edited rows of attention, as they are kept in the address: "step:head:weights", rows apart by ";".
import type { Edit } from "./server";

// What is no edit is left out.
export function parseEdits(text: string): Edit[] {
  return text
    .split(";")
    .filter((part) => /^\d+:(\d+\.\d+)?:[\d.]+(,[\d.]+)*$/.test(part))
    .map((part) => {
      const [step, place, weights] = part.split(":");
      const edit: Edit = { step: Number(step), weights: weights.split(",").map(Number) };
      if (place !== "") [edit.layer, edit.head] = place.split(".").map(Number);
      return edit;
    });
}

// Weights of five digits that sum to exactly what the server takes for 1.
export function formatEdits(edits: Edit[]): string {
  return edits
    .map(({ step, layer, head, weights }) => {
      const place = layer === undefined ? "" : `${layer}.${head}`;
      return `${step}:${place}:${weights.map((weight) => Number(weight.toFixed(5))).join(",")}`;
    })
    .join(";");
}

const isSame = (a: Edit, b: Edit) => a.step === b.step && a.layer === b.layer && a.head === b.head;

export function withEdit(edits: Edit[], edit: Edit): Edit[] {
  return [...edits.filter((other) => !isSame(other, edit)), edit].sort((a, b) => a.step - b.step);
}
