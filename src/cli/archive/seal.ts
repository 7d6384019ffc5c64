import { type DecipherGCM, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';

/** Bytes of the nonce at the beginning, and of the authentication tag at the end. */
const [nonceSize, tagSize] = [12, 16];

export const newSealKey = (): string => randomBytes(32).toString('base64url');

/** Encrypts the files of an archive, each bound to its name, so that none can replace another. */
export class Seal {
  readonly #key: Buffer;

  /** @param key 32 bytes as base64url @throws Error for any other text; the message does not quote it */
  constructor(key: string) {
    this.#key = Buffer.from(key, 'base64url');
    if (this.#key.length !== 32)
      throw new Error('BACKUP_KEY is not a key of 32 bytes in base64url.');
  }

  async *close(
    name: string,
    chunks: AsyncIterable<string | Uint8Array>,
  ): AsyncGenerator<Buffer, void> {
    const nonce = randomBytes(nonceSize);
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(name));
    yield nonce;
    for await (const chunk of chunks) yield cipher.update(chunk as Buffer);
    yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
  }

  /**
   * Decrypts a file while it is read. The bytes are verified only at the end: callers must read the file completely.
   * @throws Error at the end if the file was sealed with another key or for another backup, or was changed
   */
  async *open(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    let held: Buffer = Buffer.alloc(0);
    let decipher: DecipherGCM | undefined;
    for await (const chunk of chunks) {
      held = Buffer.concat([held, chunk]);
      if (!decipher && held.length >= nonceSize) {
        decipher = createDecipheriv(algorithm, this.#key, held.subarray(0, nonceSize), {
          authTagLength: tagSize,
        });
        decipher.setAAD(Buffer.from(name));
        held = held.subarray(nonceSize);
      }
      if (decipher && held.length > tagSize) {
        yield decipher.update(held.subarray(0, -tagSize));
        held = held.subarray(-tagSize);
      }
    }
    if (decipher && isWhole(decipher, held)) return;
    throw new Error(
      `${name} was sealed by another BACKUP_KEY, belongs to another backup, or was changed.`,
    );
  }
}

function isWhole(decipher: DecipherGCM, tag: Buffer): boolean {
  try {
    decipher.setAuthTag(tag).final();
    return true;
  } catch {
    return false;
  }
}
