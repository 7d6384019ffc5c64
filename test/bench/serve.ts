import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { command } from '../../src/cli/support/command.ts';
import { untilEnded } from './ended.ts';
import { openBench } from './open.ts';

const usage = `npm run bench:serve

Opens a store of ORDERS orders at PORT until Ctrl-C. What a load tool has to know of it stands in .local/bench.json.`;

const folder = resolve(import.meta.dirname, '../../.local');

async function serve(closers: AsyncDisposableStack): Promise<void> {
  const bench = await openBench(closers, { port: Number(process.env['PORT'] ?? 0) });
  await mkdir(folder, { recursive: true });
  const file = resolve(folder, 'bench.json');
  await writeFile(file, `${JSON.stringify(bench, null, 2)}\n`, { mode: 0o600 });
  if (process.send) process.send(bench);
  else console.error(`  Described in ${file}. Ctrl-C closes it.`);
  await new Promise(() => {});
}

await command({ name: 'bench:serve', usage }, () => untilEnded(serve));
