import { beforeAll } from 'vitest';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { ApiClient, type Options, type Reply } from '../harness/client.ts';
import { type Store, useStore } from '../harness/store.ts';
import { inspect } from './answers.ts';
import { type Example, examples } from './examples.ts';
import { type Route, fill } from './routes.ts';

/** How a call differs from its example. */
export interface Changes extends Options {
  params?: Record<string, string | number>;
  /** In place of the example's query string. */
  search?: string;
}

/** The bank account of everybody in the scene: it may stand in no log. */
const bankAccount = 'BCA 7750-8841-23';

/** A store with people in it, and callers of every kind; each answer is inspected. */
export class Scene {
  readonly store: Store;
  /** Ids of a buyer, an affiliate and an administrator. */
  readonly buyer: number;
  readonly affiliate: number;
  readonly administrator: number;
  /** A client with a key of every scope. */
  readonly api: ApiClient;
  readonly #emails: string[] = [];
  #seen = 0;

  private constructor(store: Store, people: readonly number[], key: string) {
    [this.buyer = 0, this.affiliate = 0, this.administrator = 0] = people;
    this.store = store;
    this.api = this.bearer(key);
  }

  static async open(store: Store): Promise<Scene> {
    const { rows } = await store.database.query<{ id: string }>(
      `insert into users (email, display_name, roles, bank_info, created_at, updated_at)
       select role || '@people.example', role, array[role], $1, $2, $2
         from unnest(array['member', 'affiliate', 'administrator']) as role returning id`,
      [bankAccount, store.clock.now()],
    );
    const { token } = await store.createKey();
    return new Scene(
      store,
      rows.map(({ id }) => Number(id)),
      token,
    );
  }

  /** Sends a request and inspects its answer. */
  readonly send = async (request: Request): Promise<Response> => {
    const { logs } = this.store;
    const response = await this.store.fetch(request);
    inspect(request, response, logs.slice(this.#seen), [
      ...this.#emails,
      bankAccount,
      '@people.example',
    ]);
    return response;
  };

  client(headers: Record<string, string> = {}): ApiClient {
    return new ApiClient(this.send, headers);
  }

  bearer(token: string): ApiClient {
    return this.client({ authorization: `Bearer ${token}` });
  }

  /** A caller whom the endpoint serves. */
  async caller({ access }: Endpoint, example: Example): Promise<ApiClient> {
    switch (access.kind) {
      case 'open':
        return this.client();
      case 'key':
        return this.api;
      case 'session':
        return this.session(example.user ?? this.buyer);
      case 'admin':
        return this.session(example.user ?? this.administrator, { admin: true });
    }
  }

  async session(userId: number, claims: Record<string, unknown> = {}): Promise<ApiClient> {
    return this.bearer(await this.store.token(userId, claims));
  }

  /** The endpoint's example, arranged anew. */
  async example({ id }: Endpoint): Promise<Example> {
    const arrange = examples[id];
    if (!arrange) throw new Error(`test/contract/examples.ts has no example of ${id}.`);
    return arrange(this);
  }

  /** Calls a route with its example's values, or others. */
  call(client: ApiClient, route: Route, example: Example, changes: Changes = {}): Promise<Reply> {
    const { params = example.params, search, headers, body = example.body } = changes;
    const query = search ?? new URLSearchParams(example.query).toString();
    const path = `/${fill(route, params)}${query && `?${query}`}`;
    return client.request(route.method, path, {
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    });
  }

  /** Everything that is stored, by table: how many rows and a sum of their hashes. */
  async contents(): Promise<Record<string, string>> {
    const { rows: tables } = await this.store.database.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace
         and relkind = 'r' order by 1`,
    );
    const sums = tables.map(
      ({ name }) => `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(
        (to_jsonb(t) - 'last_used_at')::text, 0)), 0) as content from "${name}" t`,
    );
    const { rows } = await this.store.database.query<{ name: string; content: string }>(
      sums.join(' union all '),
    );
    return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
  }

  /** An e-mail address that nobody has yet. */
  newEmail(): string {
    const email = `person-${this.#emails.length + 1}@mail.example`;
    this.#emails.push(email);
    return email;
  }

  newUser = (fields: object = {}) =>
    this.#create('/users', { email: this.newEmail(), bank_info: bankAccount, ...fields });

  newProduct = (fields: object = {}) =>
    this.#create('/products', { title: 'Course', price: 15_000, ...fields });

  /** An order of the buyer. */
  newOrder = async (fields: object = {}) =>
    this.#create('/orders', {
      product_id: await this.newProduct(),
      user_id: this.buyer,
      ...fields,
    });

  /** Creates a record and answers its id. */
  async #create(path: string, body: object): Promise<number> {
    const reply = await this.api.post(path, body);
    if (reply.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body.data.id;
  }
}

/** The scene of the test file that calls it, on a store of its own. */
export function useScene(): { readonly scene: Scene } {
  const shop = useStore();
  let scene: Scene | undefined;
  beforeAll(async () => {
    scene = await Scene.open(shop.store);
  });
  return {
    get scene() {
      if (!scene) throw new Error('The scene is set before the first test.');
      return scene;
    },
  };
}
