// Bundles src/ into dist/, which is committed: the binary embeds it, and building that needs no npm. dist/sources.txt has
// the SHA-256 of what dist/ was made of; tests/page_test.cpp compares it with the tree.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const kMostBytes = 60 * 1024; // of the whole page, compressed

mkdirSync("dist", { recursive: true });
const common = {
  bundle: true,
  minify: true,
  legalComments: "none",
  target: ["es2022", "chrome111", "firefox113", "safari16.4"],
};
await build({
  ...common,
  entryPoints: ["src/main.tsx"],
  outfile: "dist/app.js",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
});
await build({ ...common, entryPoints: ["src/style.css"], outfile: "dist/style.css" });
copyFileSync("src/index.html", "dist/index.html");
copyFileSync("src/icon.svg", "dist/icon.svg");

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((path) => statSync(path).isFile());
const sources = ["build.mjs", "package-lock.json", "package.json", "tsconfig.json", ...filesBelow("src")].sort();
const hash = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");
writeFileSync("dist/sources.txt", sources.map((path) => `${hash(path)}  ${path}\n`).join(""));

const served = ["app.js", "icon.svg", "index.html", "style.css"];
const bytes = served.map((name) => gzipSync(readFileSync(`dist/${name}`), { level: 9 }).length).reduce((a, b) => a + b);
console.log(`dist: ${bytes} bytes compressed`);
if (bytes > kMostBytes) throw new Error(`the page is larger than ${kMostBytes} bytes`);
