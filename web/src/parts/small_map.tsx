// A matrix of attention without words, drawn on a canvas.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { shrunk } from "../maths";

function colourOf(element: Element): [number, number, number] {
  const [red, green, blue] = getComputedStyle(element).color.match(/\d+/g)!.map(Number);
  return [red, green, blue];
}

// `most`: pixels across and down, of which a larger matrix has one for several weights.
export function SmallMap({ weights, most }: { weights: number[][]; most: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const shown = useMemo(() => shrunk(weights, most), [weights, most]);
  useEffect(() => {
    const context = canvas.current!.getContext("2d")!;
    const [rows, columns] = [shown.length, shown[0].length];
    const image = context.createImageData(columns, rows);
    const [red, green, blue] = colourOf(canvas.current!);
    let at = 0;
    for (const row of shown) {
      for (const weight of row) {
        image.data[at] = red;
        image.data[at + 1] = green;
        image.data[at + 2] = blue;
        image.data[at + 3] = 255 * weight; // rounded, and kept within a byte
        at += 4;
      }
    }
    context.putImageData(image, 0, 0);
  }, [shown]);
  return <canvas class="small-map" ref={canvas} width={shown[0].length} height={shown.length} aria-hidden="true" />;
}
