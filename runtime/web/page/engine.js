// Asks a WebAssembly module in a worker, one question after the other, each with a time limit.

/** An answer that is an error: its kind, and the message that the commands give. */
export class Refused extends Error {
  constructor({ kind, message }) {
    super(message);
    this.kind = kind;
  }
}

/** Seconds that a question may take. */
export const LIMIT = 10;

export class Engine {
  #module;
  #worker = null;
  #last = Promise.resolve();

  constructor(url) {
    this.url = url;
  }

  /** Loads and compiles the module; a later worker takes the same one. */
  async load() {
    this.#module ??= compile(this.url);
    return this.#module;
  }

  /** Asks, after all questions before. Throws `Refused`. */
  ask(head, payloads = [], seconds = LIMIT) {
    const answer = this.#last.then(() => this.#ask(head, payloads, seconds));
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** Ends what runs. */
  stop(why = 'stopped') {
    this.#stop?.({ kind: 'stopped', message: why });
  }

  #stop = null;

  async #ask(head, payloads, seconds) {
    const worker = await this.#started();
    const result = await new Promise(resolve => {
      const timer = setTimeout(() => this.#stop({
        kind: 'stopped',
        message: `this took longer than ${seconds} seconds and was stopped`,
      }), seconds * 1000);
      const done = value => {
        clearTimeout(timer);
        this.#stop = null;
        resolve(value);
      };
      this.#stop = error => {
        this.#end();
        done({ error });
      };
      worker.onmessage = ({ data }) => {
        if (data.dead === undefined) return done(data.answer);
        this.#end();
        const deep = /Maximum call stack/.test(data.dead);
        const message = deep ? 'this is nested too deeply for the browser' : data.dead;
        done({ error: { kind: deep ? 'unsupported' : 'internal', message } });
      };
      worker.onerror = event => this.#stop({ kind: 'internal', message: event.message });
      worker.postMessage({ head, payloads });
    });
    const error = result.error ?? result.head.error;
    if (error) throw new Refused(error);
    return result;
  }

  async #started() {
    if (!this.#worker) {
      const module = await this.load();
      this.#worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
      this.#worker.postMessage({ module });
    }
    return this.#worker;
  }

  #end() {
    this.#worker?.terminate();
    this.#worker = null;
  }
}

async function compile(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  // A host may serve the file with another type, which streaming refuses.
  return WebAssembly.compile(await response.arrayBuffer());
}
