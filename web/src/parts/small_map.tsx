// A matrix of attention without words, one pixel a cell, drawn on a canvas.
import { useEffect, useRef } from "preact/hooks";

function colourOf(element: Element): [number, number, number] {
  const [red, green, blue] = getComputedStyle(element).color.match(/\d+/g)!.map(Number);
  return [red, green, blue];
}

export function SmallMap({ weights, class: name = "" }: { weights: number[][]; class?: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current!.getContext("2d")!;
    const [rows, columns] = [weights.length, weights[0].length];
    const image = context.createImageData(columns, rows);
    const colour = colourOf(canvas.current!);
    for (let at = 0; at < rows * columns; ++at) {
      const weight = weights[Math.floor(at / columns)][at % columns];
      image.data.set([...colour, Math.round(255 * Math.min(Math.max(weight, 0), 1))], 4 * at);
    }
    context.putImageData(image, 0, 0);
  });
  return (
    <canvas
      class={`small-map ${name}`}
      ref={canvas}
      width={weights[0].length}
      height={weights.length}
      aria-hidden="true"
    />
  );
}
