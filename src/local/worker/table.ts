import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Plugin } from 'rolldown';
import type { FiledEntry } from './entries.ts';

/**
 * Puts in place of `src/table.ts` what it says, as data: for each endpoint its routes, and the file that it is loaded
 * from when it is first asked for. Until then nothing of that file is evaluated.
 * @param modules the keys of the optional modules that are in it; all of them when absent
 */
export const endpointTable = (modules?: readonly string[]): Plugin => ({
  name: 'endpoint-table',
  load: {
    filter: { id: /\/src\/table\.ts$/ },
    async handler() {
      const entries = await readEntries();
      const served = entries.filter(
        ({ module }) => !modules || module === undefined || modules.includes(module),
      );
      for (const { file } of entries) this.addWatchFile(join(src, file));
      this.addWatchFile(join(src, 'endpoints.ts'));
      return `export const table = [${served.map((entry) => lineOf(entry)).join(',\n')}];`;
    },
  },
});

const src = join(import.meta.dirname, '../..');

/** Reads the table in a process of its own: from the sources as they are now. */
async function readEntries(): Promise<FiledEntry[]> {
  const script = join(import.meta.dirname, 'entries.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 1e8 });
  return JSON.parse(stdout) as FiledEntry[];
}

const lineOf = ({ file, name, ...entry }: FiledEntry) =>
  `{...${JSON.stringify(entry)},load:async()=>(await import('./${file}')).${name}}`;
