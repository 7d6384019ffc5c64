import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Entry } from '../../kernel/endpoint/endpoint.ts';
import { table } from '../../table.ts';

export interface FiledEntry extends Omit<Entry, 'load'> {
  readonly file: string;
  readonly name: string;
}

const src = resolve(import.meta.dirname, '../..');
const files = globSync('{operations,modules}/*/*.ts', { cwd: src }).filter(
  (file) => !file.endsWith('/index.ts'),
);

const filed = new Map<unknown, Pick<FiledEntry, 'file' | 'name'>>();
for (const file of files) {
  const exported: object = await import(join(src, file));
  for (const [name, item] of Object.entries(exported)) filed.set(item, { file, name });
}

const entries = table.map(async ({ load, ...entry }): Promise<FiledEntry> => {
  const place = filed.get(await load());
  if (!place) throw new Error(`No file exports the endpoint ${entry.id}.`);
  return { ...entry, ...place };
});

console.log(JSON.stringify(await Promise.all(entries)));
