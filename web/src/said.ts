// The one place where the page tells those who cannot see it what has changed.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

export const said = signal("");

// Says a text whenever it becomes another.
export function useSaid(text: string): void {
  useEffect(() => {
    if (text !== "") said.value = text;
  }, [text]);
}
