import { beforeAll } from 'vitest';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import type { Fault, FaultHandle, Trip } from '../../src/local/neon/faults.ts';
import { ApiClient, type Options, type Reply, formOf, fromConsole } from '../harness/client.ts';
import { type Store, useStore } from '../harness/store.ts';
import { inspect, isFile } from './answers.ts';
import { messageSenders } from './examples/messages.ts';
import { silence } from '../harness/silence.ts';
import { paymentProvider } from './examples/payments.ts';
import { type Example, examples } from './examples.ts';
import { type Route, fill } from './routes.ts';

export interface Changes extends Options {
  params?: Record<string, string | number>;
  /** Replaces the example's query string. */
  search?: string;
  /** Added to the example's query. */
  query?: Record<string, string>;
}

/** The number of recent log lines that are searched for a request's line. */
const recent = 100;

/** The bank account of everybody in the scene, which no log may contain. */
const bankAccount = 'BCA 7750-8841-23';

export const authorization = (token: string) => ({ authorization: `Bearer ${token}` });

/** A store with people in it, and callers of every kind; each answer is inspected. */
export class Scene {
  readonly store: Store;
  readonly buyer: number;
  readonly affiliate: number;
  readonly administrator: number;
  readonly api: ApiClient;
  /** Ids of a product, and of the buyer's order of it, for operations that change neither. */
  product = 0;
  order = 0;
  readonly #key: string;
  readonly #emails: string[] = [];
  #contents: string | undefined;

  private constructor(store: Store, people: readonly number[], key: string) {
    [this.buyer = 0, this.affiliate = 0, this.administrator = 0] = people;
    this.store = store;
    this.#key = key;
    this.api = this.client(authorization(key));
  }

  static async open(store: Store): Promise<Scene> {
    Object.assign(await store.environment, paymentProvider, messageSenders);
    await silence(store);
    const { rows } = await store.database.query<{ id: string }>(
      `insert into users (email, display_name, roles, bank_info, created_at, updated_at)
       select role || '@people.example', role, array[role], $1, $2, $2
         from unnest(array['member', 'affiliate', 'administrator']) as role returning id`,
      [bankAccount, store.clock.now()],
    );
    const { token } = await store.createKey();
    const people = rows.map(({ id }) => Number(id));
    await store.database.query("update settings set site_url = 'https://store.example'");
    const scene = new Scene(store, people, token);
    scene.product = await scene.newProduct();
    scene.order = await scene.newOrder();
    return scene;
  }

  readonly send = async (request: Request): Promise<Response> => {
    const { logs } = this.store;
    const sent = await this.store.fetch(request);
    const response = isFile(sent) ? new Response(await sent.text(), sent) : sent;
    inspect(request, response, logs.slice(-recent), [
      ...this.#emails,
      bankAccount,
      '@people.example',
    ]);
    return response;
  };

  get backend(): ApiClient {
    return this.client(authorization(this.#key));
  }

  client(headers: Record<string, string> = {}): ApiClient {
    return new ApiClient(this.send, headers);
  }

  async caller(endpoint: Endpoint, example: Example): Promise<ApiClient> {
    return this.client(await this.credentials(endpoint, example));
  }

  async credentials(
    { access, namespace }: Endpoint,
    example: Example,
  ): Promise<Record<string, string>> {
    switch (access.kind) {
      case 'open':
        return namespace === 'console' ? fromConsole() : {};
      case 'key':
        return authorization(this.#key);
      case 'console':
        return fromConsole(await this.store.consoleSession(this.administrator));
      case 'session':
        return authorization(await this.store.token(example.user ?? this.buyer, example.claims));
      case 'admin': {
        const user = example.user ?? this.administrator;
        return authorization(await this.store.token(user, { admin: true }));
      }
    }
  }

  async session(userId: number, claims: Record<string, unknown> = {}): Promise<ApiClient> {
    return this.client(authorization(await this.store.token(userId, claims)));
  }

  /** Another caller who may call the endpoint; undefined if it doesn't depend on callers. */
  async anotherCaller({ access }: Endpoint): Promise<ApiClient | undefined> {
    const { store } = this;
    if (access.kind === 'open') return undefined;
    if (access.kind === 'key') return this.client(authorization((await store.createKey()).token));
    const id = await this.newUser();
    const admin = access.kind === 'admin' || access.kind === 'console';
    const roles = [admin ? 'administrator' : 'member'];
    await store.database.query('update users set roles = $2 where id = $1', [id, roles]);
    if (access.kind === 'console') return this.client(fromConsole(await store.consoleSession(id)));
    return this.session(id, { admin });
  }

  async example({ id }: Endpoint): Promise<Example> {
    const arrange = examples[id];
    if (!arrange) throw new Error(`test/contract/examples.ts has no example of ${id}.`);
    return arrange(this);
  }

  call(client: ApiClient, route: Route, example: Example, changes: Changes = {}): Promise<Reply> {
    const { params = example.params, query, body = example.body } = changes;
    const sent = this.#sent(route, body);
    const headers = {
      ...example.headers?.(typeof sent === 'string' ? sent : ''),
      ...changes.headers,
    };
    const { search = new URLSearchParams({ ...example.query, ...query }).toString() } = changes;
    const asked = [new URLSearchParams(route.only).toString(), search].filter(Boolean).join('&');
    const path = `/${fill(route, params)}${asked && `?${asked}`}`;
    return client.request(route.method, path, {
      headers,
      ...(sent !== undefined && { body: sent }),
    });
  }

  /** The body in the form of the route; a text is sent unchanged. */
  #sent({ endpoint }: Route, body: unknown): string | FormData | undefined {
    if (body === undefined || typeof body === 'string') return body;
    if (endpoint.streamBody !== undefined) return (body as { bytes: string }).bytes;
    return endpoint.bodyType ? formOf(body as object) : JSON.stringify(body);
  }

  /**
   * Plans a fault for a trip of the next request, by default the first. A repeated fault also meets that trip in later
   * tries.
   */
  async inTheWay(fault: Fault, trip = 1): Promise<FaultHandle> {
    await this.store.settled();
    const { neon } = this.store;
    const met = neon.trips.total + trip;
    let statements = '';
    const match = (one: Trip) => {
      if (one.number === met) statements = one.statements.join();
      return one.number === met || (one.number > met && one.statements.join() === statements);
    };
    return neon.faults.next({ ...fault, match });
  }

  /**
   * Summarises each table by its number of rows and a checksum of the transactions that wrote them, so that any write
   * shows. The last uses of keys are left out.
   */
  async contents(): Promise<Record<string, string>> {
    await this.store.settled();
    const { database } = this.store;
    this.#contents ??= await contentsQuery(database);
    // A named query is planned once; planning reads every table.
    const query = { name: 'contents', text: this.#contents };
    const { rows } = await database.query<{ name: string; content: string }>(query);
    return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
  }

  newEmail(): string {
    const email = `person-${this.#emails.length + 1}@mail.example`;
    this.#emails.push(email);
    return email;
  }

  async create(path: string, body: object): Promise<{ id: number }> {
    const reply = await this.api.post(path, body);
    if (reply.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  }

  async newUser(fields: object = {}): Promise<number> {
    const person = { email: this.newEmail(), bank_info: bankAccount };
    return (await this.create('/users', { ...person, ...fields })).id;
  }

  /** A shop manager, whose role no API key can give. */
  async newManager(): Promise<number> {
    const id = await this.newUser();
    await this.store.database.query(
      `update users set roles = '{shop-manager}', staff_role_id = 5 where id = $1`,
      [id],
    );
    return id;
  }

  async newProduct(fields: object = {}): Promise<number> {
    return (await this.create('/products', { title: 'Course', price: 15_000, ...fields })).id;
  }

  async newOrder(fields: object = {}): Promise<number> {
    const order = { product_id: this.product, user_id: this.buyer, ...fields };
    return (await this.create('/orders', order)).id;
  }
}

async function contentsQuery(database: Store['database']): Promise<string> {
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'api\\_key%'`,
  );
  return rows
    .map(
      ({ name }) => `select '${name}' as name,
        count(*) || ' rows by ' || coalesce(sum(xmin::text::bigint), 0) as content from "${name}"`,
    )
    .join(' union all ');
}

export function useScene(): { readonly scene: Scene } {
  const opened = useStore();
  let scene: Scene | undefined;
  beforeAll(async () => {
    scene = await Scene.open(opened.store);
  });
  return {
    get scene() {
      if (!scene) throw new Error('The scene is set before the first test.');
      return scene;
    },
  };
}
