import type { Page } from "@playwright/test";
import type { Key } from "../src/texts";
import { english } from "../src/texts/english";
import { views } from "../src/views";
import { expect, test } from "./explorer";

const linkTo = (page: Page, id: string) =>
  page.getByRole("navigation").getByRole("link", { name: english[`view.${id}` as Key], exact: true });

for (const { id, kind } of views) {
  test(`${id}: is one click away, and one line says how to read it`, async ({ explorer, page }) => {
    await explorer.open({ view: id === "map" ? "tour" : "map" });
    const link = linkTo(page, id);
    await link.click();
    await expect(link).toHaveAttribute("aria-current", "page");
    await expect(page.locator("main h2")).toBeVisible();
    expect((await page.locator("main .how").innerText()).length).toBeGreaterThan(20);
    await explorer.settled();
  });

  test(`${id}: the keyboard alone gets there and to its controls`, async ({ explorer, page }) => {
    await explorer.open({ view: id === "map" ? "tour" : "map" });
    const link = linkTo(page, id);
    for (let presses = 0; presses < 25; ++presses) {
      await page.keyboard.press("Tab");
      if (await link.evaluate((element) => element === document.activeElement)) break;
    }
    await page.keyboard.press("Enter");
    await expect(link).toHaveAttribute("aria-current", "page");
    await explorer.settled();
    const reached: string[] = [];
    for (let presses = 0; presses < 30 && !reached.includes("view"); ++presses) {
      await page.keyboard.press("Tab");
      reached.push(await page.evaluate(() => (document.activeElement?.closest(".view") ? "view" : "")));
    }
    if (id !== "coverage") expect(reached).toContain("view"); // it only shows
  });

  test(`${id}: an address opened anew shows the same`, async ({ explorer, page }) => {
    await explorer.open({ view: id, step: 2 });
    const before = await page.locator("main").innerText();
    await page.reload();
    await explorer.settled();
    expect(await page.locator("main").innerText()).toBe(before);
    if (kind === "text") expect(before).toContain("Radha");
  });

  for (const look of ["light", "dark", "forced colours", "phone"] as const) {
    test(`${id}: axe finds nothing, ${look}`, async ({ explorer, page }) => {
      await page.emulateMedia({
        colorScheme: look === "dark" ? "dark" : "light",
        forcedColors: look === "forced colours" ? "active" : "none",
        reducedMotion: "reduce",
      });
      if (look === "phone") await page.setViewportSize({ width: 320, height: 640 });
      await explorer.open({ view: id, step: 2 });
      await explorer.expectAccessible();
      if (look !== "phone") return;
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, "nothing but maps and tables scrolls sideways").toBeLessThanOrEqual(320);
    });
  }

  test(`${id}: controls are at least 24 pixels high`, async ({ explorer, page }) => {
    await explorer.open({ view: id, step: 2 });
    const small = await page.evaluate(() =>
      [...document.querySelectorAll("nav a, button, select, input, summary, [role=grid] td[tabindex]")]
        .filter((element) => !element.closest(".skip, .unseen"))
        .map((element) => ({ html: element.outerHTML.slice(0, 80), height: element.getBoundingClientRect().height }))
        .filter(({ height }) => height > 0 && height < 23.9),
    );
    expect(small).toEqual([]);
  });

  test(`${id}: looks as it did`, async ({ explorer, page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await explorer.open({ view: id, step: 2 });
    await expect(page).toHaveScreenshot(`${id}.png`);
  });
}

test("an address keeps guesses, the node of a tree and the order of heads", async ({ explorer, page }) => {
  await explorer.open({ view: "guess" });
  await explorer.grid().getByRole("gridcell", { name: "Radha ← राधा" }).click();
  await page.getByRole("button", { name: "Reveal and score" }).click();
  await page.reload();
  await expect(page.locator(".view .result")).toHaveText("1 of 1 right");
  await explorer.open({ view: "beam" });
  await page.locator(".node.best").nth(1).click();
  await page.reload();
  await expect(page.locator(".view h3").first()).toHaveText("Radha will");
  await explorer.open({ view: "lines", model: "transformer-tiny" });
  await page.getByLabel("Sort by").selectOption("sharpness");
  await page.reload();
  await expect(page.getByLabel("Sort by")).toHaveValue("sharpness");
});

test("an address keeps the word that is opened, what is half typed, and what is listed to take away", async ({
  explorer,
  page,
}) => {
  await explorer.open({ view: "mend" });
  await page.locator(".mend-words").getByRole("button", { name: "sweets" }).click();
  await page.getByLabel("Require a word").fill("mar");
  await page.getByLabel("Begin with").fill("Ra");
  await page.getByText("Take it away").click();
  await expect(page.locator(".alternatives button").first()).toBeVisible();
  await expect(page).toHaveURL(/export=1/);
  await page.reload();
  await explorer.settled();
  await expect(page.locator(".mend-words [aria-pressed=true]")).toHaveText("sweets");
  await expect(page.locator(".alternatives button").first()).toBeVisible();
  await expect(page.getByLabel("Require a word")).toHaveValue("mar");
  await expect(page.getByLabel("Begin with")).toHaveValue("Ra");
  await expect(page.getByRole("button", { name: "SVG" })).toBeVisible();
  await page.locator(".alternatives button").nth(1).click();
  await expect(page.locator(".mend-words [aria-pressed=true]")).toHaveCount(0);
});

test("the address follows a drag to its end, and changes at most 100 times in 30 seconds", async ({
  explorer,
  page,
}) => {
  await explorer.open({ view: "lines" });
  await page.evaluate(() => {
    const replace = history.replaceState.bind(history);
    const counted = { changes: 0 };
    Object.assign(window, { counted });
    history.replaceState = (...given) => {
      counted.changes += 1;
      replace(...given);
    };
  });
  const slider = page.getByRole("slider", { name: "Least weight of a line" });
  await slider.focus();
  for (let round = 0; round < 5; ++round) {
    for (let presses = 0; presses < 18; ++presses) await slider.press(round % 2 === 0 ? "ArrowRight" : "ArrowLeft");
  }
  await expect(page).toHaveURL(/least=1(&|$)/);
  const changes = await page.evaluate(() => (window as unknown as { counted: { changes: number } }).counted.changes);
  expect(changes).toBeGreaterThan(30);
  expect(changes).toBeLessThan(90);
});

test("an address in which anything may stand is shown all the same", async ({ explorer, page }) => {
  const odd = {
    ...{ ui: "%%", units: "letters", order: "size", place: "nowhere", head: "9.9", step: "2.5", node: 1e9, beam: "x" },
    ...{
      edits: "1:;nonsense",
      versions: "%E0%A4|",
      guesses: "-1,x",
      from: "a,b",
      links: "9-9",
      tour: "1,2",
      with: "-",
    },
    ...{
      word: 99,
      export: 7,
      scene: "huge;circle,red,large,a,b",
      checkpoint: -7,
      sentence: -1,
      least: "much",
      clauses: "",
    },
  };
  for (const { id } of views) {
    await explorer.open({ ...odd, view: id });
    await expect(page.locator(".view > :not(.heading)").first(), id).toBeVisible();
    await expect(page.getByRole("alert"), id).toHaveCount(0);
  }
  await explorer.open({ view: "nothing" });
  await expect(explorer.grid()).toBeVisible();
});

test("the first stop of Tab skips to the sentence", async ({ explorer, page }) => {
  await explorer.open({});
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the sentence" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Source" })).toBeFocused();
});

test("the page is in Hindi for those who want it", async ({ explorer, page }) => {
  await explorer.open({});
  await page.getByRole("link", { name: "हिन्दी" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "hi");
  await expect(page.locator("nav a").first()).toHaveText("मानचित्र");
  await explorer.settled();
  await explorer.expectAccessible();
});
