// The shader that is shown, and the answers about it. Each question is asked once.

import { Engine } from './engine.js';

/** Frontend, translator and validator. */
export const core = new Engine(new URL('dxil_web.wasm', import.meta.url));
/** The writers of other languages and the CPU executor, which are loaded when they are needed. */
export const writers = new Engine(new URL('dxil_web_languages.wasm', import.meta.url));
export const executor = new Engine(new URL('dxil_web_executor.wasm', import.meta.url));

export class Session {
  #answers = new Map();

  constructor(name, opened) {
    this.name = name;
    this.kind = opened.head.kind;
    this.from = opened.head.from;
    this.bytes = opened.payloads[0];
    this.entry = '';
    /** The forms of dispatches and the debugging sessions, by entry point. */
    this.dispatches = new Map();
    this.debugged = new Map();
  }

  get isSpirv() { return this.kind === 'spirv'; }

  /** Asks about the shader; the same question gets the same answer. */
  ask(head) {
    const question = { ...head, entry: this.entry };
    const key = JSON.stringify(question);
    if (!this.#answers.has(key)) {
      const answer = core.ask(question, [this.bytes]);
      this.#answers.set(key, answer);
      // A question that was stopped may be asked again.
      answer.catch(error => { if (error.kind === 'stopped') this.#answers.delete(key); });
    }
    return this.#answers.get(key);
  }

  /** Asks an engine with more bytes than those of the shader; nothing is kept. */
  askWith(engine, head, payloads, seconds) {
    return engine.ask({ ...head, entry: this.entry }, [this.bytes, ...payloads], seconds);
  }

  /** Returns the text of the shader in another language, with the comment about its bindings and where
   * their registers are. */
  async written(language) {
    const portable = await this.ask({ ask: 'portable', language });
    const { stage, entry, layout } = portable.head;
    const { head } = await writers.ask({ language, stage, entry, layout }, portable.payloads);
    let comment = portable.head.comment;
    if (head.metal) {
      comment = (await this.ask({ ask: 'portable', language, metal: head.metal })).head.comment;
    }
    return { text: head.text, comment, layout };
  }
}

/** Opens the bytes of a file or a pasted text. */
export async function opened(name, bytes) {
  return new Session(name, await core.ask({ ask: 'open' }, [bytes]));
}
