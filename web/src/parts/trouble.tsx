// What went wrong, in words, and what to do.
import { useState } from "preact/hooks";
import { attempt, loadModels, models } from "../ask";
import { type ServerError, setApiKey } from "../server";
import { type Key, t } from "../texts";

const kStatuses: Record<number, Key> = {
  0: "trouble.gone",
  401: "trouble.key",
  403: "trouble.key",
  413: "trouble.long",
  429: "trouble.often",
  503: "trouble.busy",
  504: "trouble.slow",
};

const kMayPass = [0, 429, 503, 504]; // asked again, the same may be answered

// The server counts the lines of a text; here is only one.
const withoutLine = (message: string) => message.replace(/^line 1: /, "");

export function Trouble({ error }: { error: ServerError }) {
  const key = kStatuses[error.status];
  const again = () => {
    if (models.value.length === 0) loadModels();
    attempt.value += 1;
  };
  return (
    <div class="trouble" role="alert">
      <p>
        <strong>{key === undefined ? t("trouble.other") : t(key, { seconds: error.retryAfter ?? 2 })}</strong>{" "}
        {key === undefined ? withoutLine(error.message) : ""}
      </p>
      {key === "trouble.key" ? (
        <KeyField again={again} />
      ) : (
        kMayPass.includes(error.status) && (
          <button type="button" onClick={again}>
            {t("trouble.again")}
          </button>
        )
      )}
    </div>
  );
}

function KeyField({ again }: { again: () => void }) {
  const [typed, setTyped] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    setApiKey(typed.trim());
    again();
  };
  return (
    <form class="fields" onSubmit={submit}>
      <label class="field">
        <span>{t("trouble.key_field")}</span>
        <input type="text" autocomplete="off" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      <button type="submit">{t("trouble.again")}</button>
    </form>
  );
}
