// Calls of the Node clients. `node node_clients.mjs` lists them; with the name of one and the server's address it makes
// that call, and fails unless the answer is right.
import assert from "node:assert";
import { createRequire } from "node:module";

const require = createRequire(`${process.cwd()}/`); // packages are where the script runs
const deepl = require("deepl-node");
const { libreTranslate } = require("libretranslate-ts");
const libretranslate = require("libretranslate");

const [hindi, english] = ["मैं दूध चाहता हूँ।", "I want milk."];
const [moreHindi, moreEnglish] = ["वे चाय लाते हैं।", "They bring tea."];

function libreTranslateTs(address) {
  libreTranslate.setApiEndpoint(address);
  return libreTranslate;
}

const deeplClient = (address) => new deepl.DeepLClient("0123", { serverUrl: address });

const calls = {
  "libretranslate-ts-languages": async (address) => {
    const languages = await libreTranslateTs(address).listLanguages();
    assert.deepEqual(languages[2], { code: "hi", name: "Hindi", targets: ["en"] });
  },
  "libretranslate-ts-detect": async (address) => {
    assert.equal((await libreTranslateTs(address).detect(hindi)).language, "hi");
  },
  "libretranslate-ts-translate": async (address) => {
    const answer = await libreTranslateTs(address).translate(hindi, "hi", "en");
    assert.deepEqual(answer, { status: 200, translatedText: english, alternatives: undefined, error: undefined });
  },
  "libretranslate-ts-alternatives": async (address) => {
    const answer = await libreTranslateTs(address).translate(hindi, "hi", "en", 3);
    assert.equal(answer.translatedText, english);
    assert.equal(new Set([english, ...answer.alternatives]).size, 4);
  },
  "libretranslate-translate": async (address) => {
    const answer = await libretranslate.translate({ query: hindi, source: "hi", target: "en", apiurl: address });
    assert.equal(answer, english);
  },
  "libretranslate-html": async (address) => {
    const query = `<p><i>वे</i> चाय लाते हैं।</p>`;
    const answer = await libretranslate.translate({ query, target: "en", format: "html", apiurl: address });
    assert.equal(answer, "<p><i>They</i> bring tea.</p>");
  },
  "translate-translate": async (address) => {
    const { Translate } = await import(`${process.cwd()}/node_modules/translate/index.min.js`);
    const translate = new Translate({ engine: "libre", url: `${address}/translate` });
    assert.equal(await translate(hindi, { from: "hi", to: "en" }), english);
  },
  "deepl-node-source-languages": async (address) => {
    const languages = await deeplClient(address).getSourceLanguages();
    assert.deepEqual(languages.map(({ code }) => code), ["en", "fr", "hi"]);
  },
  "deepl-node-target-languages": async (address) => {
    const languages = await deeplClient(address).getTargetLanguages();
    assert.deepEqual(languages.map(({ code }) => code), ["hi", "en-GB", "en-US"]);
  },
  "deepl-node-usage": async (address) => {
    const usage = await deeplClient(address).getUsage();
    assert(usage.character.count >= 0 && !usage.anyLimitReached());
  },
  "deepl-node-translate": async (address) => {
    const answer = await deeplClient(address).translateText(hindi, null, "en-US");
    assert.equal(answer.text, english);
    assert.equal(answer.detectedSourceLang, "hi");
    assert.equal(answer.billedCharacters, hindi.length);
  },
  "deepl-node-translate-list": async (address) => {
    const answers = await deeplClient(address).translateText([hindi, moreHindi], "hi", "en-GB", { formality: "less" });
    assert.deepEqual(answers.map(({ text }) => text), [english, moreEnglish]);
  },
  "deepl-node-translate-html": async (address) => {
    const options = { tagHandling: "html", ignoreTags: ["x"] };
    const answer = await deeplClient(address).translateText("मैं <b>दूध</b> चाहता हूँ। <x>हम</x>", "hi", "en-US", options);
    assert.equal(answer.text, "I want <b>milk</b>. <x>हम</x>");
  },
};

const [name, address] = process.argv.slice(2);
if (name === undefined) {
  console.log(Object.keys(calls).join("\n"));
} else {
  await calls[name](address);
}
