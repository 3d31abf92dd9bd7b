// What each view is for, by the keyboard alone.
import type { Locator, Page } from "@playwright/test";
import { views } from "../src/views";
import { expect, test } from "./explorer";

// Presses Tab until it is reached.
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let presses = 0; presses < 120; ++presses) {
    await page.keyboard.press("Tab");
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${wanted}`);
}

async function press(page: Page, wanted: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press(key);
}

const button = (page: Page, name: string) => page.locator(".view").getByRole("button", { name, exact: true });
const stop = (page: Page) => page.locator("[role=grid] td[tabindex='0']"); // of the map

const kActs: Record<string, (page: Page) => Promise<void>> = {
  map: async (page) => {
    await press(page, stop(page), "ArrowDown");
    await page.keyboard.press("Enter");
    await expect(page.locator(".panel h3")).toHaveText("Read while writing will");
  },
  lines: async (page) => {
    await press(page, page.getByRole("slider", { name: "Least weight of a line" }), "End");
    await expect(page.locator(".line-picture path")).toHaveCount(0);
    await press(page, page.locator(".line-words button").nth(2));
    await expect(page.locator(".line-words button").nth(2)).toHaveAttribute("aria-pressed", "true");
    await press(page, page.locator(".heads button").first());
    await expect(page).toHaveURL(/head=1\.1/);
  },
  step: async (page) => {
    await press(page, button(page, "sell"));
    await expect(page.locator(".step-title")).toHaveText("Step 3 writes sell");
  },
  beam: async (page) => {
    const heading = page.locator(".view h3").first();
    const before = await heading.innerText();
    await press(page, page.locator(".node[tabindex='0']"), "ArrowLeft");
    await expect(heading).not.toHaveText(before);
    await expect(page).toHaveURL(/node=\d+/);
  },
  compare: async (page) => {
    await press(page, page.getByLabel("Compare with"), "ArrowDown");
    await expect(page).toHaveURL(/with=transformer-tiny/);
    await expect(page.getByRole("grid")).toHaveCount(2);
  },
  influence: async (page) => {
    await press(page, button(page, "sweets"));
    await expect(page.locator("table.numbers")).toContainText("the word depends on it");
  },
  guess: async (page) => {
    await press(page, stop(page));
    await press(page, button(page, "Reveal and score"));
    await expect(page.locator(".view .result")).toHaveText("1 of 1 right");
  },
  alignment: async (page) => {
    await press(page, stop(page));
    await expect(page.getByLabel(/Pharaoh/)).toHaveValue("0-0");
  },
  work: async (page) => {
    await press(page, page.getByRole("slider", { name: "Weight of दुकान" }), "End");
    await expect(page.locator(".outcome")).toContainText("Rows edited: 1");
    await page.locator(".skip").focus();
    await press(page, button(page, "Undo"));
    await expect(page.locator(".outcome")).toContainText("As the model wrote it.");
  },
  mend: async (page) => {
    await press(page, page.locator(".mend-words").getByRole("button", { name: "sweets" }));
    await press(page, page.locator(".alternatives button").nth(1));
    await expect(page.locator(".versions .versions button")).toHaveCount(1);
    await expect(page.locator(".mend-words")).not.toContainText("sweets");
  },
  longer: async (page) => {
    await press(page, button(page, "Add a clause"));
    await expect(page.locator("table.lengths tbody tr")).toHaveCount(2);
  },
  learned: async (page) => {
    await press(page, page.getByRole("slider", { name: "Checkpoint" }), "Home");
    await expect(page).toHaveURL(/checkpoint=0/);
  },
  pictures: async (page) => {
    await press(page, page.locator(".handle").first(), "ArrowLeft");
    await expect(page).toHaveURL(/scene=/);
    await press(page, page.locator(".caption-words button").first());
    await expect(page.locator(".overlay span")).toHaveCount(64);
  },
  tour: async (page) => {
    const weight = page.locator(".tour td.shaded").first();
    await expect(weight).toHaveText("0.4231");
    await press(page, page.getByLabel("Wk 2,2"), "ArrowUp");
    await expect(weight).not.toHaveText("0.4231");
  },
};

for (const { id } of views) {
  if (id === "coverage") continue; // it only shows
  test(`${id}: does its work by the keyboard alone`, async ({ explorer, page }) => {
    await explorer.open({ view: id });
    await kActs[id](page);
    await explorer.settled();
  });
}
