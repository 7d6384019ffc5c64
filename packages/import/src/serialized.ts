/**
 * A value serialised by PHP. Arrays, lists too, are objects without a prototype, with text keys ("0", "1"). Whole
 * numbers that JavaScript can't represent are texts.
 */
export type PhpValue = string | number | boolean | null | PhpArray;
export interface PhpArray {
  [key: string]: PhpValue;
}

/** The reason why a text isn't read: it has objects or references, or is incomplete. */
export type Unserializable = 'object' | 'reference' | 'malformed';

export type Unserialized = { ok: true; value: PhpValue } | { ok: false; reason: Unserializable };

const DEEPEST = 100;

/**
 * Parses a serialised value. Lengths of texts are in bytes. They are wrong if somebody replaced a text in the database
 * by a longer one: a text then ends at the nearest quote that can be its end.
 */
export function unserialize(text: string): Unserialized {
  try {
    const reader = new Reader(Buffer.from(text));
    const value = reader.value(0);
    return reader.isAtEnd ? { ok: true, value } : { ok: false, reason: 'malformed' };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, reason: error.reason };
    throw error;
  }
}

class Unreadable extends Error {
  readonly reason: Unserializable;

  constructor(reason: Unserializable) {
    super(reason);
    this.reason = reason;
  }
}

/** The bytes that can follow a text: another key or value, the end of its array, or the end of the value. */
const behindText = /^(?:[sid]:[-\d.]|[ab]:\d|N;|[OCErR]:\d|\}|\s*$)/;

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#bytes.toString('utf8', this.#at).trim() === '';
  }

  value(depth: number): PhpValue {
    const type = this.#take(2);
    switch (type) {
      case 'N;':
        return null;
      case 'b:':
        return this.#number(/^[01]$/) === '1';
      case 'i:':
        return whole(this.#number(/^[-+]?\d+$/));
      case 'd:':
        return fraction(this.#number(/^(-?INF|NAN|[-+]?[\d.]+(E[-+]?\d+)?)$/i));
      case 's:':
        return this.#text();
      case 'a:':
        return this.#array(depth);
      case 'O:':
      case 'C:':
      case 'E:':
        throw new Unreadable('object');
      case 'r:':
      case 'R:':
        throw new Unreadable('reference');
      default:
        throw new Unreadable('malformed');
    }
  }

  #array(depth: number): PhpArray {
    const length = this.#length();
    if (depth === DEEPEST || this.#take(1) !== '{') throw new Unreadable('malformed');
    const array: PhpArray = Object.create(null) as PhpArray;
    for (let index = 0; index < length; index += 1) {
      const key = this.value(depth + 1);
      if (typeof key !== 'string' && typeof key !== 'number') throw new Unreadable('malformed');
      array[String(key)] = this.value(depth + 1);
    }
    if (this.#take(1) !== '}') throw new Unreadable('malformed');
    return array;
  }

  #text(): string {
    const length = this.#length();
    if (this.#take(1) !== '"') throw new Unreadable('malformed');
    const start = this.#at;
    const end = this.#closes(start + length) ? start + length : this.#nearestClose(start);
    this.#at = end + 2;
    return this.#bytes.toString('utf8', start, end);
  }

  #closes(at: number): boolean {
    return this.#bytes.toString('latin1', at, at + 2) === '";';
  }

  #nearestClose(start: number): number {
    for (let end = start - 1; ;) {
      end = this.#bytes.indexOf('";', end + 1);
      if (end === -1) throw new Unreadable('malformed');
      if (behindText.test(this.#bytes.toString('latin1', end + 2, end + 10))) return end;
    }
  }

  #length(): number {
    return Number(this.#until(':', /^\d{1,10}$/));
  }

  #number(shape: RegExp): string {
    return this.#until(';', shape);
  }

  #until(mark: string, shape: RegExp): string {
    const end = this.#bytes.indexOf(mark, this.#at);
    // A longer text is no number.
    const text =
      end === -1 || end - this.#at > 400 ? '' : this.#bytes.toString('latin1', this.#at, end);
    if (!shape.test(text)) throw new Unreadable('malformed');
    this.#at = end + 1;
    return text;
  }

  #take(length: number): string {
    const text = this.#bytes.toString('latin1', this.#at, this.#at + length);
    this.#at += length;
    return text;
  }
}

function whole(text: string): number | string {
  return Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

function fraction(text: string): number | string {
  if (/^[-+]?\d+$/.test(text)) return whole(text);
  return text === 'NAN' ? NaN : Number(text.replace('INF', 'Infinity'));
}
