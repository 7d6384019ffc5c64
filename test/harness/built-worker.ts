import { resolve } from 'node:path';
import { buildWorker } from '../../src/local/worker/index.ts';
import { once } from '../../src/lib/once.ts';

/** Returns the worker with all modules, built once for the files of a process. */
export const builtWorker = once(() =>
  buildWorker(resolve(import.meta.dirname, '../../src/worker.ts')),
);
