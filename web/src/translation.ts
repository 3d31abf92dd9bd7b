// The text as it is being translated: sentences arrive one after the other.
import { useEffect, useState } from "preact/hooks";
import { attempt } from "./ask";
import { type Sentence, ServerError, streamSentences } from "./server";
import { sentence } from "./state";

export interface Translated {
  sentences: Sentence[];
  error: ServerError | null;
  busy: boolean;
}

// Which sentence is looked into, from 0.
export const chosenIndex = ({ sentences }: Translated): number => (sentence.value in sentences ? sentence.value : 0);

export const wholeText = ({ sentences }: Translated): string => sentences.map(({ text }) => text).join(" ");

const kNothing: Translated = { sentences: [], error: null, busy: false };

export function useTranslation(text: string, model: string, beam: number): Translated {
  const [translated, setTranslated] = useState(kNothing);
  const tried = attempt.value;
  useEffect(() => {
    if (text.trim() === "" || model === "") {
      setTranslated(kNothing);
      return undefined;
    }
    const control = new AbortController();
    const sentences: Sentence[] = [];
    setTranslated((before) => ({ ...before, error: null, busy: true }));
    streamSentences({ q: text, model, beam_size: beam }, control.signal, (index, sentence) => {
      if (control.signal.aborted) return;
      sentences[index] = sentence;
      setTranslated({ sentences: Object.values(sentences), error: null, busy: true });
    }).then(
      () => control.signal.aborted || setTranslated({ sentences, error: null, busy: false }),
      (error) => control.signal.aborted || setTranslated({ sentences, error, busy: false }),
    );
    return () => control.abort();
  }, [text, model, beam, tried]);
  return translated;
}
