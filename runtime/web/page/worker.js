// Runs a WebAssembly module outside of the page's thread, which can end it at any time.

import { decode, encode } from './wire.js';

let exports;
let started;
let panic = '';

const imports = {
  page: {
    random_bytes: (to, length) =>
      crypto.getRandomValues(new Uint8Array(exports.memory.buffer, to, length)),
    panicked: (text, length) => {
      panic = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, text, length));
    },
  },
};

async function start(module) {
  exports = (await WebAssembly.instantiate(module, imports)).exports;
  exports.start();
}

function ask({ head, payloads }) {
  const question = encode(head, payloads);
  const to = exports.question(question.length);
  new Uint8Array(exports.memory.buffer, to, question.length).set(question);
  const length = exports.ask();
  const from = exports.answer_bytes();
  // A copy: the module's memory is used again.
  return decode(new Uint8Array(exports.memory.buffer, from, length).slice());
}

self.onmessage = async ({ data }) => {
  if (data.module) {
    started = start(data.module);
    return;
  }
  panic = '';
  try {
    await started;
    const answer = ask(data);
    self.postMessage({ answer }, answer.payloads.map(payload => payload.buffer));
  } catch (error) {
    // A trap: the module is dead. The text of a panic says more than the trap does.
    self.postMessage({ dead: panic || String(error) });
  }
};
