// Bundles the unit tests and runs them in Node.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { build } from "esbuild";

const tests = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
await build({
  entryPoints: tests.map((name) => `test/${name}`),
  outdir: "../build/web/unit",
  bundle: true,
  format: "esm",
  outExtension: { ".js": ".mjs" },
  platform: "node",
  jsx: "automatic",
  jsxImportSource: "preact",
});
const files = tests.map((name) => `../build/web/unit/${name.replace(/\.ts$/, ".mjs")}`);
process.exit(spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1);
