// A field for a number. Half-typed numbers stay in the field and go nowhere; once it is left, it has a number within its
// range, which is said while another one stands there.
import { within } from "../maths";
import { t } from "../texts";
import { useEffect, useId, useState } from "preact/hooks";

interface NumberFieldProps {
  label: string;
  value: number;
  set: (value: number) => void;
  least?: number;
  most?: number;
  step?: number;
  hideLabel?: boolean;
  digits?: number;
}

export function NumberField({ label, value, set, least, most, step = 1, hideLabel, digits = 4 }: NumberFieldProps) {
  const id = useId();
  const shown = (value: number) => String(Number(value.toFixed(digits)));
  const [text, setText] = useState(shown(value));
  useEffect(() => {
    if (Number(text) !== Number(shown(value))) setText(shown(value));
  }, [value]);
  const onInput = (typed: string) => {
    setText(typed);
    const number = Number(typed);
    if (typed.trim() === "" || !Number.isFinite(number)) return;
    if (number === within(number, least, most)) set(number);
  };
  const isOutside = text.trim() !== "" && Number(text) !== within(Number(text), least, most);
  const onBlur = () => {
    if (isOutside) set(within(Number(text), least, most));
    setText(shown(isOutside ? within(Number(text), least, most) : value));
  };
  return (
    <>
      <label class="field" for={id}>
        <span class={hideLabel ? "unseen" : ""}>{label}</span>
        <input
          id={id}
          type="number"
          value={text}
          min={least}
          max={most}
          step={step}
          aria-invalid={isOutside}
          aria-describedby={isOutside ? `${id}-range` : undefined}
          onInput={(event) => onInput(event.currentTarget.value)}
          onBlur={onBlur}
        />
      </label>
      {isOutside && (
        <span class="range" id={`${id}-range`} role="alert">
          {t("number.range", { least: least ?? "−∞", most: most ?? "∞" })}
        </span>
      )}
    </>
  );
}
