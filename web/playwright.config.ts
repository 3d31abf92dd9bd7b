// Drives Debian's Chromium against the real binary, which trains its demonstration models the first time.
import { defineConfig } from "@playwright/test";

const port = 8321;

export default defineConfig({
  testDir: "browser",
  outputDir: "../build/web/results",
  snapshotPathTemplate: "browser/golden/{arg}{ext}",
  workers: 1,
  timeout: 180_000, // a busy machine takes its time; what must be fast is measured by itself
  reporter: "line",
  expect: { timeout: 30_000, toHaveScreenshot: { maxDiffPixelRatio: 0.02, animations: "disabled" } },
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1280, height: 720 },
    locale: "en-US",
    launchOptions: {
      executablePath: "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: {
    command: `browser/serve ${port}`,
    url: `http://127.0.0.1:${port}/health`,
    timeout: 900_000,
  },
});
