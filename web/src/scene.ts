// A scene of the picture book, as it is kept in the address: "circle,red,large,20,30;…".
import type { SceneObject } from "./server";

export const kSide = 64; // pixels of a picture's height and width
export const kMostObjects = 3;

// What is no object is left out.
export function parseScene(text: string): SceneObject[] {
  return text
    .split(";")
    .filter((part) => /^\w+,\w+,\w+,\d+,\d+$/.test(part))
    .slice(0, kMostObjects)
    .map((part) => {
      const [figure, colour, size, x, y] = part.split(",");
      return { figure, colour, size, x: Number(x), y: Number(y) };
    });
}

export const formatScene = (objects: SceneObject[]): string =>
  objects.map(({ figure, colour, size, x, y }) => [figure, colour, size, x, y].join(",")).join(";");

// Where a new small object is furthest from the others.
export function freePlace(objects: SceneObject[]): { x: number; y: number } {
  const coordinates = [12, 22, 32, 42, 52];
  const places = coordinates.flatMap((y) => coordinates.map((x) => ({ x, y })));
  const room = (place: { x: number; y: number }) =>
    Math.min(...objects.map(({ x, y }) => Math.hypot(x - place.x, y - place.y)));
  return places.reduce((best, place) => (room(place) > room(best) ? place : best));
}

// The object, moved, and still within the picture.
export function movedTo(object: SceneObject, x: number, y: number): SceneObject {
  const margin = object.size === "large" ? 12 : 8;
  const within = (value: number) => Math.min(Math.max(Math.round(value), margin), kSide - margin);
  return { ...object, x: within(x), y: within(y) };
}
