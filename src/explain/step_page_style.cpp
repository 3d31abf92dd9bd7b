#include "explain/step_page_style.h"

namespace dhyan {

const std::string_view kStepPageStyle = R"(h2 { font-size: 1.1rem; margin: 1rem 0 0; }
h3 { font-size: 1rem; margin: 1rem 0 0.2rem; }
.reading, .note { max-width: 60rem; margin: 0.4rem 0; }
.note { color: #57606a; }
.script-only { display: none; }
.scripted .script-only { display: revert; }
.scripted .step:not(.current), .scripted .head:not(.current) { display: none; }
.steps { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0.3rem; padding: 0.5rem 0;
  background: #ffffff; border-bottom: 1px solid #c8d0d9; max-height: 40vh; overflow-y: auto; }
.steps a, .chips button, .steps button { font: inherit; color: inherit; background: none; text-decoration: none;
  padding: 0.1rem 0.5rem; border: 1px solid #c8d0d9; border-radius: 4px; cursor: pointer; }
.steps a[aria-current], .chips button[aria-pressed=true] { border-color: #d1480c; box-shadow: inset 0 0 0 1px #d1480c; }
.steps button:disabled { opacity: 0.4; cursor: default; }
.chips { border: 0; padding: 0; margin: 0.6rem 0 0; }
.chips button { margin: 0 0.3rem 0.3rem 0; }
.step { scroll-margin-top: 4rem; }
.unseen { position: absolute; width: 1px; height: 1px; min-height: 0; overflow: hidden; clip-path: inset(50%); }
.given td, .given th { color: #57606a; }
.sum td, .sum th, .written td, .written th { font-weight: 700; }
.worked { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; max-width: 60rem; margin: 0.5rem 0; }
@media (prefers-color-scheme: dark) {
  .steps { background: #0f1317; }
  .steps, .steps a, .chips button, .steps button { border-color: #3a444f; }
  .steps a[aria-current], .chips button[aria-pressed=true] { border-color: #ff9d5c; box-shadow: inset 0 0 0 1px #ff9d5c; }
  .note, .given td, .given th { color: #a5afba; }
}
)";

// Avoids < and &, so that the page is valid XML.
const std::string_view kStepPageScript = R"(const steps = [...document.querySelectorAll(".step")];
const links = [...document.querySelectorAll(".steps a")];
const chips = [...document.querySelectorAll(".chips button")];
const [previous, next] = document.querySelectorAll(".steps button");
const reading = document.querySelector(".steps output");
let at = 0;
const show_step = (index) => {
  if (steps[index] === undefined) return;
  at = index;
  for (const [number, step] of steps.entries()) {
    step.classList.toggle("current", number === at);
    if (number === at) links[number].setAttribute("aria-current", "step");
    else links[number].removeAttribute("aria-current");
  }
  previous.disabled = at === 0;
  next.disabled = at === steps.length - 1;
  reading.textContent = steps[at].querySelector("h2").textContent;
};
const show_head = (head) => {
  for (const chip of chips) chip.setAttribute("aria-pressed", chip.dataset.head === head);
  for (const part of document.querySelectorAll(".head")) part.classList.toggle("current", part.dataset.head === head);
};
for (const [number, link] of links.entries()) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    show_step(number);
  });
}
for (const chip of chips) chip.addEventListener("click", () => show_head(chip.dataset.head));
previous.addEventListener("click", () => show_step(at - 1));
next.addEventListener("click", () => show_step(at + 1));
document.addEventListener("keydown", (event) => {
  const move = {ArrowLeft: -1, ArrowRight: 1}[event.key];
  const scrolls = event.target.closest(".wide") !== null;
  if (move === undefined || scrolls || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  show_step(at + move);
});
const named = steps.findIndex((step) => "#" + step.id === location.hash);
const nav = document.querySelector(".steps");
show_head(nav.dataset.head);
show_step(named === -1 ? Number(nav.dataset.at) : named);
document.documentElement.classList.add("scripted");
)";

}  // namespace dhyan
