// The words of the translation as buttons, to choose a step by.
import { translator } from "../ask";
import type { Token } from "../server";
import { step } from "../state";
import { t } from "../texts";

export function StepChoice({ tokens, chosen }: { tokens: Token[]; chosen: number }) {
  return (
    <span class="steps" role="group" aria-label={t("step.choose")} lang={translator.value.target}>
      {tokens.map((token, index) => (
        <button type="button" key={index} aria-pressed={chosen === index + 1} onClick={() => (step.value = index + 1)}>
          <span dir="auto">{token.text}</span>
        </button>
      ))}
    </span>
  );
}
