import { readPeppers } from '../auth/api-key.ts';
import type { Authority } from '../auth/principals.ts';
import { readSessionKeys } from '../auth/session-token.ts';
import { type Config, readConfig } from '../config.ts';
import { type Connection, type Fetcher, connect } from '../db/unit-of-work.ts';
import type { Clock } from '../lib/instant.ts';

/** What a deployment's requests share; made once per isolate. */
export interface Services {
  readonly config: Config;
  readonly connection: Connection;
  readonly authority: Authority;
  readonly clock: Clock;
}

/** The worker's variables, secrets and bindings. */
export interface Environment {
  /** Where the database is reached when not at its own address: the local stack's endpoint. */
  readonly DATABASE_ENDPOINT?: Fetcher;
  readonly [name: string]: unknown;
}

/** @throws Error naming every variable that is missing or malformed. */
export async function createServices(env: Environment, clock: Clock): Promise<Services> {
  const config = readConfig(env);
  return {
    config,
    clock,
    connection: connect(config.DATABASE_URL, env.DATABASE_ENDPOINT),
    authority: {
      peppers: await readPeppers(config.API_KEY_PEPPERS),
      sessionKeys: await readSessionKeys(config.SESSION_KEYS),
      issuer: config.BASE_URL,
      audience: `${config.BASE_URL}${config.REST_ROOT}/svc/v1`,
    },
  };
}
