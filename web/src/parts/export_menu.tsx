// To take away: pictures, tables and pages as dhyan explain makes them, and how to ask for them again.
import { useState } from "preact/hooks";
import { type Explanation, type ExplainQuestion, postForFile, type ServerError } from "../server";
import { beam, head, units } from "../state";
import { t } from "../texts";
import { Trouble } from "./trouble";

const kFormats = [
  { format: "svg", file: "attention.svg" },
  { format: "png", file: "attention.png" },
  { format: "csv", file: "attention.csv" },
  { format: "json", file: "attention.json" },
  { format: "pharaoh", file: "attention.align" },
  { format: "html", file: "attention.html" },
];

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000); // the browser reads it meanwhile
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function questionOf({ source, model }: Explanation): ExplainQuestion {
  const [layer, number] = head.value.split(".").map(Number);
  return {
    q: source,
    model,
    beam_size: beam.value,
    units: units.value,
    ...(head.value === "" ? {} : { layers: [layer], heads: [number] }),
  };
}

function commandOf({ q, beam_size, units, layers, heads }: ExplainQuestion): string {
  const head = layers === undefined ? "" : ` --layer ${layers[0]} --head ${heads![0]}`;
  return `dhyan explain -m FOLDER --beam-size ${beam_size} --units ${units}${head} -o map.svg ${quoted(q)}`;
}

export function ExportMenu({ explanation }: { explanation: Explanation }) {
  const [error, setError] = useState<ServerError | null>(null);
  const question = questionOf(explanation);
  const curl = `curl -s ${location.origin}/v1/explain -H 'Content-Type: application/json' -d ${quoted(JSON.stringify({ ...question, format: "svg" }))}`;
  const take = (format: string, file: string) =>
    postForFile("/v1/explain", { ...question, format }).then((blob) => {
      setError(null);
      save(blob, file);
    }, setError);
  return (
    <details class="export">
      <summary>{t("export.title")}</summary>
      <div class="export-body">
        {error !== null && <Trouble error={error} />}
        <p class="fields">
          {kFormats.map(({ format, file }) => (
            <button type="button" key={format} onClick={() => take(format, file)}>
              {format === "html" ? t("export.page") : format === "pharaoh" ? "Pharaoh" : format.toUpperCase()}
            </button>
          ))}
        </p>
        <Command label={t("export.curl")} text={curl} />
        <Command label={t("export.command")} text={commandOf(question)} />
        <p class="note">{t("export.folder", { model: question.model })}</p>
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
