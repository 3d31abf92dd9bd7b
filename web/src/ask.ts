// Questions to the server, as components ask them.
import { computed, signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { get, type ModelInfo, post, ServerError } from "./server";
import { model } from "./state";

export interface Answer<T> {
  value: T | null; // stays while the next one is on its way
  error: ServerError | null;
  busy: boolean;
}

const answers = new Map<string, unknown>(); // of this page, the newest last
const kMostAnswers = 100;

function keep(question: string, answer: unknown): void {
  answers.delete(question);
  answers.set(question, answer);
  if (answers.size > kMostAnswers) answers.delete(answers.keys().next().value!);
}

async function answered<T>(path: string, body: object, signal: AbortSignal): Promise<T> {
  const question = path + JSON.stringify(body);
  const known = answers.get(question) as T | undefined;
  if (known !== undefined) return known;
  const value = await post<T>(path, body, signal);
  keep(question, value);
  return value;
}

export const attempt = signal(0); // "try again" asks all again that has no answer

export interface Answers<T> {
  values: (T | null)[]; // of each question; those of the ones before stay while these are on their way
  errors: (ServerError | null)[];
  busy: boolean;
}

// Asks whenever the questions change, all at a time. A question that is no longer wanted is cancelled, and the server
// stops working on it.
export function useAnswers<T>(path: string, questions: object[]): Answers<T> {
  const [answers, setAnswers] = useState<Answers<T>>({ values: [], errors: [], busy: questions.length > 0 });
  const key = JSON.stringify(questions);
  const tried = attempt.value;
  useEffect(() => {
    if (questions.length === 0) {
      setAnswers({ values: [], errors: [], busy: false });
      return undefined;
    }
    const control = new AbortController();
    setAnswers(({ values }) => ({ values, errors: [], busy: true }));
    Promise.allSettled(questions.map((question) => answered<T>(path, question, control.signal))).then((settled) => {
      if (control.signal.aborted) return;
      setAnswers(({ values: before }) => ({
        values: settled.map((one, index) => (one.status === "fulfilled" ? one.value : (before[index] ?? null))),
        errors: settled.map((one) => (one.status === "rejected" ? one.reason : null)),
        busy: false,
      }));
    });
    return () => control.abort();
  }, [path, key, tried]);
  return answers;
}

export function useAnswer<T>(path: string, question: object | null): Answer<T> {
  const { values, errors, busy } = useAnswers<T>(path, question === null ? [] : [question]);
  return { value: values[0] ?? null, error: errors[0] ?? null, busy };
}

export const models = signal<ModelInfo[]>([]);
export const modelsError = signal<ServerError | null>(null);

export async function loadModels(): Promise<void> {
  try {
    models.value = (await get<{ data: ModelInfo[] }>("/v1/models")).data;
    modelsError.value = null;
  } catch (error) {
    modelsError.value = error as ServerError;
  }
}

export const translators = computed(() => models.value.filter(({ task }) => task === "translate"));

// The chosen model of text, or the first.
export const translator = computed(
  () => translators.value.find(({ id }) => id === model.value) ?? translators.value[0],
);
