// Something that may be wider than the page: it scrolls by itself, also by keys.
import type { ComponentChildren } from "preact";

export function Wide({ label, busy, children }: { label: string; busy?: boolean; children: ComponentChildren }) {
  return (
    <div class="wide" role="region" aria-label={label} aria-busy={busy} tabIndex={0}>
      {children}
    </div>
  );
}
