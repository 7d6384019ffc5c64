import { DurableObject } from 'cloudflare:workers';
import type { Hono } from 'hono';
import { createApp } from './app.ts';
import { type SchedulerNamespace, schedulerName } from './kernel/command/wake.ts';
import { type Deployment, type Environment, servicesOf } from './kernel/deployment/services.ts';
import { openDeployment } from './services.ts';
import { systemClock } from './lib/instant.ts';
import type { AlarmClock } from './jobs/alarm-clock.ts';
import type { Contact } from './kernel/deployment/contacts.ts';

interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
  passThroughOnException(): void;
}

interface ScheduledEnvironment extends Environment {
  readonly SCHEDULER: SchedulerNamespace<
    Pick<Scheduler, 'wake' | 'goOn' | 'lastContact' | 'keepContact' | 'run' | 'perform'>
  >;
}

// eslint-disable-next-line no-console -- a worker's log is its standard output
const log = (line: Record<string, unknown>) => console.log(JSON.stringify(line));

let deployment: Promise<Deployment> | undefined;
let app: Promise<Hono> | undefined;

/** Requests load no code of the jobs. */
const loadJobs = () => import('./jobs/index.ts');

const isScheduled = (env: Environment): env is ScheduledEnvironment => env.SCHEDULER !== undefined;

const deploymentOf = (env: Environment) => (deployment ??= openDeployment(env, systemClock));

const invocationOf = async (env: Environment) => servicesOf(await deploymentOf(env));

export default {
  async fetch(request: Request, env: Environment, context: ExecutionContext): Promise<Response> {
    app ??= deploymentOf(env).then((shared) => createApp(shared, log));
    // Hono's type of the context has `props`, the platform's hasn't.
    return (await app).fetch(request, env, context as never);
  },

  async scheduled(_: unknown, env: Environment | ScheduledEnvironment): Promise<void> {
    if (isScheduled(env)) await env.SCHEDULER.getByName(schedulerName).run();
    else await (await loadJobs()).runJobs(await invocationOf(env), log);
  },
};

/**
 * The Durable Object that does due work. One keeps the alarm. Each job runs in one of its own, because an invocation
 * may have six connections: slow mail delays no webhook.
 */
export class Scheduler extends DurableObject<ScheduledEnvironment> {
  #alarmClock: Promise<AlarmClock> | undefined;

  #clock(): Promise<AlarmClock> {
    return (this.#alarmClock ??= this.#open());
  }

  async #open(): Promise<AlarmClock> {
    const { AlarmClock } = await import('./jobs/alarm-clock.ts');
    return new AlarmClock({
      storage: this.ctx.storage,
      clock: systemClock,
      log,
      services: async () => invocationOf(this.env),
      perform: async (job) => this.env.SCHEDULER.getByName(job).perform(job),
    });
  }

  /**
   * Makes the scheduler look for due work within a minute: called by a write, before it commits.
   */
  async wake(): Promise<void> {
    await (await this.#clock()).wake();
  }

  /**
   * Makes the scheduler look for due work at once: called by a request that has no calls left for
   * its own due work.
   */
  async goOn(): Promise<void> {
    await (await this.#clock()).goOn();
  }

  async lastContact(): Promise<Contact | undefined> {
    return this.ctx.storage.get<Contact>('contact');
  }

  async keepContact(contact: Contact): Promise<void> {
    await this.ctx.storage.put('contact', contact);
  }

  /** Does due work: called by the cron. */
  async run(): Promise<void> {
    await (await this.#clock()).run();
  }

  /**
   * Does one job: called by the object with the alarm.
   * @returns true if it continues at once
   */
  async perform(job: string): Promise<boolean> {
    return (await loadJobs()).runJob(job, await invocationOf(this.env), log);
  }

  /** Called by the platform. */
  async alarm(): Promise<void> {
    await (await this.#clock()).run();
  }
}
