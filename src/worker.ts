import type { Hono } from 'hono';
import { createApp } from './app.ts';
import { type Environment, createServices } from './http/services.ts';
import { systemClock } from './lib/instant.ts';

/** What the platform lets a worker do after its answer. */
interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
  passThroughOnException(): void;
}

// eslint-disable-next-line no-console -- a worker's log is its standard output
const log = (line: Record<string, unknown>) => console.log(JSON.stringify(line));

let app: Promise<Hono> | undefined;

export default {
  async fetch(request: Request, env: Environment, context: ExecutionContext): Promise<Response> {
    app ??= createServices(env, systemClock).then((services) => createApp(services, log));
    return (await app).fetch(request, env, context as never);
  },
};
