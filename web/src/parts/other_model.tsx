// A second model for the same languages, to compare with.
import { translators } from "../ask";
import type { ModelInfo } from "../server";
import { otherModel } from "../state";
import { t } from "../texts";
import { Choice } from "./choice";

const othersOf = ({ id, source, target }: ModelInfo) =>
  translators.value.filter((other) => other.id !== id && other.source === source && other.target === target);

// The chosen one, or one that attends where the first does not.
export function comparedModel(model: ModelInfo): ModelInfo | undefined {
  const others = othersOf(model);
  const attends = (one: ModelInfo) => one.attends.includes("cross");
  return (
    others.find(({ id }) => id === otherModel.value) ??
    others.find((other) => attends(other) !== attends(model)) ??
    others[0]
  );
}

export function OtherModelChoice({ model, other }: { model: ModelInfo; other: ModelInfo }) {
  return (
    <Choice
      label={t("compare.with")}
      value={other.id}
      set={(id) => (otherModel.value = id)}
      options={othersOf(model).map(({ id }) => ({ value: id, text: id }))}
    />
  );
}
