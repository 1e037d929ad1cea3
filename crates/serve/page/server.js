// The server: questions as JSON, answers as JSON or as lines of it, and the ways in which that can fail.

/** The server understood and said no; the message is its own sentence. */
export class Refused extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }

  /** True when the same question may be answered a little later. */
  get isPassing() {
    return this.status === 503;
  }
}

/** Nobody answered. */
export class Unreachable extends Error {
  constructor() {
    super('The server does not answer. Trying again…');
  }
}

/** True for the error of a question that was given up on purpose. */
export function isAbort(error) {
  return error?.name === 'AbortError';
}

/** Asks; resolves to the answer. */
export async function ask(path, question, signal) {
  const response = await send(path, question, signal);
  return readAll(response);
}

/** Asks for an answer in lines: `onProgress` gets those before the last, the promise resolves to the last. */
export async function askInLines(path, question, signal, onProgress) {
  const response = await send(path, { ...question, stream: true }, signal);
  if (!response.headers.get('content-type')?.includes('ndjson')) return readAll(response);
  let answer = null;
  for await (const line of lines(response.body)) {
    const message = JSON.parse(line);
    if (message.progress) onProgress(message.progress);
    else answer = message;
  }
  if (!answer) throw new Unreachable();
  if (answer.error) throw new Refused(response.status, answer.error);
  return answer;
}

async function send(path, question, signal) {
  const options = question && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  };
  const response = await reach(() => fetch(path, { ...options, signal }));
  if (response.ok) return response;
  const sentence = await response.json().then((body) => body.error, () => null);
  throw new Refused(response.status, sentence ?? `The server answered with status ${response.status}.`);
}

function readAll(response) {
  return reach(() => response.json());
}

/** A connection that breaks is a server that does not answer, whatever the browser calls it. */
async function reach(action) {
  try {
    return await action();
  } catch (error) {
    throw isAbort(error) ? error : new Unreachable();
  }
}

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reach(() => reader.read());
    if (done) break;
    const parts = (rest + value).split('\n');
    rest = parts.pop();
    yield* parts.filter((part) => part.trim());
  }
  if (rest.trim()) yield rest;
}
