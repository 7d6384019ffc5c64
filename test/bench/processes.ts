import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { buildWorker, runBareWorkerd } from '../../src/local/worker/index.ts';

export interface WorkerOptions {
  readonly bindings: Record<string, string>;
  /** The address of the database (`startEndpoint`). */
  readonly neonUrl: string;
  readonly port?: number | undefined;
  /** The port for profiles; the worker's functions then keep their names. */
  readonly inspectorPort?: number | undefined;
}

/** Runs a worker in workerd alone. @param entry its module, from this folder */
export async function startWorker(
  closers: AsyncDisposableStack,
  entry: string,
  { port, inspectorPort, ...setup }: WorkerOptions,
): Promise<string> {
  const script = await buildWorker(resolve(import.meta.dirname, entry), {
    minify: inspectorPort === undefined,
  });
  const worker = await runBareWorkerd({
    ...setup,
    script,
    compatibilityDate: '2026-10-20',
    compatibilityFlags: ['global_fetch_strictly_public'],
    devOutbound: true,
    ...(port !== undefined && { port }),
    ...(inspectorPort !== undefined && { inspectorPort }),
  });
  closers.defer(() => worker.stop());
  return worker.url;
}

/** Runs the Neon endpoint in a process of its own, so that it shares no thread with the callers. */
export async function startEndpoint(
  closers: AsyncDisposableStack,
  databaseUrl: string,
): Promise<string> {
  const endpoint = resolve(import.meta.dirname, 'endpoint.ts');
  const { url } = await startChild<{ url: string }>(closers, endpoint, [databaseUrl]);
  return url;
}

/**
 * Runs a script that sends a message about what it opened, and closes it when it is disconnected. Ctrl-C reaches only
 * this process, which closes everything in order.
 */
export async function startChild<T>(
  closers: AsyncDisposableStack,
  script: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<T> {
  const env = { ...process.env, ...environment };
  const child = fork(script, args, { detached: true, env });
  const exited = once(child, 'exit');
  closers.defer(async () => {
    if (child.connected) child.disconnect();
    await exited;
  });
  return Promise.race([messageOf<T>(child), failureOf(exited, script)]);
}

const messageOf = async <T>(child: ChildProcess) => ((await once(child, 'message')) as [T])[0];

async function failureOf(exited: Promise<unknown[]>, script: string): Promise<never> {
  const [code] = await exited;
  throw new Error(`${script} ended with ${String(code)} before it had opened anything.`);
}
