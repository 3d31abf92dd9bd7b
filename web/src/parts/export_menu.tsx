// To take away: pictures, tables and pages as dhyan explain makes them, and how to ask for them again.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { shownPlace } from "../chosen_map";
import {
  type Explanation,
  type ExplainQuestion,
  type ModelInfo,
  postForFile,
  type SceneObject,
  type ServerError,
} from "../server";
import { beam, exporting, head, units } from "../state";
import { t } from "../texts";
import { Trouble } from "./trouble";

interface Format {
  format: string;
  name: string;
  file: string;
  crossOnly?: boolean; // words are aligned by cross-attention
}

const kFormats: Format[] = [
  { format: "svg", name: "SVG", file: "attention.svg" },
  { format: "png", name: "PNG", file: "attention.png" },
  { format: "csv", name: "CSV", file: "attention.csv" },
  { format: "explain-json", name: "JSON", file: "attention.json" },
  { format: "pharaoh", name: "Pharaoh", file: "attention.align", crossOnly: true },
  { format: "html", name: "", file: "attention.html" }, // named in the reader's language
];

const kCaptionFormats: Format[] = [
  { format: "svg", name: "SVG", file: "caption.svg" },
  { format: "png", name: "PNG", file: "caption.png" },
  { format: "html", name: "", file: "caption.html" },
];

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000); // the browser reads it meanwhile
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

// What is shown: the chosen place and head, or all heads.
function questionOf({ source }: Explanation, model: ModelInfo): ExplainQuestion {
  const shown = shownPlace(model);
  const isHead = /^\d+\.\d+$/.test(head.value) && shown !== undefined;
  const [layer, number] = head.value.split(".").map(Number);
  return {
    q: source,
    model: model.id,
    beam_size: beam.value,
    units: units.value,
    ...(shown === undefined || shown === model.attends[0] ? {} : { attention: shown }),
    ...(isHead ? { layers: [layer], heads: [number] } : {}),
  };
}

function commandOf({ q, beam_size, units, attention, layers, heads }: ExplainQuestion): string {
  const place = attention === undefined ? "" : ` --attention ${attention}`;
  const head = layers === undefined ? "" : ` --layer ${layers[0]} --head ${heads![0]}`;
  return `dhyan explain -m FOLDER --beam-size ${beam_size} --units ${units}${place}${head} -o map.svg ${quoted(q)}`;
}

// A page without a server says in its head where one would be.
const serverAddress = () => document.querySelector<HTMLMetaElement>("meta[name=server]")?.content ?? location.origin;

const curlOf = (path: string, question: object) =>
  `curl -s ${serverAddress()}${path} -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(question))}`;

export function ExportMenu({ explanation, model }: { explanation: Explanation; model: ModelInfo }) {
  const question = questionOf(explanation, model);
  return (
    <Menu
      path="/v1/explain"
      question={question}
      formats={kFormats.filter(({ crossOnly }) => !crossOnly || shownPlace(model) === "cross")}
    >
      <Command label={t("export.curl")} text={curlOf("/v1/explain", { ...question, format: "svg" })} />
      <Command label={t("export.command")} text={commandOf(question)} />
      <p class="note">{t("export.folder", { model: question.model })}</p>
    </Menu>
  );
}

export interface CaptionQuestion {
  model: string;
  beam_size: number;
  scene?: SceneObject[];
  image?: string; // in base64
}

// Of a photograph, which is too long for a command, curl sends the file.
export function CaptionExportMenu({ question }: { question: CaptionQuestion }) {
  const { model, beam_size, image } = question;
  const form = Object.entries({ image: "@photo.jpg", model, beam_size, format: "svg" });
  const curl =
    image === undefined
      ? curlOf("/v1/caption", { ...question, format: "svg" })
      : `curl -s ${serverAddress()}/v1/caption ${form.map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`).join(" ")}`;
  return (
    <Menu path="/v1/caption" question={question} formats={kCaptionFormats}>
      <Command label={t("export.curl")} text={curl} />
    </Menu>
  );
}

interface MenuProps {
  path: string;
  question: object;
  formats: Format[];
  children: ComponentChildren; // how to ask for the same elsewhere
}

function Menu({ path, question, formats, children }: MenuProps) {
  const [error, setError] = useState<ServerError | null>(null);
  const take = (format: string, file: string) =>
    postForFile(path, { ...question, format }).then((blob) => {
      setError(null);
      save(blob, file);
    }, setError);
  return (
    <details
      class="export"
      open={exporting.value === 1}
      onToggle={(event) => (exporting.value = event.currentTarget.open ? 1 : 0)}
    >
      <summary>{t("export.title")}</summary>
      <div class="export-body">
        {error !== null && <Trouble error={error} />}
        <p class="fields">
          {formats.map(({ format, name, file }) => (
            <button type="button" key={format} onClick={() => take(format, file)}>
              {name || t("export.page")}
            </button>
          ))}
        </p>
        {children}
      </div>
    </details>
  );
}

function Command({ label, text }: { label: string; text: string }) {
  return (
    <div class="command">
      <span>{label}</span>
      <code>{text}</code>
      <button
        type="button"
        aria-label={t("export.copy_of", { what: label })}
        onClick={() => navigator.clipboard?.writeText(text)}
      >
        {t("export.copy")}
      </button>
    </div>
  );
}
