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
import type { Shop } from '../command/shop.ts';
import { type Scheduler, type SchedulerNamespace, goesOn, waker } from '../command/wake.ts';
import type { Clock } from '../../lib/instant.ts';

/** Cloudflare's rate limit binding: counts a key, and says whether it is within the limit. */
export interface RateLimit {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** A limit and, if known, the number it allows, for the headers that say so. */
export interface Limiter {
  readonly binding: RateLimit;
  /** Requests, and the seconds they are counted over. */
  readonly allowed: readonly [quota: number, window: number] | undefined;
}

/** Shared by all invocations of a deployment; made once per isolate. */
export interface Deployment {
  readonly shop: Shop;
  readonly config: Config;
  /** The driver of the database, which is loaded with the first trip. */
  readonly database: () => Promise<Driver>;
  /** Sends requests to other servers, counting none. */
  readonly network: Outbound;
  /** The storage of files, if the deployment has any. */
  readonly media: Bucket | undefined;
  /** The static files beside the worker. */
  readonly assets: Fetcher | undefined;
  readonly authority: Authority;
  readonly clock: Clock;
  /** Builds what else a change's events cause to be written. */
  readonly following: Following;
  /** Does what is due of that at once. */
  readonly follow: (services: Services) => Promise<void>;
  /** Sees to it that what a write of now makes due is done in time. */
  readonly wake: () => Promise<void>;
  /** Makes the scheduler do at once what this invocation has no calls left for. */
  readonly goOn: () => Promise<void>;
  /** The last contact with the database. */
  readonly contacts: Contacts;
  /** Requests of one credential, where the deployment limits them. */
  readonly callers: Limiter | undefined;
  /** Failed authentications from one address, where the deployment limits them. */
  readonly failures: Limiter | undefined;
}

/** The services of one invocation: a request and the work after its answer, or a run of a job. */
export interface Services extends Deployment {
  readonly budget: Budget;
  readonly connection: Connection;
  /** Sends requests to other servers. */
  readonly outbound: Outbound;
}

/** Makes the services of an invocation, with a budget of its own. */
export function servicesOf(deployment: Deployment): Services {
  const { config, database, network } = deployment;
  const budget = new Budget(config.SUBREQUESTS);
  const connection = { driver: database, budget, store: config.STORE_ID };
  return { ...deployment, budget, connection, outbound: counted(network, budget) };
}

/** The worker's variables, secrets and bindings. */
export interface Environment {
  /** Reaches the database somewhere else than at its own address: the local stack's endpoint. */
  readonly DATABASE_ENDPOINT?: Fetcher;
  readonly MEDIA?: Bucket;
  readonly ASSETS?: Fetcher;
  readonly SCHEDULER?: SchedulerNamespace<Scheduler & ContactKeeper>;
  readonly CALLER_RATE_LIMIT?: RateLimit;
  readonly FAILURE_RATE_LIMIT?: RateLimit;
  readonly [name: string]: unknown;
}

/** Effects of events beside the deliveries to webhooks. */
export interface Consequences {
  /** As a deployment is configured. */
  readonly of: (config: Config) => Following;
  readonly follow: Services['follow'];
}

const limiter = (
  binding: RateLimit | undefined,
  allowed: Limiter['allowed'],
): Limiter | undefined => binding && { binding, allowed };

/** @throws Error naming every variable that is missing or malformed. */
export async function createDeployment(
  env: Environment,
  clock: Clock,
  shop: Shop,
  consequences: Consequences,
): Promise<Deployment> {
  const config = readConfig(env);
  return {
    shop,
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
      rolesWith: shop.rolesWith,
      isOfStaff: shop.isOfStaff,
      isInConsole: shop.isInConsole,
    },
  };
}
