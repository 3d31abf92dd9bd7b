// What is always there for models of text: the sentence, its translation, model and search.
import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { translator, translators } from "./ask";
import { sum } from "./maths";
import { noticesOf, unknownWords } from "./notices";
import { decimal } from "./numbers";
import { Choice } from "./parts/choice";
import { SourceLanguage, TargetLanguage } from "./parts/language_choice";
import { NumberField } from "./parts/number_field";
import { ofPair } from "./pairs";
import type { Example, Explanation, Sentence } from "./server";
import * as state from "./state";
import { t } from "./texts";
import { chosenIndex, type Translated, wholeText } from "./translation";
import { piecesOf } from "./words";

const kTypingPause = 250; // milliseconds after which what was typed is translated

interface ComposerProps {
  translated: Translated;
  explanation: Explanation | null;
  examples: Example[] | null; // null: not known yet
}

export function Composer({ translated, explanation, examples }: ComposerProps) {
  const model = translator.value;
  const languages = { translation: wholeText(translated), examples: examples ?? [] };
  return (
    <section class="composer" aria-label={t("composer.title")}>
      <div class="side">
        <SourceLanguage {...languages} />
        <SourceText language={model.source} />
        <ExampleChoice examples={examples} language={model.source} />
      </div>
      <div class="side">
        <TargetLanguage {...languages} />
        <Translation translated={translated} explanation={explanation} language={model.target} />
        <Notices translated={translated} explanation={explanation} language={model.source} />
        <Settings />
      </div>
    </section>
  );
}

function SourceText({ language }: { language: string }) {
  const [draft, setDraft] = useState(state.text.value);
  const timer = useRef(0);
  const known = useRef(state.text.value); // to the state; another text in it came from elsewhere
  useEffect(() => {
    if (state.text.value === known.current) return;
    known.current = state.text.value;
    setDraft(state.text.value);
  }, [state.text.value]);
  const onInput = (typed: string) => {
    setDraft(typed);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      known.current = typed;
      state.text.value = typed;
      state.newSentence();
    }, kTypingPause);
  };
  return (
    <textarea
      class="source"
      rows={2}
      lang={language}
      dir="auto"
      spellcheck={false}
      aria-label={t("composer.source")}
      placeholder={t("composer.placeholder")}
      value={draft}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

// There from the start, so that the page does not move when the examples come.
function ExampleChoice({ examples: known, language }: { examples: Example[] | null; language: string }) {
  const examples = known ?? [];
  if (known?.length === 0) return null;
  const chosen = examples.findIndex((example) => example.source === state.text.value);
  const choose = (index: string) => {
    const example = examples[Number(index)];
    if (example === undefined) return;
    state.text.value = example.source;
    state.newSentence();
  };
  return (
    <Choice
      label={t("composer.examples")}
      language={language}
      busy={known === null}
      value={String(chosen)}
      set={choose}
      options={[
        { value: "-1", text: t("composer.own") },
        ...examples.map((example, index) => ({ value: String(index), text: example.source })),
      ]}
    />
  );
}

function Settings() {
  return (
    <div class="fields">
      <Choice
        label={t("composer.model")}
        value={translator.value.id}
        set={state.chooseModel}
        options={ofPair(translators.value, translator.value).map(({ id }) => ({ value: id, text: id }))}
      />
      <NumberField
        label={t("composer.beam")}
        value={state.beam.value}
        least={1}
        most={12}
        set={(value) => {
          state.beam.value = Math.round(value);
          state.newTranslation();
        }}
      />
      <Choice
        label={t("composer.units")}
        value={state.units.value}
        set={(value) => {
          state.units.value = value as "word" | "subword";
          state.newTranslation();
        }}
        options={[
          { value: "word", text: t("units.word") },
          { value: "subword", text: t("units.subword") },
        ]}
      />
    </div>
  );
}

interface TranslationProps {
  translated: Translated;
  explanation: Explanation | null; // of the chosen sentence, or of the one before
  language: string;
}

function Translation({ translated, explanation, language }: TranslationProps) {
  const { sentences, busy } = translated;
  const chosen = chosenIndex(translated);
  return (
    <>
      <div class="target" lang={language} dir="auto" aria-busy={busy}>
        {sentences.map((sentence, index) => (
          <Fragment key={index}>
            {index > 0 && " "}
            {index === chosen && explanation?.source === sentence.source ? (
              <Confidence explanation={explanation} />
            ) : (
              <OtherSentence sentence={sentence} index={index} />
            )}
          </Fragment>
        ))}
      </div>
      {sentences.length > 1 && (
        <p class="note">{t("composer.sentences", { count: sentences.length, number: chosen + 1 })}</p>
      )}
    </>
  );
}

function Notices({ translated, explanation, language }: TranslationProps) {
  const { sentences } = translated;
  const isShown = explanation !== null && explanation.source === sentences[chosenIndex(translated)]?.source;
  const words = isShown ? unknownWords(explanation.source, explanation.source_tokens) : [];
  return (
    <>
      {state.model.value !== "" && state.model.value !== translator.value.id && (
        <p class="notice">{t("notice.model", { asked: state.model.value, model: translator.value.id })}</p>
      )}
      {noticesOf(sentences).map((notice) => (
        <p key={notice} class="notice">
          {notice}
        </p>
      ))}
      {words.length > 0 && (
        <p class="note">
          {t("notice.words")}{" "}
          <span lang={language} dir="auto">
            {words.join(", ")}
          </span>
        </p>
      )}
    </>
  );
}

function OtherSentence({ sentence, index }: { sentence: Sentence; index: number }) {
  const choose = () => {
    state.sentence.value = index;
    state.newTranslation();
  };
  return (
    <button type="button" class="sentence" title={t("composer.explain")} onClick={choose}>
      {sentence.text}
    </button>
  );
}

// Each word is underlined the more clearly the less the model was sure of it; the number is its probability, the product
// of those of its tokens.
function Confidence({ explanation }: { explanation: Explanation }) {
  return (
    <span class="sentence chosen">
      {piecesOf(explanation.translation, explanation.target_tokens).map(({ text, tokens }, index) => {
        if (tokens.length === 0) return text;
        const probability = Math.exp(sum(tokens.map((token) => explanation.token_scores[token])));
        const pinned = tokens.includes(state.step.value - 1);
        return (
          <button
            type="button"
            key={index}
            class={probability < 0.5 ? "word unsure" : "word"}
            style={{ "--p": probability }}
            aria-pressed={pinned}
            onClick={() => (state.step.value = pinned ? 0 : tokens[0] + 1)}
          >
            {text}
            <small>
              <span class="unseen">{t("composer.probability")} </span>
              {decimal(probability)}
            </small>
          </button>
        );
      })}
    </span>
  );
}
