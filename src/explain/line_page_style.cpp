#include "explain/line_page_style.h"

namespace dhyan {

const std::string_view kLinePageStyle = R"(.line-view { margin: 1rem 0 2rem; }
.chips { border: 0; padding: 0; margin: 0.4rem 0 0; display: none; }
.scripted .chips { display: block; }
.chips button { font: inherit; color: inherit; background: none; padding: 0.1rem 0.5rem; margin: 0 0.3rem 0.3rem 0;
  border: 1px solid #c8d0d9; border-radius: 4px; cursor: pointer; }
.chips button[aria-pressed=true] { border-color: #d1480c; box-shadow: inset 0 0 0 1px #d1480c; }
.chips svg { vertical-align: -1px; margin-right: 0.3rem; }
.off, .dim { display: none; }
.from, .to { cursor: default; }
.picture .from.picked, .picture .to.picked { font-weight: 700; }
@media (prefers-color-scheme: dark) {
  .chips button { border-color: #3a444f; }
  .chips button[aria-pressed=true] { border-color: #ff9d5c; box-shadow: inset 0 0 0 1px #ff9d5c; }
}
)";

// Avoids < and &, so that the page is valid XML.
const std::string_view kLinePageScript = R"js(for (const view of document.querySelectorAll(".line-view")) {
  const groups = [...view.querySelectorAll(".lines-of")];
  const sides = {from: [...view.querySelectorAll(".from")], to: [...view.querySelectorAll(".to")]};
  const layers = [...view.querySelectorAll("[data-choose-layer]")];
  const heads = [...view.querySelectorAll("[data-choose-head]")];
  const area = view.querySelector(".area");
  const reading = view.querySelector("output");
  let picked = null;
  const is_pressed = (button) => button.getAttribute("aria-pressed") === "true";
  const is_on = (group) => {
    const layer = layers.find(is_pressed);
    const head = heads.find((button) => button.dataset.chooseHead === group.dataset.head);
    if (layer !== undefined ? layer.dataset.chooseLayer !== group.dataset.layer : false) return false;
    return head === undefined ? true : is_pressed(head);
  };
  const is_picked = (side, number) => (picked === null ? false : picked.side === side ? picked.number === number : false);
  const say = (shown) => {
    if (picked === null) return "";
    const from = picked.side === "from";
    const sums = new Map();
    for (const line of shown.flatMap((group) => [...group.children])) {
      if (line.classList.contains("dim")) continue;
      const other = from ? line.dataset.j : line.dataset.i;
      sums.set(other, (sums.get(other) || 0) + Number(line.getAttribute("stroke-opacity")));
    }
    const words = sides[from ? "to" : "from"];
    const best = [...sums].sort((a, b) => b[1] - a[1]).slice(0, 5);
    const text = best.map(([other, sum]) => words[other].textContent + " " + (sum / shown.length).toFixed(2)).join(", ");
    const mean = shown.length > 1 ? " (mean of " + shown.length + " heads)" : "";
    const verb = from ? " attends to " : " is attended to by ";
    return sides[picked.side][picked.number].textContent + verb + (text === "" ? "nothing above the least weight" : text + mean);
  };
  const update = () => {
    for (const side of ["from", "to"]) {
      for (const [number, word] of sides[side].entries()) word.classList.toggle("picked", is_picked(side, number));
    }
    for (const group of groups) {
      group.classList.toggle("off", !is_on(group));
      for (const line of group.children) {
        const shown = picked === null || is_picked("from", Number(line.dataset.i)) || is_picked("to", Number(line.dataset.j));
        line.classList.toggle("dim", !shown);
      }
    }
    reading.textContent = say(groups.filter(is_on));
  };
  const pick = (side, number) => {
    if (sides[side][number] === undefined) return;
    picked = {side, number};
    update();
  };
  const let_go = () => {
    picked = null;
    update();
  };
  for (const side of ["from", "to"]) {
    for (const [number, word] of sides[side].entries()) word.addEventListener("pointerover", () => pick(side, number));
  }
  area.addEventListener("pointerleave", let_go);
  area.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return let_go();
    const move = {ArrowUp: -1, ArrowDown: 1, ArrowLeft: 0, ArrowRight: 0}[event.key];
    if (move === undefined) return;
    event.preventDefault();
    if (picked === null) return pick("from", 0);
    const side = event.key === "ArrowLeft" ? "from" : event.key === "ArrowRight" ? "to" : picked.side;
    pick(side, Math.min(picked.number + move, sides[side].length - 1));
  });
  for (const button of layers) {
    button.addEventListener("click", () => {
      for (const other of layers) other.setAttribute("aria-pressed", other === button);
      update();
    });
  }
  for (const button of heads) {
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", !is_pressed(button));
      update();
    });
  }
  update();
}
document.documentElement.classList.add("scripted");
)js";

}  // namespace dhyan
