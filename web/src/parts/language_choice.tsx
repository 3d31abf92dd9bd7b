// From which language into which: the choice picks the model. With a single pair there is nothing to choose.
import type { ComponentChildren } from "preact";
import { translator, translators } from "../ask";
import { beginAgain, isOffered } from "../first";
import { languageName, nameOf } from "../languages";
import { fromSource, reverseOf, sourcesOf, targetsOf, toTarget } from "../pairs";
import type { Example, ModelInfo } from "../server";
import * as state from "../state";
import { t } from "../texts";
import { Choice } from "./choice";

const isReverse = (model: ModelInfo, other: ModelInfo) =>
  model.source === other.target && model.target === other.source;

// The text follows into the new language: as its translation, or as another example; what was typed stays.
function choose(next: ModelInfo, translation: string, examples: Example[]): void {
  const before = translator.value;
  state.chooseModel(next.id);
  if (next.source === before.source) return;
  if (isReverse(next, before) && translation !== "") state.text.value = translation;
  else if (isOffered(state.text.value, examples)) beginAgain(next.source);
  state.newSentence();
}

interface LanguageProps {
  translation: string; // of the whole text
  examples: Example[];
}

const isFixed = () =>
  sourcesOf(translators.value).length < 2 && targetsOf(translators.value, translator.value.source).length < 2;

const options = (codes: string[]) => codes.map((code) => ({ value: code, text: nameOf(code) }));

const nameOr = (code: string, name: string) => (code === "" ? name : languageName(code));

const Row = ({ children }: { children: ComponentChildren }) => <div class="side-name">{children}</div>;

export function SourceLanguage({ translation, examples }: LanguageProps) {
  const model = translator.value;
  if (isFixed()) return <Row>{nameOr(model.source, t("composer.source"))}</Row>;
  const reverse = reverseOf(translators.value, model);
  return (
    <Row>
      <Choice
        hideLabel
        label={t("composer.from")}
        value={model.source}
        set={(source) => choose(fromSource(translators.value, model, source), translation, examples)}
        options={options(sourcesOf(translators.value))}
      />
      <button
        type="button"
        aria-label={t("composer.swap")}
        title={t("composer.swap")}
        disabled={reverse === undefined}
        onClick={() => choose(reverse!, translation, examples)}
      >
        ⇄
      </button>
    </Row>
  );
}

export function TargetLanguage({ translation, examples }: LanguageProps) {
  const model = translator.value;
  if (isFixed()) return <Row>{nameOr(model.target, t("composer.target"))}</Row>;
  return (
    <Row>
      <Choice
        hideLabel
        label={t("composer.into")}
        value={model.target}
        set={(target) => choose(toTarget(translators.value, model, target), translation, examples)}
        options={options(targetsOf(translators.value, model.source))}
      />
    </Row>
  );
}
