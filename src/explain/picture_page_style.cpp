#include "explain/picture_page_style.h"

namespace dhyan {

const std::string_view kPicturePageStyle = R"(main { max-width: 72rem; margin: 0 auto; }
h1 .caption { font-size: 1.7rem; line-height: 1.6; letter-spacing: -0.01em; }
.word { font: inherit; letter-spacing: inherit; color: inherit; background: none; border: 0; margin: 0;
  padding: 0 0.12em; border-radius: 0.25em; cursor: pointer; text-decoration: underline; text-decoration-thickness: 1px;
  text-decoration-color: #c8d0d9; text-underline-offset: 0.28em; }
.word.picked { background: #08306b; color: #ffffff; text-decoration-color: transparent; }
.word[aria-pressed=true] { box-shadow: 0 0 0 2px #d1480c; }
.word:focus-visible { outline: 2px solid #d1480c; outline-offset: 2px; }
.definitions { position: absolute; }
figure.large { display: block; max-width: 40rem; margin: 0.75rem 0 1.5rem; }
.stage { display: block; width: 100%; max-height: 75vh; }
.stage .map { opacity: 0; transition: opacity 0.15s; }
.stage.looking .map { opacity: 1; }
figcaption { margin-top: 0.4rem; font-size: 0.9rem; }
.panels { list-style: none; padding: 0; margin: 1rem 0; display: grid; gap: 1.25rem 1rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--panel)), 1fr)); }
.panels li { text-align: center; display: flex; flex-direction: column; cursor: default; }
.panel { display: block; width: 100%; }
.panels b { font-weight: 600; margin-top: 0.3rem; overflow-wrap: anywhere; }
.panels small { color: #57606a; font-variant-numeric: tabular-nums; }
.panels li.picked b { color: #d1480c; }
@media (prefers-color-scheme: dark) {
  .word { text-decoration-color: #3a444f; }
  .word.picked { background: #5ab0f5; color: #000000; }
  .word[aria-pressed=true] { box-shadow: 0 0 0 2px #ff9d5c; }
  .word:focus-visible { outline-color: #ff9d5c; }
  .panels small { color: #a5afba; }
  .panels li.picked b { color: #ff9d5c; }
}
@media (prefers-reduced-motion: reduce) { .stage .map { transition: none; } }
)";

// A word under the pointer or with focus shows its map; a click keeps it. Avoids < and &, so that the page is valid
// XML.
const std::string_view kPicturePageScript = R"(const stage = document.querySelector(".stage");
const veil = stage.querySelector(".veil");
const reading = document.querySelector("output");
const words = [...document.querySelectorAll(".word")];
const parts = [...document.querySelectorAll("[data-word]")];
let kept = null;
const show = (word) => {
  stage.classList.toggle("looking", word !== null);
  for (const part of parts) part.classList.toggle("picked", part.dataset.word === word);
  if (word !== null) veil.setAttribute("href", "#veil-" + word);
  reading.textContent = word === null ? "Choose a word to see where the model looks." : words[word].dataset.reading;
};
const keep = (word) => {
  kept = word;
  for (const button of words) button.setAttribute("aria-pressed", button.dataset.word === word);
  show(kept);
};
for (const part of parts) {
  const word = part.dataset.word;
  part.addEventListener("pointerenter", () => show(word));
  part.addEventListener("pointerleave", () => show(kept));
  part.addEventListener("focus", () => show(word));
  part.addEventListener("blur", () => show(kept));
  part.addEventListener("click", () => keep(kept === word ? null : word));
}
const steps = {ArrowLeft: -1, ArrowRight: 1};
for (const [index, button] of words.entries()) {
  button.addEventListener("keydown", (event) => {
    if (event.key === "Escape") keep(null);
    const next = words[index + steps[event.key]];
    if (next !== undefined) next.focus();
  });
}
show(null);
)";

}  // namespace dhyan
