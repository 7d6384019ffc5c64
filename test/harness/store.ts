import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { createApp } from '../../src/app.ts';
import {
  generateToken,
  generatePepper,
  hashToken,
  readPeppers,
} from '../../src/kernel/auth/secret-token.ts';
import { type Scope, scopes as allScopes } from '../../src/schema/scopes.ts';
import { generateSessionKey, signSession } from '../../src/kernel/auth/session-token.ts';
import { type Environment, servicesOf } from '../../src/kernel/deployment/services.ts';
import { openDeployment } from '../../src/services.ts';
import { modules } from '../../src/modules/index.ts';
import { newClaims } from '../../src/domain/session/rules.ts';
import type { DriverRequest } from '../../src/local/neon/within.ts';
import type { NeonEndpoint } from '../../src/local/neon/index.ts';
import { LocalBucket } from './bucket.ts';
import { ApiClient } from './client.ts';
import { cloneOf, takeClone } from './clones.ts';

/** A clock that stands still until a test moves it. */
export class TestClock {
  #now = new Date('2026-03-10T09:00:00.000Z');
  now = () => new Date(this.#now);
  /** Waits in real time for as long as the moment is ahead of this clock. */
  until = (moment: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, moment - this.#now.getTime()));
  set(instant: string) {
    this.#now = new Date(instant);
  }
  advance(seconds: number) {
    this.#now = new Date(this.#now.getTime() + seconds * 1000);
  }
}

export const baseUrl = 'https://shop.example';

/** The store of one test file: the service in this process, on a database of its own. */
export class Store {
  readonly clock = new TestClock();
  readonly logs: Record<string, unknown>[] = [];
  /** The service's work after its answers. */
  readonly background: Promise<unknown>[] = [];
  /** Collects the work after answers, also of further services: late work would reach the next file's store. */
  readonly context = {
    waitUntil: (work: Promise<unknown>) => void this.background.push(work),
    passThroughOnException: () => {},
    props: {},
  };
  readonly database: Client;
  readonly neon: NeonEndpoint;
  readonly environment: Promise<Record<string, string>>;
  /** The storage of files; set it to undefined before the first request for a deployment without one. */
  bucket: LocalBucket | undefined = new LocalBucket();
  /**
   * The scheduler that writes wake; set it to undefined before the first request for a deployment with a cron alone.
   */
  scheduler: Environment['SCHEDULER'];
  #app: ReturnType<typeof createApp> | undefined;

  /** The address of the database, for clients besides the service. */
  readonly databaseUrl: string;

  readonly #release: () => Promise<void>;

  constructor(
    database: Client,
    neon: NeonEndpoint,
    databaseUrl: string,
    release = () => neon.close(),
  ) {
    this.databaseUrl = databaseUrl;
    this.database = database;
    this.neon = neon;
    this.#release = release;
    this.environment = makeEnvironment();
  }

  /** Sends a request to the service, as a worker gets it. */
  readonly fetch = async (request: Request): Promise<Response> => {
    this.#app ??= createApp(await this.deployment(), (line) => this.logs.push(line));
    return this.#app.fetch(request, {}, this.context);
  };

  /** Restarts the service at the next request, with the environment of that moment. */
  restart(): void {
    this.#app = undefined;
  }

  /** The services of an invocation, with a budget of its own. */
  async services() {
    return servicesOf(await this.deployment());
  }

  async deployment() {
    // HTTP would take a tenth of the processor time; test/local/neon.test.ts tests it.
    const endpoint = {
      fetch: (_: string, init?: RequestInit) => this.neon.fetch(init as DriverRequest),
    };
    const environment = await this.environment;
    // The receivers of webhooks are on this machine.
    const DEV_OUTBOUND = { fetch };
    return openDeployment(
      {
        ...environment,
        DATABASE_ENDPOINT: endpoint,
        DEV_OUTBOUND,
        ...(this.bucket && { MEDIA: this.bucket }),
        ...(this.scheduler && { SCHEDULER: this.scheduler }),
        ASSETS: { fetch: async (url: string) => this.#asset(new URL(url).pathname) },
      },
      this.clock,
    );
  }

  /** A text that is deployed beside the service; few tests need it. */
  async #asset(path: string): Promise<Response> {
    const { publishedTexts } = await import('../../src/cli/assets.ts');
    const text = publishedTexts(await this.environment)[path];
    return new Response(text, { status: text === undefined ? 404 : 200 });
  }

  client(headers: Record<string, string> = {}): ApiClient {
    return new ApiClient(this.fetch, headers);
  }

  /** A client with a new API key; of every scope by default. */
  async key(...scopes: Scope[]): Promise<ApiClient> {
    const { token } = await this.createKey({ scopes });
    return this.client({ authorization: `Bearer ${token}` });
  }

  /**
   * Signs a user in to the console.
   * @returns the cookie
   */
  async consoleSession(userId: number): Promise<string> {
    const { token, prefix } = generateToken('svcses');
    const { API_KEY_PEPPERS = '' } = await this.environment;
    const [hash] = await hashToken(token, await readPeppers(API_KEY_PEPPERS));
    const now = this.clock.now();
    await this.database.query(
      `insert into console_sessions
         (prefix, hash, user_id, authenticated_at, seen_at, expires_at, user_agent, country)
       values ($1, $2, $3, $4, $4, $4::timestamptz + interval '7 days', 'test', '')`,
      [prefix, hash?.hash, userId, now],
    );
    return `__Host-console=${token}`;
  }

  /** A new API key of every scope, by default one that may sign in administrators. */
  async createKey(
    options: {
      scopes?: Scope[];
      expires_at?: string;
      ip_allow?: string[];
      administrators?: boolean;
    } = {},
  ) {
    const { token, prefix } = generateToken('svcapi');
    const { API_KEY_PEPPERS = '' } = await this.environment;
    const [hash] = await hashToken(token, await readPeppers(API_KEY_PEPPERS));
    const scopes = options.scopes?.length ? options.scopes : allScopes.map(({ name }) => name);
    const {
      rows: [row],
    } = await this.database.query<{ id: string }>(
      `insert into api_keys (name, scopes, expires_at, ip_allow, signs_in_administrators, created_at)
       values ('test', $1, $2, $3, $4, $5) returning id`,
      [
        scopes,
        options.expires_at,
        options.ip_allow,
        options.administrators ?? true,
        this.clock.now(),
      ],
    );
    await this.database.query(
      `insert into api_key_secrets (prefix, api_key_id, hash, pepper_version, created_at)
       values ($1, $2, $3, $4, $5)`,
      [prefix, row?.id, hash?.hash, hash?.version, this.clock.now()],
    );
    return { id: Number(row?.id), token, prefix };
  }

  /** A token as POST /sessions issues it, with additional claims. */
  async token(userId: number, claims: Record<string, unknown> = {}): Promise<string> {
    const { authority, config } = await this.services();
    const base = newClaims({
      sid: crypto.randomUUID(),
      jti: crypto.randomUUID(),
      userId,
      isAdmin: false,
      issuer: config.BASE_URL,
      audience: authority.audience,
      provider: 'svc',
      providerUserId: String(userId),
      lifetime: 3600,
      notBefore: 0,
      now: this.clock.now(),
    });
    return signSession({ ...base, ...claims }, authority.sessionKeys);
  }

  /** Claims of a session in which an administrator acts as the user. */
  switchedBy(administrator: number): Record<string, unknown> {
    const iat = Math.floor(this.clock.now().getTime() / 1000);
    const own = { sid: randomUUID(), iat, exp: iat + 3600, provider_user_id: '1' };
    return { act: { sub: String(administrator), ...own }, admin: false, exp: iat + 600 };
  }

  async session(userId: number, claims: Record<string, unknown> = {}): Promise<ApiClient> {
    return this.client({ authorization: `Bearer ${await this.token(userId, claims)}` });
  }

  /** Waits for the work after earlier answers, which may take messages and deliveries that a test means to send. */
  async settled(): Promise<void> {
    for (let awaited = 0; awaited < this.background.length;) {
      awaited = this.background.length;
      await Promise.all(this.background);
    }
  }

  async close(): Promise<void> {
    await this.settled();
    await this.database.end();
    await this.#release();
  }
}

async function makeEnvironment() {
  return {
    // The driver requires the public form; the endpoint knows the real address.
    DATABASE_URL: 'postgres://service:secret@db.example.test/store',
    API_KEY_PEPPERS: generatePepper(1),
    SESSION_KEYS: JSON.stringify({ keys: [await generateSessionKey()] }),
    BASE_URL: baseUrl,
    ENVIRONMENT: 'development',
    MODULES: modules.map(({ key }) => key).join(' '),
  };
}

/** Opens a store on an empty database or on a clone; a new one has no currency. */
export async function openStore(
  state: 'usual' | 'new' = 'usual',
  template?: string,
): Promise<Store> {
  const clone = template === undefined ? await takeClone() : await cloneOf(template);
  const database = new Client({ connectionString: clone.near });
  await database.connect();
  if (state === 'usual') await setCurrency(database);
  return new Store(database, clone.neon, clone.url, () => clone.release());
}

export const setCurrency = (database: Client) =>
  database.query("update settings set currency = 'USD', currency_exponent = 2");

export function useStore(): { readonly store: Store } {
  let store: Store | undefined;
  beforeAll(async () => {
    store = await openStore();
  });
  afterAll(() => store?.close());
  return {
    get store() {
      if (!store) throw new Error('The store opens before the first test.');
      return store;
    },
  };
}
