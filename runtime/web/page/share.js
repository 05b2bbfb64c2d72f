// A shader in the fragment of an address, which browsers do not send to the host.

/** Longer addresses break in mail and chat. */
export const MAX_LINK = 32_000;

const through = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** Returns the fragment of a shader. */
export async function fragmentOf(name, bytes) {
  const packed = await through(bytes, new CompressionStream('deflate-raw'));
  let text = '';
  for (const byte of packed) text += String.fromCharCode(byte);
  const base64 = btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `#n=${encodeURIComponent(name)}&s=${base64}`;
}

/** Returns the name and the bytes in a fragment; null if there is no shader in it. */
export async function shaderIn(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const base64 = fields.get('s');
  if (!base64) return null;
  const text = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  const packed = Uint8Array.from(text, char => char.charCodeAt(0));
  return { name: fields.get('n') || 'shared', bytes: await unpacked(packed) };
}

/** Unpacks as much as a shader may have: a short fragment could hold gigabytes of zeros. */
async function unpacked(packed) {
  const most = 64 << 20;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const pieces = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw new Error('the shader in the link is too large');
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
