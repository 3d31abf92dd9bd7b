// Writes the page without a server: one folder of files that needs nothing else, also when it is opened from a disk.
// usage: assemble.mjs ENGINE FOLDER MODEL...
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const kMostModelBytes = 2 * 1024 * 1024; // of all models
const kModelFiles = ["config.json", "model.safetensors", "source.vocab", "target.vocab", "trigrams.json"];
// Whatever the page shows, it runs no script but its own, and asks nobody.
const kPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; style-src 'self'; img-src 'self' blob:; " +
  "base-uri 'none'; form-action 'none'";

const kServer = "http://127.0.0.1:8080"; // of dhyan serve, for the commands that the page shows

const here = dirname(fileURLToPath(import.meta.url));
const page = join(here, "../dist");
const [engine, folder, ...models] = process.argv.slice(2);

// A text with one place changed, or an error if it has no such place: the page is made elsewhere.
function replaced(text, place, by) {
  const parts = text.split(place);
  if (parts.length !== 2) throw new Error(`index.html has '${place}' ${parts.length - 1} times, expected once`);
  return parts.join(by);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const name of ["style.css", "icon.svg"]) copyFileSync(join(page, name), join(folder, name));
copyFileSync(join(here, "local_server.js"), join(folder, "local_server.js"));

const sources = [engine, join(here, "worker.js")].map((path) => readFileSync(path, "utf8"));
writeFileSync(join(folder, "engine.js"), `const dhyanEngineSource = ${JSON.stringify(sources)};\n`);

let bytes = 0;
const packed = {};
for (const model of models) {
  const files = kModelFiles.map((file) => [file, readFileSync(join(model, file))]);
  bytes += files.map(([, content]) => content.length).reduce((a, b) => a + b);
  packed[basename(model)] = Object.fromEntries(files.map(([file, content]) => [file, content.toString("base64")]));
}
if (bytes > kMostModelBytes) throw new Error(`the models have ${bytes} bytes, expected at most ${kMostModelBytes}`);
writeFileSync(join(folder, "models.js"), `const dhyanModels = ${JSON.stringify(packed)};\n`);

// Browsers load no modules from a disk.
const app = readFileSync(join(page, "app.js"), "utf8");
writeFileSync(join(folder, "app.js"), `"use strict";\n(() => {\n${app}\n})();\n`);
const scripts = ["engine.js", "models.js", "local_server.js", "app.js"]
  .map((name) => `<script defer src="${name}"></script>`)
  .join("\n    ");
let index = readFileSync(join(page, "index.html"), "utf8");
index = replaced(index, '<script type="module" src="/app.js"></script>', scripts);
index = replaced(index, 'href="/icon.svg"', 'href="icon.svg"');
index = replaced(index, 'href="/style.css"', 'href="style.css"');
index = replaced(
  index,
  '<meta charset="utf-8" />',
  `<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${kPolicy}" />
    <meta name="server" content="${kServer}" />`,
);
writeFileSync(join(folder, "index.html"), index);
console.log(`${folder}: models of ${bytes} bytes`);
