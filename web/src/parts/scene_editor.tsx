// Objects of a scene, to be dragged, or moved with the arrow keys or by number.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { freePlace, kMostObjects, kSide, movedTo } from "../scene";
import type { Examples, SceneObject } from "../server";
import { type Key, t } from "../texts";
import { Choice } from "./choice";
import { NumberField } from "./number_field";

interface SceneProps {
  objects: SceneObject[];
  set: (objects: SceneObject[]) => void;
}

const nameOf = ({ size, colour, figure }: SceneObject) =>
  `${t(`size.${size}` as Key)} ${t(`colour.${colour}` as Key)} ${t(`figure.${figure}` as Key)}`;

const kSteps: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

// The handles of the objects, over their picture.
export function SceneHandles({ objects, set, children }: SceneProps & { children: ComponentChildren }) {
  const frame = useRef<HTMLDivElement>(null);
  const replace = (index: number, object: SceneObject) => set(objects.map((old, at) => (at === index ? object : old)));
  const drag = (index: number) => (event: PointerEvent) => {
    const handle = event.currentTarget as Element;
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const box = frame.current!.getBoundingClientRect();
    const at = (value: number, from: number, size: number) => ((value - from) / size) * kSide;
    replace(
      index,
      movedTo(objects[index], at(event.clientX, box.left, box.width), at(event.clientY, box.top, box.height)),
    );
  };
  const key = (index: number) => (event: KeyboardEvent) => {
    const step = kSteps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const { x, y } = objects[index];
    const far = event.shiftKey ? 8 : 2;
    replace(index, movedTo(objects[index], x + far * step[0], y + far * step[1]));
  };
  return (
    <div class="picture-frame" ref={frame}>
      {children}
      {objects.map((object, index) => (
        <button
          type="button"
          key={index}
          class={`handle ${object.size}`}
          style={{ left: `${(100 * object.x) / kSide}%`, top: `${(100 * object.y) / kSide}%` }}
          aria-label={t("scene.handle", { name: nameOf(object), x: object.x, y: object.y })}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={drag(index)}
          onKeyDown={key(index)}
        />
      ))}
    </div>
  );
}

interface FieldsProps extends SceneProps {
  kinds: Examples;
}

export function SceneFields({ objects, set, kinds }: FieldsProps) {
  const replace = (index: number, object: SceneObject) => set(objects.map((old, at) => (at === index ? object : old)));
  const options = (of: "figure" | "colour" | "size", values: string[]) =>
    values.map((value) => ({ value, text: t(`${of}.${value}` as Key) }));
  const add = () => {
    const figure = kinds.figures[objects.length % kinds.figures.length];
    set([...objects, { figure, colour: kinds.colours[objects.length], size: "small", ...freePlace(objects) }]);
  };
  return (
    <div class="scene-fields">
      {objects.map((object, index) => (
        <fieldset key={index}>
          <legend>{nameOf(object)}</legend>
          <Choice
            label={t("scene.size")}
            value={object.size}
            options={options("size", kinds.sizes)}
            set={(size) => replace(index, movedTo({ ...object, size }, object.x, object.y))}
          />
          <Choice
            label={t("scene.colour")}
            value={object.colour}
            options={options("colour", kinds.colours)}
            set={(colour) => replace(index, { ...object, colour })}
          />
          <Choice
            label={t("scene.figure")}
            value={object.figure}
            options={options("figure", kinds.figures)}
            set={(figure) => replace(index, { ...object, figure })}
          />
          <NumberField
            label="x"
            value={object.x}
            least={0}
            most={kSide}
            set={(x) => replace(index, movedTo(object, x, object.y))}
          />
          <NumberField
            label="y"
            value={object.y}
            least={0}
            most={kSide}
            set={(y) => replace(index, movedTo(object, object.x, y))}
          />
          <button
            type="button"
            disabled={objects.length === 1}
            onClick={() => set(objects.filter((_, at) => at !== index))}
          >
            {t("scene.remove")}
          </button>
        </fieldset>
      ))}
      <button type="button" disabled={objects.length >= kMostObjects} onClick={add}>
        {t("scene.add")}
      </button>{" "}
      <span class="note">{t("scene.most", { most: kMostObjects })}</span>
    </div>
  );
}
