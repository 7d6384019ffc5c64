import { encodeHex } from './bytes.ts';

type State = readonly [number, number, number, number];

const start: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];

/** Rotations of each round's steps, repeated every four. */
const rotations = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];

const sines = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32));

/**
 * Returns the MD5 (RFC 1321) of a text in UTF-8, in hexadecimal. WebCrypto has none; only partners' signatures may use
 * it.
 */
export function md5(text: string): string {
  const message = padded(new TextEncoder().encode(text));
  let state = start;
  for (let at = 0; at < message.byteLength; at += 64) state = mixed(state, message, at);
  const digest = new DataView(new ArrayBuffer(16));
  state.forEach((word, i) => digest.setUint32(i * 4, word, true));
  return encodeHex(new Uint8Array(digest.buffer));
}

/** Pads a message to whole blocks of 64 bytes: a one, zeros, and its length in bits. */
function padded(bytes: Uint8Array): DataView {
  const blocks = new Uint8Array((Math.floor((bytes.length + 8) / 64) + 1) * 64);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setBigUint64(blocks.length - 8, BigInt(bytes.length) * 8n, true);
  return view;
}

function mixed(state: State, message: DataView, at: number): State {
  let [a, b, c, d] = state;
  for (let i = 0; i < 64; i++) {
    const round = i >> 4;
    const [bits, place] = step(round, i, [b, c, d]);
    const word = message.getUint32(at + (place % 16) * 4, true);
    const sum = (a + bits + (sines[i] ?? 0) + word) | 0;
    const rotation = rotations[round * 4 + (i % 4)] ?? 0;
    const rotated = (sum << rotation) | (sum >>> (32 - rotation));
    [a, b, c, d] = [d, (b + rotated) | 0, b, c];
  }
  const [a0, b0, c0, d0] = state;
  return [(a0 + a) | 0, (b0 + b) | 0, (c0 + c) | 0, (d0 + d) | 0];
}

/** Mixes three words of the state, and selects the word of the block. */
function step(round: number, i: number, [b, c, d]: readonly [number, number, number]) {
  switch (round) {
    case 0:
      return [(b & c) | (~b & d), i] as const;
    case 1:
      return [(d & b) | (~d & c), 5 * i + 1] as const;
    case 2:
      return [b ^ c ^ d, 3 * i + 5] as const;
    default:
      return [c ^ (b | ~d), 7 * i] as const;
  }
}
