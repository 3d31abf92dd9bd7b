// The page: what is always there, and the chosen view.
import { useEffect, useRef } from "preact/hooks";
import { loadModels, models, modelsError, translator, translators, useAnswer } from "./ask";
import { Composer } from "./composer";
import { useExamples } from "./examples";
import { useFirstSentence } from "./first";
import { ExportMenu } from "./parts/export_menu";
import { Trouble } from "./parts/trouble";
import type { Example, Explanation, ExplainQuestion, ModelInfo } from "./server";
import { noticesOf } from "./notices";
import { ofPair } from "./pairs";
import { said, useSaid } from "./said";
import * as state from "./state";
import { type Key, t } from "./texts";
import { chosenIndex, useTranslation, wholeText } from "./translation";
import type { TextView, ViewProps } from "./view";
import { groups, views } from "./views";

export function App() {
  useEffect(() => {
    loadModels();
  }, []);
  useEffect(() => {
    document.documentElement.lang = state.language.value;
    document.title = `${t(`view.${current.id}` as Key)} – ${t("page.title")}`;
  });
  const current = views.find(({ id }) => id === state.view.value) ?? views[0];
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        {t("page.skip")}
      </a>
      <Header />
      <Views current={current.id} />
      <p class="unseen" role="status">
        {said.value}
      </p>
      <main id="main" tabIndex={-1}>
        {modelsError.value !== null && <Trouble error={modelsError.value} />}
        {models.value.length > 0 &&
          (current.kind === "own" ? (
            <section class="view" key={current.id}>
              <Heading id={current.id} />
              <current.component />
            </section>
          ) : (
            <TextViews view={current} />
          ))}
      </main>
    </>
  );
}

// The fragment holds the state, so that a link cannot lead there.
function skipToMain(event: Event): void {
  event.preventDefault();
  (document.querySelector<HTMLElement>("main .source") ?? document.getElementById("main")!).focus();
}

function Header() {
  const other = state.language.value === "hi" ? "en" : "hi";
  return (
    <header>
      <h1>
        <a href={location.pathname}>
          <span lang="hi">ध्यान</span> dhyan
        </a>
      </h1>
      <p>{t("page.what")}</p>
      <a href={state.fragment({ ui: other })} lang={other} hrefLang={other}>
        {other === "hi" ? "हिन्दी" : "English"}
      </a>
    </header>
  );
}

function Views({ current }: { current: string }) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    nav.current!.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  return (
    <nav aria-label={t("page.views")} ref={nav}>
      {groups.map((group) => (
        <div class="group" key={group}>
          <p aria-hidden="true">{t(`group.${group}`)}</p>
          <ul aria-label={t(`group.${group}`)}>
            {views
              .filter((view) => view.group === group)
              .map(({ id }) => (
                <li key={id}>
                  <a href={state.fragment({ view: id })} aria-current={id === current ? "page" : undefined}>
                    {t(`view.${id}` as Key)}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Heading({ id }: { id: string }) {
  return (
    <div class="heading">
      <h2>{t(`view.${id}` as Key)}</h2>
      <p class="how">{t(`how.${id}` as Key)}</p>
    </div>
  );
}

function TextViews({ view }: { view: TextView }) {
  const model = translator.value;
  const { value: examples, error } = useExamples(model?.id ?? null);
  useFirstSentence(model, examples?.sentences ?? null);
  if (model === undefined) return <p>{t("page.no_translator")}</p>;
  return <Sentence view={view} model={model} examples={examples?.sentences ?? (error === null ? null : [])} />;
}

interface SentenceProps {
  view: TextView;
  model: ModelInfo;
  examples: Example[] | null; // null: not known yet
}

// Self-attention is large, and a context vector is only for models without attention.
function included(view: TextView, model: ModelInfo): ExplainQuestion["include"] {
  if (model.attends.length === 0) return ["context"];
  const onlySelf = !model.attends.includes("cross");
  return onlySelf || view.readsSelf?.() ? ["attention", "self"] : ["attention"];
}

function Sentence({ view, model, examples }: SentenceProps) {
  const translated = useTranslation(state.text.value, model.id, state.beam.value);
  const number = chosenIndex(translated);
  const chosen = translated.sentences[number];
  const { value, error, busy } = useAnswer<Explanation>(
    "/v1/explain",
    chosen === undefined
      ? null
      : {
          q: chosen.source,
          model: model.id,
          beam_size: state.beam.value,
          units: state.units.value,
          encoding: "base64",
          include: included(view, model),
        },
  );
  const trouble = translated.error ?? error;
  const status = t("page.status", { translation: wholeText(translated) });
  const many = translated.sentences.length;
  const which = many > 1 ? [t("composer.sentences", { count: many, number: number + 1 })] : [];
  const news = [status, ...which, ...noticesOf(translated.sentences)].join(". ");
  useSaid(value === null || busy || translated.busy ? "" : news);
  return (
    <>
      <Composer translated={translated} explanation={value} examples={examples} />
      <section class="view" key={view.id} aria-busy={busy}>
        <Heading id={view.id} />
        {trouble !== null && <Trouble error={trouble} />}
        {value === null || chosen === undefined ? (
          <p class="note">{state.text.value.trim() === "" ? t("page.empty") : ""}</p>
        ) : (
          <Suited view={view} model={model} explanation={value} examples={examples ?? []} />
        )}
      </section>
      {value !== null && chosen !== undefined && <ExportMenu explanation={value} model={model} />}
    </>
  );
}

interface SuitedProps extends ViewProps {
  view: TextView;
}

// The view, or why this model has none, and which has.
function Suited({ view, model, explanation, examples }: SuitedProps) {
  if (explanation.model !== model.id) return null;
  const suits = ({ attends }: ModelInfo) =>
    view.needs === "nothing" || (view.needs === "cross" ? attends.includes("cross") : attends.length > 0);
  if (suits(model)) return <view.component model={model} explanation={explanation} examples={examples} />;
  const able = translators.value.filter(suits);
  const sameLanguages = ofPair(able, model);
  return (
    <div class="trouble">
      <p>{t("page.unable", { model: model.id })}</p>
      {(sameLanguages.length > 0 ? sameLanguages : able).map(({ id }) => (
        <button type="button" key={id} onClick={() => state.chooseModel(id)}>
          {t("page.use", { model: id })}
        </button>
      ))}
    </div>
  );
}
