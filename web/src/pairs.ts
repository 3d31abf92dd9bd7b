// Languages, and which model translates between two of them.
import type { ModelInfo } from "./server";

type Pair = Pick<ModelInfo, "source" | "target">;

const distinct = (codes: string[]) => [...new Set(codes)];

export const sourcesOf = (models: Pair[]): string[] => distinct(models.map(({ source }) => source));

export const targetsOf = (models: Pair[], source: string): string[] =>
  distinct(models.filter((model) => model.source === source).map(({ target }) => target));

export const ofPair = <T extends Pair>(models: T[], { source, target }: Pair): T[] =>
  models.filter((model) => model.source === source && model.target === target);

// Of the same kind as the one before, if there is one.
function like<T extends ModelInfo>(models: T[], before: T): T | undefined {
  return (
    models.find(({ kind, attends }) => kind === before.kind && attends.length === before.attends.length) ?? models[0]
  );
}

// The model that translates back.
export const reverseOf = (models: ModelInfo[], model: ModelInfo): ModelInfo | undefined =>
  model.source === model.target
    ? undefined
    : like(ofPair(models, { source: model.target, target: model.source }), model);

// The model once another source language is chosen: into the same target, or back from it, or into any.
export function fromSource(models: ModelInfo[], before: ModelInfo, source: string): ModelInfo {
  const { target } = before;
  return (
    like(ofPair(models, { source, target }), before) ??
    like(ofPair(models, { source, target: before.source }), before) ??
    like(
      models.filter((model) => model.source === source),
      before,
    ) ??
    before
  );
}

export const toTarget = (models: ModelInfo[], before: ModelInfo, target: string): ModelInfo =>
  like(ofPair(models, { source: before.source, target }), before) ?? before;
