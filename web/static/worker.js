// The engine in a thread of its own, so that the page stays responsive. It gets the files of the models once, then
// questions one at a time, and sends back what the server would: a head, pieces, an end.
"use strict";

const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

const answers = {
  answerBegins: (id, status, type, retryAfter) => postMessage({ id, status, type, retryAfter }),
  answerGrows: (id, piece) => postMessage({ id, piece }, [piece.buffer]),
  answerEnds: (id) => postMessage({ id, ended: true }),
};

async function loaded(models) {
  const engine = await dhyanEngine(answers);
  for (const [name, files] of Object.entries(models)) {
    engine.FS.mkdir(`/${name}`);
    for (const [file, base64] of Object.entries(files)) engine.FS.writeFile(`/${name}/${file}`, bytesOf(base64));
  }
  const failure = engine.ccall(
    "page_load",
    "string",
    ["string"],
    [
      Object.keys(models)
        .map((name) => `/${name}`)
        .join("\n"),
    ],
  );
  if (failure !== "") throw new Error(failure);
  return engine;
}

let ready;
onmessage = async ({ data }) => {
  if (data.models !== undefined) {
    ready = loaded(data.models);
    ready.then(
      () => postMessage({ ready: true }),
      (error) => postMessage({ failed: String(error.message ?? error) }),
    );
    return;
  }
  const engine = await ready;
  try {
    const { id, method, path, body } = data;
    engine.ccall("page_ask", null, ["number", "string", "string", "string"], [id, method, path, body]);
  } catch (error) {
    postMessage({ failed: String(error.message ?? error) }); // a trap, such as memory that is used up
  }
};
