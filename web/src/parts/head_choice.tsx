// Which attention to look at: its place, and one head or the mean of all.
import { mapsOf, nameOfHead, shownPlace } from "../chosen_map";
import type { Explanation, ModelInfo } from "../server";
import { head, place } from "../state";
import { t } from "../texts";
import { Choice } from "./choice";

export function HeadChoice({ explanation, model }: { explanation: Explanation; model: ModelInfo }) {
  const places = model.attends;
  const shown = shownPlace(model)!;
  const maps = mapsOf(explanation, shown);
  return (
    <>
      {places.length > 1 && (
        <Choice
          label={t("head.place")}
          value={shown}
          set={(value) => {
            place.value = value;
            head.value = "";
          }}
          options={places.map((value) => ({ value, text: t(`place.${value}`) }))}
        />
      )}
      {maps.length > 1 && (
        <Choice
          label={t("head.head")}
          value={head.value}
          set={(value) => (head.value = value)}
          options={[
            { value: "", text: t("head.mean", { count: maps.length }) },
            ...maps.map((map) => ({
              value: nameOfHead(map),
              text: t("head.name", { layer: map.layer, head: map.head }),
            })),
          ]}
        />
      )}
    </>
  );
}
