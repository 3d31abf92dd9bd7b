// Answers the page's questions by the engine in a worker instead of by a server: fetch("/v1/...") asks the worker.
// Workers cannot be started from the files of a folder, so the engine and the models are scripts that give text
// (engine.js, models.js).
"use strict";

(() => {
  const kDrawingScale = 2; // pixels of a PNG to one of the SVG

  const waiting = []; // questions, the first to ask next
  let asked = null; // the one that the worker answers
  let failure = null; // why there will be no answers
  let ready = false;

  const worker = new Worker(URL.createObjectURL(new Blob(dhyanEngineSource, { type: "text/javascript" })));
  worker.onerror = (event) => giveUp(event.message ?? "the engine does not start");
  worker.onmessage = ({ data }) => {
    if (data.failed !== undefined) return giveUp(data.failed);
    if (data.ready) ready = true;
    else hear(asked, data);
    askNext();
  };
  worker.postMessage({ models: dhyanModels });

  const refusal = () =>
    Response.json({ error: { code: 500, type: "server_error", message: failure, param: null } }, { status: 500 });

  function giveUp(message) {
    failure = message;
    for (const question of asked === null ? waiting : [asked, ...waiting]) {
      question.growing?.error(new Error(failure));
      question.resolve(refusal());
    }
    asked = null;
    waiting.length = 0;
  }

  function askNext() {
    if (!ready || asked !== null || waiting.length === 0) return;
    asked = waiting.shift();
    const { id, method, path, body } = asked;
    worker.postMessage({ id, method, path, body });
  }

  function hear(question, { status, type, retryAfter, piece, ended }) {
    if (status !== undefined) {
      const headers = { "Content-Type": type, ...(retryAfter === "" ? {} : { "Retry-After": retryAfter }) };
      const body = new ReadableStream({ start: (growing) => void (question.growing = growing) });
      question.resolve(new Response(body, { status, headers }));
    }
    if (piece !== undefined && !question.aborted) question.growing.enqueue(piece);
    if (ended) {
      if (!question.aborted) question.growing.close();
      asked = null;
    }
  }

  let last = 0;
  function answered(path, { method = "GET", body = "", signal }) {
    if (failure !== null) return Promise.resolve(refusal());
    return new Promise((resolve, reject) => {
      const question = { id: ++last, method, path, body, resolve, aborted: false };
      signal?.addEventListener("abort", () => {
        question.aborted = true;
        const at = waiting.indexOf(question);
        if (at >= 0) waiting.splice(at, 1);
        question.growing?.error(signal.reason);
        reject(signal.reason);
      });
      waiting.push(question);
      askNext();
    });
  }

  // The engine draws SVG; the browser makes PNG of it.
  async function drawn(path, init, question) {
    const response = await answered(path, { ...init, body: JSON.stringify({ ...question, format: "svg" }) });
    if (!response.ok) return response;
    const picture = new Image();
    picture.src = URL.createObjectURL(await response.blob());
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth * kDrawingScale;
    canvas.height = picture.naturalHeight * kDrawingScale;
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(picture.src);
    return new Response(await new Promise((resolve) => canvas.toBlob(resolve, "image/png")));
  }

  globalThis.fetch = (path, init = {}) => {
    const question = init.body === undefined ? {} : JSON.parse(init.body);
    return question.format === "png" ? drawn(path, init, question) : answered(path, init);
  };
})();
