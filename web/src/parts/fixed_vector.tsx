// The one vector that a model without attention makes of a sentence: a cell for each element.
import { decimal } from "../numbers";
import { t } from "../texts";

export function FixedVector({ values }: { values: number[] }) {
  const most = Math.max(...values.map(Math.abs));
  const name = t("vector.name", {
    count: values.length,
    least: decimal(Math.min(...values)),
    most: decimal(Math.max(...values)),
  });
  return (
    <figure class="vector">
      <div class="vector-cells" role="img" aria-label={name}>
        {values.map((value, index) => (
          <span
            key={index}
            class={value < 0 ? "down" : "up"}
            style={{ "--w": Math.abs(value) / most }}
            title={decimal(value, 4)}
          />
        ))}
      </div>
      <figcaption class="note">{t("vector.how", { count: values.length })}</figcaption>
    </figure>
  );
}
