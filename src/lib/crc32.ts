const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  }
  return remainder;
});

/** Returns the CRC-32 (as in zip, PNG and gzip) of bytes, or of a text in UTF-8, from 0 to 2³² − 1. */
export function crc32(data: string | Uint8Array): number {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  let remainder = 0xffffffff;
  for (const byte of bytes) {
    remainder = (remainder >>> 8) ^ (table[(remainder ^ byte) & 0xff] ?? 0);
  }
  return (remainder ^ 0xffffffff) >>> 0;
}
