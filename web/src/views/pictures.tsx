// Pictures: a photograph, or a scene of the picture book; the caption, and where each of its words looked.
import { useEffect, useState } from "preact/hooks";
import { models, useAnswer } from "../ask";
import { nameOf } from "../languages";
import { decimal } from "../numbers";
import { Choice } from "../parts/choice";
import { CaptionExportMenu } from "../parts/export_menu";
import { NumberField } from "../parts/number_field";
import { SceneFields, SceneHandles } from "../parts/scene_editor";
import { Trouble } from "../parts/trouble";
import { Word } from "../parts/word";
import { ofPair, targetsOf, toTarget } from "../pairs";
import { formatScene, parseScene } from "../scene";
import {
  type CaptionAnswer,
  type Examples,
  type ModelInfo,
  postForFile,
  type SceneObject,
  type ServerError,
} from "../server";
import { useSaid } from "../said";
import * as state from "../state";
import { phrase, t } from "../texts";
import { useThrottled } from "../throttled";
import { useExamples } from "../examples";

export function PicturesView() {
  const captioners = models.value.filter(({ task }) => task === "caption");
  const model =
    captioners.find(({ id }) => id === state.captioner.value) ??
    captioners.find(({ target }) => target === state.language.value) ??
    captioners[0];
  const { value: examples, error } = useExamples(model?.id ?? null);
  if (model === undefined) return <p>{t("pictures.none")}</p>;
  if (error !== null) return <Trouble error={error} />;
  if (examples === null) return null;
  return <Studio model={model} captioners={captioners} examples={examples} />;
}

const kPause = 120; // milliseconds between two pictures of what is dragged

interface StudioProps {
  model: ModelInfo;
  captioners: ModelInfo[];
  examples: Examples;
}

function Studio({ model, captioners, examples }: StudioProps) {
  const [photo, setPhoto] = useState<File | null>(null);
  const given = parseScene(state.scene.value).filter((object) => isOf(examples, object));
  const objects = given.length === 0 ? examples.scenes[0] : given;
  const drawn = parseScene(useThrottled(formatScene(objects), kPause));
  const set = (next: SceneObject[]) => {
    setPhoto(null);
    state.scene.value = formatScene(next);
  };
  usePasted(setPhoto);
  const image = useBase64(photo);
  const shown = photo === null ? { scene: drawn } : image === null ? null : { image };
  const question = shown && { ...shown, model: model.id, beam_size: state.beam.value };
  const caption = useAnswer<CaptionAnswer>("/v1/caption", question && { ...question, n_best: state.beam.value });
  const picture = usePicture(photo, drawn);
  const isNoPicture = photo !== null && caption.error?.status === 400;
  return (
    <div onDragOver={(event) => event.preventDefault()} onDrop={(event) => dropped(event, setPhoto)}>
      <p class="fields">
        <CaptionerChoice model={model} captioners={captioners} />
        <NumberField
          label={t("composer.beam")}
          value={state.beam.value}
          least={1}
          most={12}
          set={(value) => (state.beam.value = Math.round(value))}
        />
        <label class="field">
          <span>{t("pictures.file")}</span>
          <input
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={(event) => setPhoto(event.currentTarget.files?.[0] ?? null)}
          />
        </label>
        <button
          type="button"
          onClick={() => set(examples.scenes[(nextScene(examples, objects) + 1) % examples.scenes.length])}
        >
          {t("pictures.next")}
        </button>
      </p>
      {caption.error !== null && <Trouble error={caption.error} />}
      {(picture.error ?? null) !== null && caption.error === null && <Trouble error={picture.error!} />}
      {!isNoPicture && (
        <Captioned
          caption={caption.value}
          picture={picture.url}
          objects={photo === null ? objects : []}
          set={set}
          language={model.target}
          busy={caption.busy}
        />
      )}
      {photo !== null && !isNoPicture && (
        <p class="notice">
          {t("pictures.shapes")} {t("pictures.address")}
        </p>
      )}
      {photo === null && <SceneFields objects={objects} set={set} kinds={examples} />}
      {question !== null && !isNoPicture && <CaptionExportMenu question={question} />}
    </div>
  );
}

// In which language, and by which model of it.
function CaptionerChoice({ model, captioners }: Omit<StudioProps, "examples">) {
  const languages = targetsOf(captioners, model.source);
  const same = ofPair(captioners, model);
  return (
    <>
      {languages.length > 1 && (
        <Choice
          label={t("pictures.language")}
          value={model.target}
          set={(target) => (state.captioner.value = toTarget(captioners, model, target).id)}
          options={languages.map((code) => ({ value: code, text: nameOf(code) }))}
        />
      )}
      {(same.length > 1 || languages.length < 2) && (
        <Choice
          label={t("composer.model")}
          value={model.id}
          set={(id) => (state.captioner.value = id)}
          options={same.map(({ id }) => ({ value: id, text: id }))}
        />
      )}
    </>
  );
}

// An address may name what the picture book does not have.
const isOf = ({ figures, colours, sizes }: Examples, { figure, colour, size }: SceneObject) =>
  figures.includes(figure) && colours.includes(colour) && sizes.includes(size);

const nextScene = (examples: Examples, objects: SceneObject[]) =>
  examples.scenes.findIndex((scene) => formatScene(scene) === formatScene(objects));

function dropped(event: DragEvent, take: (file: File) => void): void {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file?.type.startsWith("image/")) take(file);
}

function usePasted(take: (file: File) => void): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith("image/"));
      if (file !== undefined) take(file);
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, []);
}

function useBase64(file: File | null): string | null {
  const [read, setRead] = useState<{ file: File; text: string } | null>(null);
  useEffect(() => {
    if (file === null) return;
    const reader = new FileReader();
    reader.onload = () => setRead({ file, text: String(reader.result) });
    reader.readAsDataURL(file);
  }, [file]);
  return read?.file === file ? (read?.text ?? null) : null;
}

interface Picture {
  url: string | null;
  error: ServerError | null;
}

// The photograph, or the scene as the server draws it for the model.
function usePicture(photo: File | null, objects: SceneObject[]): Picture {
  const [picture, setPicture] = useState<Picture>({ url: null, error: null });
  useEffect(() => {
    const control = new AbortController();
    const show = (blob: Blob) =>
      setPicture(({ url }) => {
        if (url !== null) URL.revokeObjectURL(url);
        return { url: URL.createObjectURL(blob), error: null };
      });
    if (photo !== null) show(photo);
    else {
      postForFile("/v1/scene", { scene: objects }, control.signal).then(
        show,
        (error) => control.signal.aborted || setPicture((before) => ({ ...before, error })),
      );
    }
    return () => control.abort();
  }, [photo, formatScene(objects)]);
  return picture;
}

interface CaptionedProps {
  caption: CaptionAnswer | null;
  picture: string | null;
  objects: SceneObject[];
  set: (objects: SceneObject[]) => void;
  language: string;
  busy: boolean;
}

function Captioned({ caption, picture, objects, set, language, busy }: CaptionedProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const words = caption?.words ?? [];
  const pinned = state.step.value > 0 && state.step.value <= words.length ? state.step.value - 1 : null;
  const shown = pointed !== null && pointed < words.length ? pointed : pinned;
  const looked = shown === null ? null : { word: words[shown].word, step: shown + 1, of: words.length };
  const told = looked === null ? "" : t("pictures.shown", looked);
  useSaid(busy || caption === null ? "" : `${caption.caption}. ${told}`);
  return (
    <div class="two captioned" aria-busy={busy}>
      <SceneHandles objects={objects} set={set}>
        {picture !== null && (
          <img src={picture} alt={t("pictures.alt", { caption: caption?.caption ?? "" })} draggable={false} />
        )}
        {caption !== null && shown !== null && <Overlay grid={caption.grid} weights={words[shown].weights} />}
      </SceneHandles>
      <div>
        <p
          class="caption-words"
          lang={language}
          dir="auto"
          key={caption?.caption}
          onPointerLeave={() => setPointed(null)}
        >
          {words.map(({ word, weights }, index) => (
            <button
              type="button"
              key={index}
              style={{ "--i": index }}
              aria-pressed={pinned === index}
              aria-label={t("pictures.word", { word, most: decimal(Math.max(...weights)) })}
              onPointerEnter={() => setPointed(index)}
              onClick={() => (state.step.value = pinned === index ? 0 : index + 1)}
            >
              {word}
            </button>
          ))}
        </p>
        <p class="fields">
          <button type="button" disabled={pinned === null || pinned === 0} onClick={() => (state.step.value -= 1)}>
            {t("pictures.before")}
          </button>
          <button
            type="button"
            disabled={words.length === 0 || pinned === words.length - 1}
            onClick={() => (state.step.value += 1)}
          >
            {t("pictures.after")}
          </button>
          <span>
            {looked === null
              ? t("pictures.pick")
              : phrase("pictures.shown", { ...looked, word: <Word text={looked.word} language={language} /> })}
          </span>
        </p>
        <Others caption={caption} language={language} />
      </div>
    </div>
  );
}

function Overlay({ grid, weights }: { grid: { rows: number; columns: number }; weights: number[] }) {
  const most = Math.max(...weights);
  return (
    <div class="overlay" style={{ "--columns": grid.columns, "--rows": grid.rows }} aria-hidden="true">
      {weights.map((weight, index) => (
        <span key={index} style={{ "--w": weight / most }} />
      ))}
    </div>
  );
}

function Others({ caption, language }: { caption: CaptionAnswer | null; language: string }) {
  const others = caption?.n_best?.slice(1) ?? [];
  if (others.length === 0) return null;
  return (
    <>
      <h3>{t("pictures.others")}</h3>
      <ul class="plain" lang={language}>
        {others.map(({ caption, log_probability }, index) => (
          <li key={index} dir="auto">
            {caption} <small>{decimal(Math.exp(log_probability), 4)}</small>
          </li>
        ))}
      </ul>
    </>
  );
}
