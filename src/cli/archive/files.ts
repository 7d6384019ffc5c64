import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Refused } from '../support/refusals.ts';
import type { Manifest } from './manifest.ts';
import { Seal } from './seal.ts';

type SealOptions = Pick<Manifest, 'sealed' | 'format' | 'exported_at'>;

/** The table files of an archive, encrypted if the archive is sealed. */
export class TableFiles {
  readonly #folder: string;
  readonly #seal: Seal | undefined;
  /** The time of the backup that encrypted files are bound to; undefined before format 3. */
  readonly #boundTo: string | undefined;

  /** @throws Refused if the archive is sealed and there is no key */
  constructor(
    folder: string,
    { sealed, format, exported_at }: SealOptions,
    key: string | undefined,
  ) {
    this.#folder = folder;
    this.#boundTo = format === 3 ? exported_at : undefined;
    if (sealed && !key)
      throw new Refused(
        'The archive is encrypted: set BACKUP_KEY to that of its store, from stores/NAME.secrets.',
      );
    this.#seal = sealed && key ? new Seal(key) : undefined;
  }

  #nameOf = (table: string): string => `${table}.ndjson${this.#seal ? '.sealed' : ''}`;

  #boundNameOf = (name: string): string =>
    this.#boundTo === undefined ? name : `${name} of ${this.#boundTo}`;

  /** Writes a new file, readable by its owner only. */
  async write(table: string, texts: AsyncIterable<string>): Promise<void> {
    const name = this.#nameOf(table);
    await using file = await open(join(this.#folder, name), 'wx', 0o600);
    // `appendFile` writes everything or fails; `write` may write only a part to a full disk.
    for await (const chunk of this.#seal?.close(this.#boundNameOf(name), texts) ?? texts)
      await file.appendFile(chunk);
    await file.sync();
  }

  /** Reads the file of a table. @throws Error if there is none */
  async *read(table: string): AsyncGenerator<Buffer, void> {
    const name = this.#nameOf(table);
    const path = join(this.#folder, name);
    await using file = await open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw new Error(`${path} is missing: the archive is not whole. Copy the folder again.`);
    });
    const chunks = file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>;
    yield* this.#seal ? this.#seal.open(this.#boundNameOf(name), chunks) : chunks;
  }

  async hashOf(table: string): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of this.read(table)) hash.update(chunk);
    return hash.digest('hex');
  }
}
