import { SourceRefused } from './errors.ts';

/** The longest item that is held, in bytes: MySQL allows a row of 1 GiB, and tools write up to 64 MiB by default. */
const LARGEST = 256 * 1024 * 1024;

/**
 * The part of a stream that is being read. Bytes before `at` have been read, and are dropped with the next ones. If an
 * item continues after the available bytes, these are doubled before the next try, so that a long item costs its
 * length, not its square.
 */
export class Window {
  bytes: Buffer = Buffer.alloc(0);
  /** The number of read bytes. */
  at = 0;
  /** The number of dropped bytes before these. */
  passed = 0;
  #waiting: Uint8Array[] = [];
  #waitingSize = 0;

  get isEmpty(): boolean {
    return this.at === this.bytes.length;
  }

  /** Takes more bytes; true once there are enough to read on. */
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
