// Texts that nobody expects, and servers that fail.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { views } from "../src/views";
import { expect, kSentence, test } from "./explorer";

const kTexts = {
  markup: "<img src=x onerror=alert(1)> <script>alert(2)</script>",
  emoji: "😀 👩‍👩‍👧‍👦 मैं",
  Arabic: "أنا آكل الطعام",
  conjuncts: "क्षत्रिय विद्यार्थी ज्ञान",
};

for (const [name, text] of Object.entries(kTexts)) {
  test(`${name} is shown as text`, async ({ explorer, page }) => {
    page.on("dialog", () => expect(false, "a script ran").toBe(true));
    await explorer.open({ q: text });
    await expect(page.getByRole("textbox", { name: "Source" })).toHaveValue(text);
    const words = await explorer.grid().locator("thead th").allInnerTexts();
    expect(words.slice(0, -1).join("")).toBe(text.replace(/\s/g, ""));
    expect(await page.locator("main img").count()).toBe(0);
  });
}

// What a model writes is no more trusted than what is typed.
for (const payload of ["<img/src=x/onerror=alert(1)>", "👩‍👩‍👧‍👦", "أنا"]) {
  test(`${payload} in a translation is shown as text in every view`, async ({ explorer, page }) => {
    test.setTimeout(120_000);
    page.on("dialog", () => expect(false, "a script ran").toBe(true));
    for (const path of ["/v1/translate", "/v1/explain"]) {
      await page.route(path, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replaceAll("sweets", payload) });
      });
    }
    for (const { id, kind } of views) {
      if (kind !== "text") continue;
      await explorer.open({ view: id, step: 4 });
      await expect(page.locator("main"), id).toContainText(payload);
      expect(await page.locator("main img").count(), id).toBe(0);
    }
  });
}

test("a guess is said to be one, and the unknown words are named", async ({ explorer, page }) => {
  await explorer.open({ q: "asdf मैं qwer zxcv" });
  await expect(page.locator(".composer")).toContainText("knows few of these words, so it guesses");
  await expect(page.locator(".composer")).toContainText("Unknown to the model: asdf, qwer, zxcv");
  await expect(page.getByRole("status")).toContainText("so it guesses");
  await page.getByRole("textbox", { name: "Source" }).fill(kSentence);
  await expect(page.locator(".composer .notice")).toHaveCount(0);
});

test("a translation that was cut off is said to be", async ({ explorer, page }) => {
  await page.route("/v1/translate", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('"finished":true', '"finished":false') });
  });
  await explorer.open({});
  await expect(page.locator(".composer .notice")).toContainText("was cut off");
  await explorer.expectAccessible();
});

test("a model that the server does not have is said to be replaced", async ({ explorer, page }) => {
  await explorer.open({ model: "unheard-of" });
  await expect(page.locator(".composer .notice").first()).toHaveText(
    "This server has no model unheard-of; fr-en is used.",
  );
});

test("nothing is translated into nothing", async ({ explorer, page }) => {
  await explorer.open({});
  await page.getByRole("textbox", { name: "Source" }).fill("");
  await expect(page.getByText("Type a sentence, or choose an example.")).toBeVisible();
  await expect(explorer.grid()).toHaveCount(0);
});

const kTroubles: [number, RegExp][] = [
  [429, /Too many requests.*7 seconds/],
  [503, /too much to do.*7 seconds/],
  [504, /took too long/],
  [400, /That did not work: told why/],
];

for (const [status, words] of kTroubles) {
  test(`status ${status} is said in words, and nothing typed is lost`, async ({ troubled, page }) => {
    await troubled.open({});
    await page.route("/v1/translate", (route) =>
      route.fulfill({
        status,
        headers: { "Retry-After": "7" },
        json: { error: { code: status, message: "told why" } },
      }),
    );
    await page.getByRole("textbox", { name: "Source" }).fill("मीरा उपन्यास लिखेगी");
    await expect(page.getByRole("alert")).toContainText(words);
    await expect(page.getByRole("textbox", { name: "Source" })).toHaveValue("मीरा उपन्यास लिखेगी");
    await troubled.expectAccessible();
    await page.unroute("/v1/translate");
    if (status === 400) {
      await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0); // it would not help
      return;
    }
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(troubled.translation()).toContainText("Meera");
  });
}

test("a view that asks for itself says what went wrong, too", async ({ troubled, page }) => {
  for (const { id, path } of [
    { id: "longer", path: "/v1/translate" },
    { id: "mend", path: "/v1/translate" },
    { id: "step", path: "/v1/explain" },
    { id: "work", path: "/v1/explain" },
  ]) {
    await page.route(path, (route) =>
      route.request().postDataJSON().stream || route.request().postDataJSON().encoding
        ? route.continue()
        : route.fulfill({ status: 503, json: { error: { code: 503, message: "busy" } } }),
    );
    await troubled.open({ view: id });
    await expect(page.getByRole("alert").first(), id).toContainText("too much to do");
    await page.unroute(path);
    await page.getByRole("button", { name: "Try again" }).first().click();
    await expect(page.getByRole("alert"), id).toHaveCount(0);
  }
});

test("a server that needs a key gets the one that is typed, and the address does not", async ({ troubled, page }) => {
  const asked: (string | undefined)[] = [];
  await page.route("/v1/**", (route) => {
    asked.push(route.request().headers().authorization);
    if (asked.at(-1) === "Bearer secret") return route.continue();
    return route.fulfill({ status: 401, json: { error: { code: 401, message: "this server needs an API key" } } });
  });
  await page.goto("/#view=map");
  await page.getByLabel("API key").fill("secret");
  await page.keyboard.press("Enter");
  await expect(troubled.grid()).toBeVisible();
  expect(asked[0]).toBeUndefined();
  expect(page.url()).not.toContain("secret");
});

test("a server that is gone is said to be gone, and the page goes on when it is back", async ({ troubled, page }) => {
  await troubled.open({});
  await page.route("/v1/**", (route) => route.abort());
  await page.getByRole("textbox", { name: "Source" }).fill("मीरा उपन्यास लिखेगी");
  await expect(page.getByRole("alert")).toContainText("does not answer");
  await page.unroute("/v1/**");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(troubled.translation()).toContainText("Meera");
});

test("the command line names a folder to fill in", async ({ explorer, page }) => {
  await explorer.open({});
  await page.getByText("Take it away").click();
  await expect(page.locator(".export code").last()).toContainText("dhyan explain -m FOLDER ");
  await expect(page.locator(".export .note")).toContainText("rnnsearch");
});

interface Export {
  state: Record<string, string>;
  options: string[];
  formats: Record<string, string>;
}

const kExports: Export[] = [
  {
    state: {},
    options: [],
    formats: { SVG: "svg", PNG: "png", CSV: "csv", JSON: "json", Pharaoh: "pharaoh", Page: "html" },
  },
  {
    state: { model: "transformer-tiny", place: "encoder", head: "2.3", units: "subword" },
    options: ["--attention", "encoder", "--layer", "2", "--head", "3", "--units", "subword"],
    formats: { SVG: "svg", JSON: "json", Page: "html" },
  },
];

for (const { state, options, formats } of kExports) {
  test(`exports have the bytes of dhyan explain ${options.join(" ")}`, async ({ explorer, page }) => {
    await explorer.open(state);
    await page.getByText("Take it away").click();
    for (const option of options) await expect(page.locator(".export code").last()).toContainText(option);
    for (const [button, format] of Object.entries(formats)) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: button, exact: true }).click(),
      ]);
      const output = `../build/web/explain.${format}`;
      const model = `../build/web/models/${state.model ?? "rnnsearch"}`;
      const shared = ["explain", "-m", model, "--beam-size", "4", "--format", format, "-o", output];
      execFileSync("../build/release/dhyan", [...shared, ...options, kSentence]);
      expect(readFileSync((await download.path())!).equals(readFileSync(output)), format).toBe(true);
    }
  });
}
