import type { Hono } from 'hono';
import { createApp } from './app.ts';
import { type Environment, type Services, createServices } from './kernel/endpoint/services.ts';
import { shop } from './domain/service/shop.ts';
import { systemClock } from './lib/instant.ts';
import { runJobs } from './jobs/index.ts';

/** What the platform lets a worker do after its answer. */
interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
  passThroughOnException(): void;
}

// eslint-disable-next-line no-console -- a worker's log is its standard output
const log = (line: Record<string, unknown>) => console.log(JSON.stringify(line));

let services: Promise<Services> | undefined;
let app: Promise<Hono> | undefined;

const servicesOf = (env: Environment) => (services ??= createServices(env, systemClock, shop));

export default {
  async fetch(request: Request, env: Environment, context: ExecutionContext): Promise<Response> {
    app ??= servicesOf(env).then((shared) => createApp(shared, log));
    // Hono's type of the context has `props`, the platform's hasn't.
    return (await app).fetch(request, env, context as never);
  },

  async scheduled(_: unknown, env: Environment): Promise<void> {
    await runJobs(await servicesOf(env), log);
  },
};
