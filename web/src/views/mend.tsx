// Mend it: choose another word, forbid or require words, write the beginning; the rest is translated again. Versions are
// kept as a tree.
import type { Signal } from "@preact/signals";
import { useAnswer, useAnswers } from "../ask";
import { decimal } from "../numbers";
import { Changes } from "../parts/changes";
import { Trouble } from "../parts/trouble";
import { Word } from "../parts/word";
import type { Explanation, ModelInfo, Sentence } from "../server";
import * as state from "../state";
import { phrase, t } from "../texts";
import { formatVersions, parseVersions, type Version, type Versions, withoutVersion, withVersion } from "../versions";
import type { ViewProps } from "../view";

interface Translations {
  translations: { text: string; sentences: Sentence[] }[];
}

const question = (source: string, model: ModelInfo, { prefix, required, forbidden }: Version) => ({
  q: source,
  model: model.id,
  beam_size: Math.max(state.beam.value, required.length + 1),
  ...(prefix === "" ? {} : { prefix }),
  ...(required.length === 0 ? {} : { required }),
  ...(forbidden.length === 0 ? {} : { forbidden }),
});

export function MendView({ model, explanation }: ViewProps) {
  const versions = parseVersions(state.versions.value);
  const { values, errors, busy } = useAnswers<Translations>(
    "/v1/translate",
    versions.all.map((version) => question(explanation.source, model, version)),
  );
  const texts = versions.all.map((_, number) => (errors[number] ? undefined : values[number]?.translations[0].text));
  const current = texts[versions.current];
  const refused = (number: number) => errors[number]?.status === 400; // it will be, however often it is asked
  const error = errors[versions.current] ?? errors.find((one, number) => one && !refused(number)) ?? null;
  const show = (next: Versions) => {
    state.word.value = 0;
    state.versions.value = formatVersions(next);
  };
  const add = (version: Omit<Version, "parent">) => show(withVersion(versions, version));
  const go = (number: number) => show({ ...versions, current: number });
  return (
    <div class="two">
      <div aria-busy={busy}>
        {error !== null && <Trouble error={error} />}
        {refused(versions.current) && versions.current > 0 && (
          <button type="button" onClick={() => show(withoutVersion(versions, versions.current))}>
            {t("mend.back")}
          </button>
        )}
        {current !== undefined && (
          <Words
            source={explanation.source}
            text={current}
            model={model}
            version={versions.all[versions.current]}
            add={add}
          />
        )}
      </div>
      <section>
        <h3>{t("mend.versions")}</h3>
        <VersionTree versions={versions} texts={texts} refused={refused} parent={-1} go={go} language={model.target} />
      </section>
    </div>
  );
}

interface WordsProps {
  source: string;
  text: string;
  model: ModelInfo;
  version: Version;
  add: (version: Omit<Version, "parent">) => void;
}

function Words({ source, text, model, version, add }: WordsProps) {
  const { value, error } = useAnswer<Explanation>("/v1/explain", {
    q: source,
    model: model.id,
    target: text,
    units: "word",
    include: ["candidates"],
  });
  const words = text.split(/\s+/).filter((word) => word !== "");
  const chosen = state.word.value >= 1 && state.word.value <= words.length ? state.word.value - 1 : null;
  const before = (index: number) => words.slice(0, index).join(" ");
  return (
    <>
      <p class="translation mend-words" lang={model.target} dir="auto">
        {words.map((word, index) => (
          <button
            type="button"
            key={index}
            aria-pressed={chosen === index}
            onClick={() => (state.word.value = chosen === index ? 0 : index + 1)}
          >
            {word}
          </button>
        ))}
      </p>
      {chosen !== null && (
        <section class="panel">
          <h3>{phrase("mend.instead", { word: <Word text={words[chosen]} language={model.target} /> })}</h3>
          {error !== null && <Trouble error={error} />}
          <Alternatives
            explanation={value}
            before={before(chosen)}
            model={model}
            choose={(token) => add({ ...version, prefix: `${before(chosen)} ${token}`.trim() })}
          />
          <p class="fields">
            <button
              type="button"
              onClick={() =>
                add({
                  ...version,
                  prefix: chosen < version.prefix.split(" ").length ? "" : version.prefix,
                  forbidden: [...version.forbidden, words[chosen]],
                })
              }
            >
              {phrase("mend.forbid", { word: <Word text={words[chosen]} language={model.target} /> })}
            </button>
          </p>
        </section>
      )}
      <div class="fields">
        <Field
          label={t("mend.require")}
          typed={state.required}
          act={(typed) => add({ ...version, required: [...version.required, typed] })}
        />
        <Field label={t("mend.begin")} typed={state.beginning} act={(typed) => add({ ...version, prefix: typed })} />
      </div>
    </>
  );
}

interface AlternativesProps {
  explanation: Explanation | null;
  before: string;
  model: ModelInfo;
  choose: (token: string) => void;
}

// The model's best words after what is before.
function Alternatives({ explanation, before, model, choose }: AlternativesProps) {
  const step = before === "" ? 0 : before.split(" ").length;
  const { value } = useAnswer<{ texts: { tokens: string[] }[] }>(
    "/v1/tokenize",
    before === "" ? null : { q: before, model: model.id, side: "target" },
  );
  const subword = before === "" ? 0 : (value?.texts[0].tokens.length ?? step);
  const candidates = explanation?.candidates?.[subword] ?? [];
  return (
    <ul class="alternatives" lang={model.target}>
      {candidates
        .filter(({ token }) => token !== "</s>")
        .map(({ token, log_probability }) => (
          <li key={token}>
            <button type="button" dir="auto" onClick={() => choose(token.replaceAll("▁", ""))}>
              {token.replaceAll("▁", "")} <small>{decimal(Math.exp(log_probability), 4)}</small>
            </button>
          </li>
        ))}
    </ul>
  );
}

interface FieldProps {
  label: string;
  typed: Signal<string>;
  act: (typed: string) => void;
}

function Field({ label, typed, act }: FieldProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    if (typed.value.trim() === "") return;
    act(typed.value.trim());
    typed.value = "";
  };
  return (
    <form class="field" onSubmit={submit}>
      <label class="field">
        <span>{label}</span>
        <input type="text" value={typed.value} onInput={(event) => (typed.value = event.currentTarget.value)} />
      </label>
      <button type="submit">{t("mend.do")}</button>
    </form>
  );
}

interface TreeProps {
  versions: Versions;
  texts: (string | undefined)[]; // undefined: not known yet, or not possible
  refused: (number: number) => boolean;
  parent: number;
  go: (number: number) => void;
  language: string;
}

function VersionTree({ versions, texts, refused, parent, go, language }: TreeProps) {
  const children = versions.all.flatMap((version, number) => (version.parent === parent ? [number] : []));
  if (children.length === 0) return null;
  const note = ({ prefix, required, forbidden }: Version) =>
    [
      prefix === "" ? "" : t("mend.note_prefix", { text: prefix }),
      required.length === 0 ? "" : t("mend.note_required", { text: required.join(", ") }),
      forbidden.length === 0 ? "" : t("mend.note_forbidden", { text: forbidden.join(", ") }),
    ].filter((part) => part !== "");
  return (
    <ul class="versions">
      {children.map((number) => (
        <li key={number}>
          <button type="button" aria-current={versions.current === number} onClick={() => go(number)}>
            <span lang={language} dir="auto">
              {parent < 0 || texts[number] === undefined ? (
                (texts[number] ?? (refused(number) ? "" : "…"))
              ) : (
                <Changes before={texts[parent] ?? ""} after={texts[number]} />
              )}
            </span>
            {refused(number) && <strong>{t("mend.failed")}</strong>}
            <small>{note(versions.all[number]).join(" · ")}</small>
          </button>
          <VersionTree
            versions={versions}
            texts={texts}
            refused={refused}
            parent={number}
            go={go}
            language={language}
          />
        </li>
      ))}
    </ul>
  );
}
