// Sentences and scenes of the built-in corpora, to begin with.
import { useEffect, useState } from "preact/hooks";
import { attempt } from "./ask";
import { type Examples, get, type ServerError } from "./server";

interface Known {
  value: Examples | null;
  error: ServerError | null;
}

const kUnknown: Known = { value: null, error: null };

export function useExamples(model: string | null): Known {
  const [known, setKnown] = useState<Known & { of: string | null }>({ ...kUnknown, of: null });
  const tried = attempt.value;
  useEffect(() => {
    let wanted = true;
    setKnown({ ...kUnknown, of: model });
    if (model === null) return undefined;
    get<Examples>(`/v1/examples?model=${encodeURIComponent(model)}`).then(
      (value) => wanted && setKnown({ value, error: null, of: model }),
      (error) => wanted && setKnown({ value: null, error, of: model }),
    );
    return () => {
      wanted = false;
    };
  }, [model, tried]);
  return known.of === model ? known : kUnknown;
}
