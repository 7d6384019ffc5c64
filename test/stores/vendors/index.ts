/** Runs the vendors for trying `npm run store` without accounts: `npm run vendors`. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFolder } from '../../../src/cli/store/configuration.ts';
import { isTaken } from '../../../src/cli/port.ts';
import { command } from '../../../src/cli/support/command.ts';
import { startPostgres } from '../../../src/local/postgres/index.ts';
import { Vendors } from './vendors.ts';

const usage = `npm run vendors

Answers as the APIs of Cloudflare and Neon do, on this machine: \`npm run store\` can be tried without accounts. Databases are
in a PostgreSQL of its own, workers run in workerd. Ctrl-C stops all of it, and deletes it.`;

const firstPort = 8801;

async function freePort(port = firstPort): Promise<number> {
  return (await isTaken(port)) ? freePort(port + 1) : port;
}

function greet(vendors: Vendors, port: number): void {
  const lines = Object.entries(vendors.variables()).map(([name, value]) => `  ${name}=${value}`);
  process.stdout.write(`The vendors answer. In another terminal, in this folder:

  export \\
  ${lines.join(' \\\n  ')}
  npm run store -- add roti --address http://127.0.0.1:${port} --owner you@example.com --currency IDR

Each store takes a free port of its own as its address. Ctrl-C stops the stores too, and deletes them.
`);
}

await command({ usage }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vendors-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
  const vendors = new Vendors(postgres.url);
  try {
    await vendors.open();
    vendors.cloudflare.assetsOf = (name) =>
      join(buildFolder(name.replace(/^sales-api-/, '')), 'assets');
    const port = await freePort();
    if (port !== firstPort)
      process.stdout.write(`Port ${firstPort} is taken, so the example has another.\n`);
    greet(vendors, port);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  } finally {
    await vendors.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
