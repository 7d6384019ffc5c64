import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Plugin } from 'rolldown';
import type { FiledEntry } from './entries.ts';

const src = join(import.meta.dirname, '../..');

/** Reads the endpoint table in a new process: from the current sources. */
export async function readEntries(): Promise<FiledEntry[]> {
  const script = join(import.meta.dirname, 'entries.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 1e8 });
  return JSON.parse(stdout) as FiledEntry[];
}

/**
 * Replaces `src/table.ts` by its contents as data: the routes of each endpoint, and the file to load with its first
 * request. Nothing of that file is evaluated before.
 * @param modules the keys of the included optional modules; all when absent
 */
export const endpointTable = (
  read: () => Promise<FiledEntry[]>,
  modules?: readonly string[],
): Plugin => ({
  name: 'endpoint-table',
  load: {
    filter: { id: /\/src\/table\.ts$/ },
    async handler() {
      const entries = await read();
      for (const { file } of entries) this.addWatchFile(join(src, file));
      this.addWatchFile(join(src, 'endpoints.ts'));
      const served = entries.filter(
        ({ module }) => !modules || module === undefined || modules.includes(module),
      );
      return `export const table = [${served.map((entry) => lineOf(entry)).join(',\n')}];`;
    },
  },
});

const lineOf = ({ file, name, ...entry }: FiledEntry) =>
  `{...${JSON.stringify(entry, withoutReason)},load:()=>import('./${file}').then((file)=>file.${name})}`;

/** The reason why an operation is open is only for readers. */
const withoutReason = (key: string, value: unknown) => (key === 'reason' ? '' : value);
