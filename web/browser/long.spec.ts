// 500 words, in every view.
import type { Browser, Page } from "@playwright/test";
import { views } from "../src/views";
import { expect, kSentence, test } from "./explorer";

const kWords = Array.from({ length: 500 }, (_, index) => kSentence.split(" ")[index % 5]).join(" ");

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  tdur?: number; // microseconds of the processor, whatever else the machine does
  args: { name?: string };
}

// The processor time of the page's longest task, in milliseconds.
async function longestTask(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(traceEvents.filter(({ args }) => args.name === "CrRendererMain").map(threadOf));
  const times = traceEvents
    .filter((event) => event.ph === "X" && event.name.endsWith("RunTask") && main.has(threadOf(event)))
    .flatMap(({ tdur }) => (tdur === undefined ? [] : tdur / 1000)); // none: the trace began or ended in it
  expect(times.length).toBeGreaterThan(10);
  return Math.max(...times);
}

const kTexts = views.filter(({ kind }) => kind === "text");

for (const { id } of kTexts) {
  test(`${id}: 500 words do not freeze the page`, async ({ explorer, page, browser }) => {
    test.setTimeout(120_000);
    const open = async () => {
      await explorer.open({ view: id, q: kWords });
      await expect(page.locator(".view > :not(.heading)").first()).toBeVisible();
    };
    expect(await longestTask(browser, page, open)).toBeLessThan(200);
  });
}

const kSelf: Record<string, string>[] = [{ view: "lines" }, { view: "map", place: "encoder" }];
for (const state of kSelf) {
  test(`${state.view}: nor does the self-attention of 500 words`, async ({ explorer, page, browser }) => {
    test.setTimeout(120_000);
    const open = async () => {
      await explorer.open({ ...state, q: kWords, model: "transformer-tiny" });
      await expect(page.locator("canvas").first()).toBeVisible();
    };
    expect(await longestTask(browser, page, open)).toBeLessThan(200);
  });
}

test("a map of more than 2,500 cells is a canvas, and a window that is moved by fields and a click", async ({
  explorer,
  page,
}) => {
  await explorer.open({ q: kWords });
  expect(await explorer.grid().locator("tbody td").count()).toBeLessThanOrEqual(24 * 16);
  await page.getByLabel("From column").fill("101");
  await expect(page).toHaveURL(/from=0%2C100/);
  await expect(explorer.grid().locator("thead th").first()).toHaveText("राधा");
  const overview = (await page.locator(".overview").boundingBox())!;
  await page.mouse.click(overview.x + overview.width - 2, overview.y + overview.height - 2);
  await expect(explorer.grid().locator("thead th").last()).toHaveText("</s>");
});

test("of a long sentence, weights around the word read most are shown, and the others can be", async ({
  explorer,
  page,
}) => {
  await explorer.open({ view: "work", q: kWords });
  await expect(page.locator("table.work tbody tr")).toHaveCount(40);
  await page.getByLabel("40 of 501 words, from word").fill("462");
  await expect(page.locator("table.work tbody th").last()).toHaveText("</s>");
});
