// Languages are chosen, and the model follows.
import { expect, test } from "./explorer";

test("the languages pick the model, and the text follows", async ({ explorer, page }) => {
  await explorer.open({ q: "मैं खाना खा रहा हूँ" });
  const from = page.getByRole("combobox", { name: "From" });
  const into = page.getByRole("combobox", { name: "Into" });
  const model = page.getByRole("combobox", { name: "Model" });
  await expect(from).toHaveValue("hi");
  await expect(page.getByRole("button", { name: "Swap the languages" })).toBeDisabled();
  await expect(model.getByRole("option")).toHaveText(["rnnsearch", "seq2seq", "transformer-tiny"]);
  await from.selectOption("fr");
  await expect(into).toHaveValue("en");
  await expect(model.getByRole("option")).toHaveText(["fr-en"]);
  await expect(page).toHaveURL(/model=fr-en/);
  await expect(page.getByRole("textbox", { name: "Source" })).toHaveValue("je vais manger");
  await explorer.settled();
  const english = (await explorer.translation().innerText()).replace(/\s*0\.\d\d\s*|, probability/g, " ").trim();
  await page.getByRole("button", { name: "Swap the languages" }).click();
  await expect(into).toHaveValue("fr");
  await expect(page.getByRole("textbox", { name: "Source" })).toHaveValue(english.replace(/\s+/g, " "));
});

test("what was typed stays when another language is chosen, and an address brings the languages back", async ({
  explorer,
  page,
}) => {
  await explorer.open({ q: "राधा घर में है और मैं यहाँ हूँ" });
  await page.getByRole("combobox", { name: "From" }).selectOption("French");
  await expect(page.getByRole("textbox", { name: "Source" })).toHaveValue("राधा घर में है और मैं यहाँ हूँ");
  await page.getByRole("combobox", { name: "From" }).selectOption("English");
  await page.reload();
  await expect(page.getByRole("combobox", { name: "From" })).toHaveValue("en");
  await expect(page.getByRole("combobox", { name: "Into" })).toHaveValue("fr");
  await explorer.settled();
});

test("captions are in English or in Hindi, and in the page's language at first", async ({ explorer, page }) => {
  await explorer.open({ view: "pictures", scene: "circle,red,large,16,32;square,blue,large,48,32" });
  const words = page.locator(".caption-words");
  await expect(words).toHaveAttribute("lang", "en");
  await page.getByLabel("Captions in").selectOption("Hindi");
  await expect(words).toHaveAttribute("lang", "hi");
  await expect(words).toContainText(/लाल|नील/);
  await explorer.open({ view: "pictures", ui: "hi" });
  await expect(words).toHaveAttribute("lang", "hi");
});
