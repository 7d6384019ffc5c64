const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  }
  return remainder;
});

/** CRC-32 (the one of zip, PNG and gzip) of a text's UTF-8 bytes, from 0 to 2³² − 1. */
export function crc32(text: string): number {
  let remainder = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    remainder = (remainder >>> 8) ^ (table[(remainder ^ byte) & 0xff] ?? 0);
  }
  return (remainder ^ 0xffffffff) >>> 0;
}
