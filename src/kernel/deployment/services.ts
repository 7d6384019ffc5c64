import { readPeppers } from '../auth/secret-token.ts';
import type { Authority } from '../auth/principals.ts';
import { readSessionKeys } from '../auth/session-token.ts';
import { type Config, readConfig } from '../../config.ts';
import type { Driver, Fetcher } from '../database/neon.ts';
import { connect } from '../database/driver.ts';
import type { Connection } from '../database/unit-of-work.ts';
import { type ContactKeeper, Contacts } from './contacts.ts';
import type { Bucket } from './files.ts';

import { Budget } from '../budget.ts';
import { type Outbound, counted, networkOf } from '../events/outbound.ts';
import type { Following } from '../events/outbox.ts';
import type { Domain } from '../command/domain.ts';
import { type Scheduler, type SchedulerNamespace, goesOn, waker } from '../command/wake.ts';
import type { Clock } from '../../lib/instant.ts';

/** Cloudflare's binding: counts a key, and tells if it is within the limit. */
export interface RateLimit {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** A limit and, if known, its numbers for the rate limit headers. */
export interface Limiter {
  readonly binding: RateLimit;
  /** Requests, and the seconds in which they are counted. */
  readonly allowed: readonly [quota: number, window: number] | undefined;
}

/** Shared by all invocations of a deployment; made once per isolate. */
export interface Deployment {
  readonly domain: Domain;
  readonly config: Config;
  /** Loads the driver with the first trip. */
  readonly database: () => Promise<Driver>;
  /** Sends requests without counting them. */
  readonly network: Outbound;
  /** The storage of files, if the deployment has any. */
  readonly media: Bucket | undefined;
  /** The static files that are deployed with the worker. */
  readonly assets: Fetcher | undefined;
  readonly authority: Authority;
  readonly clock: Clock;
  /** Builds the rows that events cause besides deliveries, such as queued messages. */
  readonly following: Following;
  /** Does the work of these rows, such as sending the messages, right after the commit. */
  readonly follow: (services: Services) => Promise<void>;
  /** Wakes the scheduler for the due work of a write. */
  readonly wake: () => Promise<void>;
  /** Makes the scheduler look for due work at once, if this invocation has no calls left for it. */
  readonly goOn: () => Promise<void>;
  readonly contacts: Contacts;
  /** The limit on requests of one credential, if there is one. */
  readonly callers: Limiter | undefined;
  /** The limit on failed authentications from one address, if there is one. */
  readonly failures: Limiter | undefined;
}

/** The services of an invocation: a request with the work after its answer, or a run of a job. */
export interface Services extends Deployment {
  readonly budget: Budget;
  readonly connection: Connection;
  /** Sends requests and counts them. */
  readonly outbound: Outbound;
}

export function servicesOf(deployment: Deployment): Services {
  const { config, database, network } = deployment;
  const budget = new Budget(config.SUBREQUESTS);
  const connection = { driver: database, budget, store: config.STORE_ID };
  return { ...deployment, budget, connection, outbound: counted(network, budget) };
}

/** The worker's variables, secrets and bindings. */
export interface Environment {
  /** Takes the place of the database's own address on one machine. */
  readonly DATABASE_ENDPOINT?: Fetcher;
  readonly MEDIA?: Bucket;
  readonly ASSETS?: Fetcher;
  readonly SCHEDULER?: SchedulerNamespace<Scheduler & ContactKeeper>;
  readonly CALLER_RATE_LIMIT?: RateLimit;
  readonly FAILURE_RATE_LIMIT?: RateLimit;
  readonly [name: string]: unknown;
}

/** Effects of events besides deliveries to webhooks. */
export interface Consequences {
  readonly of: (config: Config) => Following;
  readonly follow: Services['follow'];
}

const limiter = (
  binding: RateLimit | undefined,
  allowed: Limiter['allowed'],
): Limiter | undefined => binding && { binding, allowed };

/** @throws Error naming every variable that is missing or malformed */
export async function createDeployment(
  env: Environment,
  clock: Clock,
  domain: Domain,
  consequences: Consequences,
): Promise<Deployment> {
  const config = readConfig(env);
  return {
    domain,
    config,
    clock,
    following: consequences.of(config),
    follow: consequences.follow,
    wake: waker(env.SCHEDULER, clock),
    goOn: goesOn(env.SCHEDULER),
    contacts: new Contacts(env.SCHEDULER, clock, config),
    callers: limiter(env.CALLER_RATE_LIMIT, config.CALLER_LIMIT),
    failures: limiter(env.FAILURE_RATE_LIMIT, config.FAILURE_LIMIT),
    database: connect(config.DATABASE_URL, env.DATABASE_ENDPOINT),
    network: networkOf(config),
    media: env.MEDIA,
    assets: env.ASSETS,
    authority: {
      peppers: await readPeppers(config.API_KEY_PEPPERS),
      sessionKeys: await readSessionKeys(config.SESSION_KEYS),
      issuer: config.BASE_URL,
      audience: `${config.BASE_URL}${config.REST_ROOT}/svc/v1`,
      rolesWith: domain.rolesWith,
      isOfStaff: domain.isOfStaff,
      isInConsole: domain.isInConsole,
    },
  };
}
