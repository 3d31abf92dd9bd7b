import { expect, kSentence, leastOf, test } from "./explorer";

const numbers = (texts: string[]) => texts.map((text) => Number(/, ([\d.]+)/.exec(text)![1]));

test("every row of the map sums to 1", async ({ explorer, page }) => {
  await explorer.open({});
  for (const row of await page.locator("[role=grid] tbody tr").all()) {
    const labels = await row
      .locator("td")
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")!));
    const total = numbers(labels).reduce((a, b) => a + b, 0);
    expect(Math.abs(total - 1)).toBeLessThan(0.005 * labels.length);
  }
});

test("a cell is named by its words and its weight", async ({ explorer }) => {
  await explorer.open({ q: "मैं खाना खा रहा हूँ" });
  await expect(explorer.grid().getByRole("gridcell", { name: /^eating ← खा, 0\.\d\d$/ })).toBeVisible();
});

test("the map is one stop of Tab, and the arrow keys walk it", async ({ explorer, page }) => {
  await explorer.open({});
  const cells = explorer.grid().locator("tbody td");
  expect(await explorer.grid().locator("td[tabindex='0']").count()).toBe(1);
  await cells.first().focus();
  const at = () =>
    page.evaluate(() => {
      const cell = document.activeElement as HTMLTableCellElement;
      return [(cell.parentElement as HTMLTableRowElement).sectionRowIndex, cell.cellIndex - 1];
    });
  const press = async (key: string) => {
    await page.keyboard.press(key);
    return at();
  };
  expect(await press("ArrowRight")).toEqual([0, 1]);
  expect(await press("ArrowDown")).toEqual([1, 1]);
  expect(await press("End")).toEqual([1, 5]);
  expect(await press("Control+Home")).toEqual([0, 0]);
  expect(await press("ArrowLeft")).toEqual([0, 0]);
  expect(await press("Control+End")).toEqual([7, 5]);
  expect(await press("PageUp")).toEqual([0, 5]);
  expect(await press("Home")).toEqual([0, 0]);
  expect(await explorer.grid().locator("td[tabindex='0']").count()).toBe(1);
});

test("Enter and a click pin a step, and again let it go", async ({ explorer, page }) => {
  await explorer.open({});
  await explorer.grid().locator("tbody tr").nth(2).locator("td").first().focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".panel h3")).toContainText("sell");
  await expect(page).toHaveURL(/step=3/);
  await explorer.grid().locator("tbody tr").nth(2).locator("td").nth(1).click();
  await expect(page.locator(".panel h3")).toHaveText("The whole sentence");
});

test("moving over the map changes two classes and not the table", async ({ explorer, page }) => {
  await explorer.open({});
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver((changes) => {
      for (const { type, attributeName, target } of changes) seen.push(`${type} ${attributeName} ${target.nodeName}`);
    }).observe(document.querySelector("[role=grid]")!, {
      attributes: true,
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  await explorer.grid().locator("tbody tr").nth(1).locator("td").nth(1).hover();
  await explorer.grid().locator("tbody tr").nth(3).locator("td").nth(3).hover();
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  expect(new Set(seen)).toEqual(new Set(["attributes class TR", "attributes class COL"]));
});

test("words of the translation carry their probability", async ({ explorer }) => {
  await explorer.open({});
  const word = explorer.translation().getByRole("button", { name: /^sell ?, probability [01]\.\d\d$/ });
  await expect(word).toBeVisible();
});

test("the running text is not cut at tokens", async ({ explorer, page }) => {
  await explorer.open({ units: "subword" });
  const words = await page
    .locator(".composer .word")
    .evaluateAll((all) => all.map((word) => word.firstChild!.textContent));
  expect(words.join(" ")).toBe("Radha will sell sweets in the shop");
});

test("words and tokens can be chosen", async ({ explorer, page }) => {
  await explorer.open({ model: "transformer-tiny" });
  await page.getByLabel("Show").selectOption("subword");
  await expect(page).toHaveURL(/units=subword/);
  await explorer.settled();
  await expect(explorer.grid()).toBeVisible();
});

test("sentences stream in, and each can be looked into", async ({ explorer, page }) => {
  await explorer.open({ q: `${kSentence}\nमीरा उपन्यास लिखेगी` });
  await page.getByRole("button", { name: /Meera/ }).click();
  await explorer.settled();
  await expect(explorer.grid().locator("tbody th").first()).toHaveText("Meera");
});

test("sentences stand apart, and the page says which of them is looked into", async ({ explorer, page }) => {
  await explorer.open({ q: "मैं घर जाता हूँ। तुम खाना खाते हो।" });
  const sentences = page.locator(".composer .sentence");
  await expect(sentences).toHaveCount(2);
  const edges = await sentences.evaluateAll(([first, second]) => [
    first.lastElementChild!.getBoundingClientRect().right,
    second.getBoundingClientRect().left,
  ]);
  expect(edges[1] - edges[0]).toBeGreaterThan(3);
  await expect(page.locator(".composer")).toContainText("2 sentences; you are looking into sentence 1.");
  const whole = (await sentences.last().innerText()).trim();
  await expect(page.getByRole("status")).toContainText(whole);
  await sentences.last().click();
  await expect(page.locator(".composer")).toContainText("you are looking into sentence 2.");
});

test("the map of 30 words is there 100 ms after its answer", async ({ explorer, page }) => {
  const words =
    "मुझे पता है कि अगर मौसम अच्छा होगा तो हमारा पड़ोसी आराम करेगा लेकिन अगर आप दिल्ली लौटेंगी तो प्रिया मिठाई लाएगी और राधा दुकान में मिठाई बेचेगी";
  await page.addInitScript(() => {
    const fetched = window.fetch;
    window.fetch = async (...given) => {
      const response = await fetched(...given);
      if (!String(given[0]).includes("explain")) return response;
      const json = response.json.bind(response);
      response.json = async () => {
        const value = await json();
        performance.mark("answered");
        return value;
      };
      return response;
    };
    new MutationObserver(() => {
      if (
        document.querySelectorAll("[role=grid] td[tabindex]").length > 300 &&
        !performance.getEntriesByName("shown").length
      ) {
        requestAnimationFrame(() => performance.mark("shown"));
      }
    }).observe(document, { childList: true, subtree: true });
  });
  const time = async () => {
    await explorer.open({ q: words });
    return page.evaluate(() => {
      const at = (name: string) => performance.getEntriesByName(name)[0].startTime;
      return at("shown") - at("answered");
    });
  };
  expect(await leastOf(5, time)).toBeLessThan(100);
});
