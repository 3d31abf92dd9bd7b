// A list to choose from, with its name.
import { useId } from "preact/hooks";

interface ChoiceProps {
  label: string;
  value: string;
  options: { value: string; text: string }[];
  set: (value: string) => void;
  hideLabel?: boolean;
  language?: string; // of the options
  busy?: boolean; // options are on their way
}

export function Choice({ label, value, options, set, hideLabel, language, busy }: ChoiceProps) {
  const id = useId();
  return (
    <label class="field" for={id}>
      <span class={hideLabel ? "unseen" : ""}>{label}</span>
      <select
        id={id}
        lang={language}
        aria-busy={busy}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}
