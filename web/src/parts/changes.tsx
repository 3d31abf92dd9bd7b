// A text with what is new in it, and what is gone, marked.
import { Fragment } from "preact";
import { t } from "../texts";
import { changesBetween } from "../words";

export function Changes({ before, after }: { before: string; after: string }) {
  if (before === after) return <>{after}</>;
  return (
    <>
      {changesBetween(before, after).map(({ text, kind }, index, changes) => {
        if (kind === "same") return text;
        const Mark = kind === "added" ? "ins" : "del";
        const replaces = kind === "added" && changes[index - 1]?.kind === "removed";
        return (
          <Fragment key={index}>
            {replaces && " "}
            <Mark>
              <span class="unseen">{t(kind === "added" ? "changes.added" : "changes.removed")} </span>
              {text}
            </Mark>
          </Fragment>
        );
      })}
    </>
  );
}
