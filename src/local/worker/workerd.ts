import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import * as z from 'zod';

export interface WorkerSetup {
  /** The bundle's text. */
  script: string;
  bindings: Record<string, string>;
  /** The address behind the binding DATABASE_ENDPOINT: `startNeonEndpoint`'s url. */
  neonUrl: string;
  /** Port on 127.0.0.1 (default: any free one). */
  port?: number;
  compatibilityDate: string;
  compatibilityFlags?: string[];
  /** Adds the binding DEV_OUTBOUND, which reaches this machine and nothing else (default false). */
  devOutbound?: boolean;
}

export interface BareSetup extends WorkerSetup {
  /** Port on 127.0.0.1 of V8's inspector (default: there is none). */
  inspectorPort?: number;
}

export interface BareWorkerd {
  /** http://127.0.0.1:PORT */
  url: string;
  port: number;
  pid: number;
  stop(): Promise<void>;
  /** Ends at once, as in a crash: running work is lost. */
  kill(): Promise<void>;
}

/**
 * Runs the worker in workerd alone, without the development proxy: for benchmarks and tests of the socket. There are no
 * simulators (R2, rate limits) and no `scheduled()`, and the caller sets `CF-Connecting-IP`. Outgoing requests reach
 * public addresses only.
 * @throws Error with workerd's complaint if it doesn't start
 */
export async function runBareWorkerd(setup: BareSetup): Promise<BareWorkerd> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sales-workerd-'));
  await writeFile(join(folder, 'worker.js'), setup.script);
  await writeFile(join(folder, 'config.capnp'), capnp(setup));
  const { inspectorPort } = setup;
  const flags = inspectorPort ? [`--inspector-addr=127.0.0.1:${inspectorPort}`] : [];
  const config = join(folder, 'config.capnp');
  const server = spawn(workerdBinary(), ['serve', '--control-fd=3', ...flags, config], {
    env: setup.bindings,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const closed = once(server, 'close');
  const complaints: string[] = [];
  if (server.stderr)
    createInterface(server.stderr).on('line', (line) => {
      complaints.push(line);
      if (complaints.length > 20) complaints.shift();
    });
  const endWithUs = () => server.kill();
  process.once('exit', endWithUs);
  const end = async (signal: NodeJS.Signals) => {
    server.kill(signal);
    await closed;
    process.off('exit', endWithUs);
    await rm(folder, { recursive: true, force: true });
  };
  const port = await listening(server.stdio[3]);
  const worker = { stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
  if (port !== undefined)
    return { url: `http://127.0.0.1:${port}`, port, pid: server.pid ?? 0, ...worker };
  await worker.stop();
  throw new Error(`workerd did not start:\n${complaints.join('\n')}`);
}

const ListenEvent = z.object({ event: z.literal('listen'), port: z.number() });

/** The port, once workerd's control pipe reports that it listens. */
async function listening(control: unknown): Promise<number | undefined> {
  if (!(control instanceof Readable)) return undefined;
  for await (const line of createInterface(control)) {
    const event = ListenEvent.safeParse(JSON.parse(line));
    if (event.success) return event.data.port;
  }
  return undefined;
}

function workerdBinary(): string {
  const require = createRequire(import.meta.url);
  const { default: path } = z
    .object({ default: z.string() })
    .parse(createRequire(require.resolve('miniflare'))('workerd'));
  return path;
}

/** String bindings come from the environment, so no file contains secrets. */
function capnp(setup: WorkerSetup): string {
  const { bindings, neonUrl, port = 0, compatibilityDate, compatibilityFlags = [] } = setup;
  const names = Object.keys(bindings);
  const all = [
    ...names.map((name) => `(name = "${name}", fromEnvironment = "${name}")`),
    '(name = "DATABASE_ENDPOINT", service = "database")',
    ...(setup.devOutbound ? ['(name = "DEV_OUTBOUND", service = "this-machine")'] : []),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "${compatibilityDate}",
      compatibilityFlags = [${compatibilityFlags.map((flag) => `"${flag}"`).join(', ')}],
      bindings = [${all.join(', ')}],
      globalOutbound = "public",
    )),
    (name = "public", network = (allow = ["public"], tlsOptions = (trustBrowserCas = true))),
    (name = "this-machine", network = (allow = ["local"])),
    (name = "database", external = (address = "${new URL(neonUrl).host}", http = ())),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
}
