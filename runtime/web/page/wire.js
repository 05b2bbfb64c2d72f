// Messages to and from the WebAssembly modules: JSON, and bytes beside it (runtime/web/src/message.rs).

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() };

/** Returns the bytes of a message. */
export function encode(head, payloads = []) {
  const text = utf8.encoder.encode(
    JSON.stringify({ ...head, payloads: payloads.map(payload => payload.length) }));
  const length = payloads.reduce((sum, payload) => sum + payload.length, 4 + text.length);
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  let at = 4 + text.length;
  for (const payload of payloads) {
    bytes.set(payload, at);
    at += payload.length;
  }
  return bytes;
}

/** Returns the head and the payloads of a message. */
export function decode(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head = JSON.parse(utf8.decoder.decode(bytes.subarray(4, 4 + length)));
  let at = 4 + length;
  const payloads = head.payloads.map(size => bytes.slice(at, at += size));
  return { head, payloads };
}
