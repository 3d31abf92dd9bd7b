// Views that change the translation.
import { readFileSync } from "node:fs";
import { expect, test } from "./explorer";

const kEdited = { view: "work", step: 3 };

test("reading another word changes the translation, and undo restores it", async ({ explorer, page }) => {
  await explorer.open(kEdited);
  await page.getByRole("button", { name: "Read दुकान alone: 1" }).click();
  await expect(page.locator(".outcome .translation")).toContainText("open");
  await expect(page.locator(".outcome ins").first()).toBeVisible();
  expect(await page.locator(".outcome .translation").innerHTML()).not.toContain("</del><ins>");
  await expect(page).toHaveURL(/edits=/);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.locator(".outcome ins")).toHaveCount(0);
  await expect(page.locator(".outcome .translation")).toHaveText("Radha will sell sweets in the shop");
});

test("a phone shows the whole row to work on", async ({ explorer, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await explorer.open(kEdited);
  const table = page.getByRole("region", { name: "Energies and weights to change" });
  const [width, shown] = await table.evaluate((region) => [region.scrollWidth, region.clientWidth]);
  expect(width).toBeLessThanOrEqual(shown);
});

test("a weight that is typed rescales the others, so that the row sums to 1", async ({ explorer, page }) => {
  await explorer.open(kEdited);
  const weights = page.getByRole("spinbutton", { name: /^Weight of/ });
  await weights.first().fill("0.5");
  await explorer.settled();
  const values = await weights.evaluateAll((fields) =>
    fields.map((field) => Number((field as HTMLInputElement).value)),
  );
  expect(values[0]).toBe(0.5);
  expect(Math.abs(values.reduce((a, b) => a + b, 0) - 1)).toBeLessThan(0.001);
});

test("a number outside its range is brought back to it when it is left, and the range is said", async ({
  explorer,
  page,
}) => {
  await explorer.open({});
  const beam = page.getByLabel("Beam", { exact: true }).first();
  await beam.fill("500");
  await expect(page.getByText("from 1 to 12")).toBeVisible();
  await beam.blur();
  await expect(beam).toHaveValue("12");
  await expect(page).toHaveURL(/beam=12/);
  await expect(page.getByText("from 1 to 12")).toHaveCount(0);
});

test("an energy that is typed goes through softmax", async ({ explorer, page }) => {
  await explorer.open(kEdited);
  const energies = page.getByRole("spinbutton", { name: /^Energy of/ });
  for (const [index, energy] of ["0", "0", "0", "0", "0", "0"].entries()) await energies.nth(index).fill(energy);
  await page
    .getByRole("spinbutton", { name: /^Energy of/ })
    .nth(1)
    .fill("0");
  await explorer.settled();
  const weights = await page
    .getByRole("slider", { name: /^Weight of/ })
    .evaluateAll((sliders) => sliders.map((slider) => Number((slider as HTMLInputElement).value)));
  expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 1);
});

test("an edited row keeps its bytes in the address", async ({ explorer, page }) => {
  await explorer.open(kEdited);
  await page.getByRole("button", { name: "Read दुकान alone: 1" }).click();
  await expect(page).toHaveURL(/edits=/);
  await explorer.settled();
  const before = await page.locator("main").innerText();
  await page.reload();
  await explorer.settled();
  expect(await page.locator("main").innerText()).toBe(before);
});

test("a word is mended by an alternative, and the tree goes back", async ({ explorer, page }) => {
  await explorer.open({ view: "mend" });
  await page.locator(".mend-words").getByRole("button", { name: "sweets" }).click();
  await page.locator(".alternatives button").nth(1).click();
  await expect(page.locator(".versions .versions button")).toHaveCount(1);
  await explorer.settled();
  await expect(page.locator(".mend-words")).not.toContainText("sweets");
  await page.locator(".versions button").first().click();
  await expect(page.locator(".mend-words")).toContainText("sweets");
});

test("a word that the model cannot write is said to be one, and mending goes on without it", async ({
  troubled,
  page,
}) => {
  await troubled.open({ view: "mend" });
  await page.getByLabel("Require a word").fill("quantum");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("the model has no word for 'quantum'");
  await expect(page.locator(".versions .versions")).toContainText("not possible");
  await page.getByRole("button", { name: "Back to the version before" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.locator(".versions button")).toHaveCount(1);
  await page.getByLabel("Require a word").fill("market");
  await page.keyboard.press("Enter");
  await expect(page.locator(".mend-words")).toContainText("market");
});

test("words are forbidden, required and begun with", async ({ explorer, page }) => {
  await explorer.open({ view: "mend" });
  const words = page.locator(".mend-words");
  await words.getByRole("button", { name: "sell" }).click();
  await page.getByRole("button", { name: "Forbid sell" }).click();
  await expect(words).not.toContainText("sell");
  await page.getByLabel("Require a word").fill("market");
  await page.keyboard.press("Enter");
  await expect(words).toContainText("market");
  await page.getByLabel("Begin with").fill("Ravi");
  await page.keyboard.press("Enter");
  await expect(words).toHaveText(/^Ravi/);
  await expect(page.locator(".versions button")).toHaveCount(4);
});

test("a guess is scored once it is revealed", async ({ explorer, page }) => {
  await explorer.open({ view: "guess" });
  await expect(explorer.grid().locator("td.dark")).toHaveCount(0);
  await explorer.grid().getByRole("gridcell", { name: "Radha ← राधा" }).click();
  await page.getByRole("button", { name: "Reveal and score" }).click();
  await expect(page.locator(".view .result")).toHaveText("1 of 1 right");
  await expect(explorer.grid().getByRole("gridcell", { name: /Radha ← राधा, 0\.\d\d, guessed right/ })).toBeVisible();
});

test("links are drawn, pasted and scored", async ({ explorer, page }) => {
  await explorer.open({ view: "alignment" });
  await explorer
    .grid()
    .getByRole("gridcell", { name: /^Radha ← राधा/ })
    .click();
  await expect(page.getByLabel(/Pharaoh/)).toHaveValue("0-0");
  await page.getByLabel(/Pharaoh/).fill("0-0 4-1 4-2 3-3 2-4 1-6");
  await expect(explorer.grid().locator("td.link")).toHaveCount(6);
  await expect(page.locator("table.numbers tbody tr").first()).toContainText("1.00");
});

test("the gold links of the phrasebook are offered for its sentences", async ({ explorer, page }) => {
  await explorer.open({ view: "alignment", q: "मैं खाना खा रहा हूँ" });
  await page.getByRole("button", { name: "Use the gold links" }).click();
  await expect(page.getByLabel(/Pharaoh/)).toHaveValue("0-0 1-3 2-2 3-1 4-1");
});

test("without the word it read most, a word becomes less probable", async ({ explorer, page }) => {
  await explorer.open({ view: "influence", step: 4 });
  const sweets = page.locator("table.numbers tbody tr").nth(3);
  await expect(sweets.getByRole("rowheader")).toHaveText("मिठाई");
  await expect(sweets.locator("td").nth(1)).toHaveText(/^−[1-9]/);
  await expect(sweets).toContainText("the word depends on it");
});

test("a longer sentence is kept by attention and forgotten without", async ({ explorer, page }) => {
  await explorer.open({ view: "longer" });
  await expect(page.locator("table.lengths")).not.toContainText("%");
  await expect(page.locator(".view")).toContainText("One clause alone has nothing to be compared with");
  for (let clauses = 0; clauses < 2; ++clauses) await page.getByRole("button", { name: "Add a clause" }).click();
  await explorer.settled();
  const rows = page.locator("table.lengths tbody tr");
  await expect(rows).toHaveCount(3);
  const kept = async (column: number) =>
    Number(/\((\d+)%\)/.exec(await rows.last().locator("td").nth(column).innerText())![1]);
  expect(await kept(0)).toBeGreaterThan(await kept(1));
});

test("the slider goes through the checkpoints", async ({ explorer, page }) => {
  await explorer.open({ view: "learned" });
  const text = page.locator(".view .translation");
  const last = await text.innerText();
  await page.getByRole("slider", { name: "Checkpoint" }).press("Home");
  await explorer.settled();
  expect(await text.innerText()).not.toBe(last);
  const film = page.getByRole("list", { name: "All checkpoints" }).getByRole("button");
  await expect(film.first()).toHaveAttribute("aria-pressed", "true");
  await film.last().click();
  await expect(text).toHaveText(last);
});

test("a shape is dragged, by pointer and by keys, and the caption follows", async ({ explorer, page }) => {
  await explorer.open({ view: "pictures", scene: "circle,red,large,16,32;square,blue,large,48,32" });
  const words = page.locator(".caption-words");
  await expect(words).toHaveText(/red\s*circle.*left.*blue\s*square/);
  const box = (await page.locator(".picture-frame").boundingBox())!;
  const at = (x: number, y: number) => [box.x + (x / 64) * box.width, box.y + (y / 64) * box.height] as const;
  await page.mouse.move(...at(48, 32));
  await page.mouse.down();
  await page.mouse.move(...at(16, 10), { steps: 4 });
  await page.mouse.up();
  await page.getByRole("button", { name: /^large red circle at/ }).focus();
  for (let presses = 0; presses < 2; ++presses) await page.keyboard.press("Shift+ArrowDown");
  await expect(page).toHaveURL(/circle%2Cred%2Clarge%2C16%2C48%3Bsquare%2Cblue%2Clarge%2C16%2C12/);
  await expect(words).toHaveText(/(above|below)/);
  await page.getByRole("button", { name: "Next word" }).click();
  await expect(page.locator(".overlay span")).toHaveCount(64);
});

test("a photograph is captioned", async ({ explorer, page }) => {
  await explorer.open({ view: "pictures" });
  const png = await page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    const context = canvas.getContext("2d")!;
    context.fillStyle = "#d0e0d0";
    context.fillRect(0, 0, 64, 64);
    context.fillStyle = "#cc2222";
    context.fillRect(20, 20, 22, 22);
    return canvas.toDataURL("image/png").split(",")[1];
  });
  await page
    .getByLabel("Photograph")
    .setInputFiles({ name: "square.png", mimeType: "image/png", buffer: Buffer.from(png, "base64") });
  await expect(page.locator(".caption-words")).toContainText("red");
  await expect(page.locator(".handle")).toHaveCount(0);
  await expect(page.locator(".view .notice")).toContainText("sees its shapes in any photograph");
  await expect(page.locator(".view .notice")).toContainText("keeps a scene but not a photograph");
});

test("a picture is dropped or pasted", async ({ explorer, page }) => {
  await explorer.open({ view: "pictures" });
  const give = (kind: "drop" | "paste", colour: string) =>
    page.evaluate(
      async ([kind, colour]) => {
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 64;
        const context = canvas.getContext("2d")!;
        context.fillStyle = colour;
        context.fillRect(20, 20, 22, 22);
        const blob = await new Promise<Blob>((resolve) => canvas.toBlob((blob) => resolve(blob!)));
        const data = new DataTransfer();
        data.items.add(new File([blob], "a.png", { type: "image/png" }));
        const how = { bubbles: true, cancelable: true };
        const event =
          kind === "drop"
            ? new DragEvent("drop", { ...how, dataTransfer: data })
            : new ClipboardEvent("paste", { ...how, clipboardData: data });
        document.querySelector(".picture-frame")!.dispatchEvent(event);
      },
      [kind, colour],
    );
  const picture = () => page.locator(".picture-frame img").getAttribute("src");
  const scene = await picture();
  await give("drop", "#cc2222");
  await expect(page.locator(".handle")).toHaveCount(0);
  await explorer.settled();
  const dropped = await picture();
  expect(dropped).not.toBe(scene);
  await give("paste", "#2222cc");
  await expect.poll(picture).not.toBe(dropped);
  await explorer.settled();
});

test("a caption over its picture is taken away as dhyan draws it", async ({ explorer, page }) => {
  await explorer.open({ view: "pictures", scene: "circle,red,large,16,32;square,blue,large,48,32" });
  await page.getByText("Take it away").click();
  for (const [button, begin] of Object.entries({ SVG: "<svg", PNG: "\x89PNG", Page: "<!doctype html" })) {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: button, exact: true }).click(),
    ]);
    const bytes = readFileSync((await download.path())!).toString("latin1");
    expect(bytes.toLowerCase().includes(begin.toLowerCase()), button).toBe(true);
  }
  await expect(page.locator(".export code")).toContainText("/v1/caption");
});

test("a file that is no picture leaves words and nothing to press in vain", async ({ troubled, page }) => {
  await troubled.open({ view: "pictures" });
  await page
    .getByLabel("Photograph")
    .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await expect(page.getByRole("alert")).toContainText("That did not work");
  await expect(page.locator("main img")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Try again|Next word/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Another scene" }).click();
  await expect(page.locator("main img")).toHaveCount(1);
});

test("the worked example has its nine weights, and follows a change", async ({ explorer, page }) => {
  await explorer.open({ view: "tour" });
  const weights = page.locator(".tour li").nth(3).locator("td.shaded");
  await expect(weights).toHaveText([
    "0.4231",
    "0.2697",
    "0.3072",
    "0.1487",
    "0.6466",
    "0.2047",
    "0.2728",
    "0.4543",
    "0.2728",
  ]);
  await page.getByLabel("Wk 2,2").fill("0");
  await expect(weights.first()).not.toHaveText("0.4231");
  await page.getByRole("button", { name: "Numbers as they were" }).click();
  await expect(weights.first()).toHaveText("0.4231");
});

test("a node of the beam tree shows its text, and arrow keys walk the tree", async ({ explorer, page }) => {
  await explorer.open({ view: "beam" });
  await page.locator(".node.best").first().click();
  await expect(page.locator(".view h3").first()).toHaveText("Radha");
  await page.keyboard.press("ArrowRight");
  await expect(page.locator(".view h3").first()).toHaveText("Radha will");
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(".view h3").first()).not.toHaveText("Radha will");
});

test("a model without attention says so, and offers one that has it", async ({ explorer, page }) => {
  await explorer.open({ model: "seq2seq", view: "coverage" });
  await expect(page.locator(".trouble")).toContainText("seq2seq");
  await page.getByRole("button", { name: "Use rnnsearch" }).click();
  await explorer.settled();
  await expect(page.locator(".columns li").first()).toBeVisible();
});

test("two models stand side by side, and the differences are marked", async ({ explorer, page }) => {
  await explorer.open({ view: "compare" });
  await expect(page.locator(".vector-cells span").first()).toBeVisible();
  await expect(page.locator(".view ins").first()).toBeVisible();
  await page.getByLabel("Compare with").selectOption("transformer-tiny");
  await expect(page.getByRole("grid")).toHaveCount(2);
});

test("lines follow the least weight, and heads open large", async ({ explorer, page }) => {
  await explorer.open({ view: "lines", model: "transformer-tiny" });
  const lines = page.locator(".line-picture path");
  const many = await lines.count();
  await page.getByRole("spinbutton", { name: "Least weight of a line" }).fill("0.9");
  expect(await lines.count()).toBeLessThan(many);
  await page.locator(".heads button").nth(5).click();
  await expect(page).toHaveURL(/head=2\.2/);
  await page.getByLabel("Sort by").selectOption("sharpness");
  const entropies = await page.locator(".heads small").allInnerTexts();
  const values = entropies.map((text) => Number(/H ([\d.]+)/.exec(text)![1]));
  expect(values).toEqual([...values].sort((a, b) => a - b));
});

test("one step has the numbers that the server computed", async ({ explorer, page, request }) => {
  await explorer.open({ view: "step", step: 3 });
  const answer = await request.post("/v1/explain", {
    data: {
      q: "राधा दुकान में मिठाई बेचेगी",
      model: "rnnsearch",
      beam_size: 4,
      units: "subword",
      include: ["energies", "attention"],
    },
  });
  const { energies, attention } = await answer.json();
  const shown = (await page.locator("table.numbers tbody td:nth-child(3)").allInnerTexts()).map((text) =>
    text.replace("−", "-"),
  );
  expect(shown).toEqual(energies[0].values[2].map((energy: number) => energy.toFixed(3)));
  const weights = await page.locator("table.numbers td.shaded").allInnerTexts();
  expect(weights).toEqual(attention[0].weights[2].map((weight: number) => weight.toFixed(4)));
});

test("coverage is told in words", async ({ explorer, page }) => {
  await explorer.open({ view: "coverage" });
  await expect(page.locator(".columns li")).toHaveCount(5);
  await expect(page.locator(".columns small").first()).toHaveText(/read/);
  const numbers = (await page.locator(".column-number").allInnerTexts()).map(Number);
  const [, steps, words, end] = /(\d+) steps.* ([\d.]+) to these words and ([\d.]+) to the end/.exec(
    await page.locator(".view > .note").innerText(),
  )!;
  expect(numbers.reduce((a, b) => a + b)).toBeCloseTo(Number(words), 1);
  expect(Number(words) + Number(end)).toBeCloseTo(Number(steps), 1);
});
