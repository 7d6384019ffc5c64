import { SourceRefused } from './errors.ts';

/** The longest thing that is held, in bytes: MySQL lets a row have 1 GiB, and tools write up to 64 MiB by default. */
const LARGEST = 256 * 1024 * 1024;

/**
 * The part of a stream that is being read. What is behind `at` has been read and is given up with the next
 * bytes. Where a thing goes on behind the bytes at hand they are doubled before it is tried again, so that
 * a long one costs its length, and not its square.
 */
export class Window {
  bytes: Buffer = Buffer.alloc(0);
  /** The number of `bytes` that have been read. */
  at = 0;
  /** The number of bytes that were dropped before these. */
  passed = 0;
  #waiting: Uint8Array[] = [];
  #waitingSize = 0;

  get isEmpty(): boolean {
    return this.at === this.bytes.length;
  }

  /** Takes more bytes; true once there are enough of them to read on. */
  add(chunk: Uint8Array, isLast = false): boolean {
    this.#waiting.push(chunk);
    this.#waitingSize += chunk.length;
    const rest = this.bytes.length - this.at;
    if (this.#waitingSize < rest && !isLast) return false;
    if (rest > LARGEST)
      throw new SourceRefused(
        'format',
        `Something in the dump goes on for more than ${LARGEST} bytes (byte ${this.passed + this.at}): a quote may be missing, or a part of the file`,
      );
    this.bytes = Buffer.concat([this.bytes.subarray(this.at), ...this.#waiting]);
    this.passed += this.at;
    this.at = 0;
    this.#waiting = [];
    this.#waitingSize = 0;
    return true;
  }
}
