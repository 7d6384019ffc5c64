/** The message completes "The file …". */
export class BadImage extends Error {}

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Reads bytes in order. Every method throws BadImage if they end too early. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  position = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.position;
  }

  /** @returns where the skipped bytes start */
  skip(count: number): number {
    const start = this.position;
    if (count > this.left) throw new BadImage('is cut short');
    this.position += count;
    return start;
  }

  byte = (): number => this.#view.getUint8(this.skip(1));
  uint16 = (littleEndian = false): number => this.#view.getUint16(this.skip(2), littleEndian);
  uint32 = (littleEndian = false): number => this.#view.getUint32(this.skip(4), littleEndian);
  uint24 = (): number => this.uint16(true) + this.byte() * 65_536;

  part(length: number): ByteReader {
    const start = this.skip(length);
    return new ByteReader(this.bytes.subarray(start, start + length));
  }

  text(length: number): string {
    return String.fromCharCode(...this.part(length).bytes);
  }
}
