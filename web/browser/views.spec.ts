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

  test(`${id}: looks as it did`, async ({ explorer, page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await explorer.open({ view: id, step: 2 });
    await expect(page).toHaveScreenshot(`${id}.png`);
  });
}

test("the first stop of Tab skips to the sentence", async ({ explorer, page }) => {
  await explorer.open({});
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the sentence" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
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

test("controls are at least 24 pixels high", async ({ explorer, page }) => {
  for (const { id } of views) {
    await explorer.open({ view: id, step: 2 });
    const small = await page.evaluate(() =>
      [...document.querySelectorAll("nav a, button, select, input, summary, [role=grid] td[tabindex]")]
        .filter((element) => !element.closest(".skip, .unseen"))
        .map((element) => ({ html: element.outerHTML.slice(0, 80), height: element.getBoundingClientRect().height }))
        .filter(({ height }) => height > 0 && height < 23.9),
    );
    expect(small, id).toEqual([]);
  }
});
