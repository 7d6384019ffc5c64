import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { readDump } from './dump.ts';
import { MAKE_ANOTHER, SourceRefused, cutOff } from './errors.ts';
import type { Progress, Reader } from './reader.ts';

const CHUNK = 1024 * 1024;

/** The first bytes of each type of file, in hexadecimal. */
const marks = {
  gzip: '1f8b',
  zip: '504b0304',
  'UTF-8': 'efbbbf',
  'UTF-16': 'fffe',
  'UTF-16, big-endian': 'feff',
};

async function beginning(path: string): Promise<{ total: number; mark: keyof typeof marks | '' }> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
  const start = buffer.toString('hex');
  const names = Object.keys(marks) as (keyof typeof marks)[];
  return {
    total: (await file.stat()).size,
    mark: names.find((name) => start.startsWith(marks[name])) ?? '',
  };
}

async function* counted(path: string, total: number, progress: Progress, start = 0) {
  let read = start;
  for await (const chunk of createReadStream(path, { start, highWaterMark: CHUNK })) {
    read += (chunk as Buffer).length;
    yield chunk as Buffer;
    progress(read, total);
  }
}

async function fingerprint(path: string, progress: Progress): Promise<string> {
  const { total } = await beginning(path);
  const hash = createHash('sha256');
  for await (const chunk of counted(path, total, progress)) hash.update(chunk);
  return hash.digest('hex').slice(0, 32);
}

/** Reads a `.sql` or `.sql.gz`, recognised by its bytes and not by its name. */
async function* sqlOf(path: string, progress: Progress): AsyncGenerator<Buffer> {
  const { total, mark } = await beginning(path);
  if (mark === 'zip')
    throw new SourceRefused('format', 'This is a .zip: unpack it, and import the .sql in it');
  if (mark.startsWith('UTF-16'))
    throw new SourceRefused(
      'charset',
      `The dump was written in UTF-16, as PowerShell's ">" does. ${MAKE_ANOTHER}, with --result-file=shop.sql instead of ">"`,
    );
  const plain = counted(path, total, progress, mark === 'UTF-8' ? 3 : 0);
  yield* mark === 'gzip' ? unzipped(plain) : plain;
}

async function* unzipped(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK });
  // Errors of the pipeline reach the loop below through `gunzip`.
  pipeline(bytes, gunzip).catch(() => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'Z_BUF_ERROR') throw cutOff();
    if (!code.startsWith('Z_')) throw error;
    throw new SourceRefused('format', `The file can't be unzipped: it is damaged. Copy it again`);
  }
}

export function dumpFile(path: string): Reader {
  const nothing = { columnsOf: () => undefined, row: () => undefined };
  return {
    isFixed: true,
    fingerprint: (_, progress) => fingerprint(path, progress),
    tables: async (progress) => (await readDump(sqlOf(path, progress), nothing)).tables,
    async read(sink, progress) {
      const { missingColumns } = await readDump(sqlOf(path, progress), sink);
      return { missingColumns, withoutSnapshot: [] };
    },
  };
}
