import { beforeAll } from 'vitest';
import type * as z from 'zod';
import type { Order, OrderWithHistory } from '../../src/domain/order/schemas.ts';
import type { Product } from '../../src/domain/product/schemas.ts';
import type { User } from '../../src/domain/user/schemas.ts';
import { shopManagerId } from '../../src/schema/staff.ts';
import type { ApiClient } from './client.ts';
import { type Store, useStore } from './store.ts';

/** A store with a caller of every scope, and the records that tests start from. */
export class StoreFixture {
  readonly store: Store;
  /** Calls with an API key of every scope, `keyId`. */
  readonly api: ApiClient;
  readonly keyId: number;
  #people = 0;

  private constructor(store: Store, api: ApiClient, keyId: number) {
    this.store = store;
    this.api = api;
    this.keyId = keyId;
  }

  static async open(store: Store): Promise<StoreFixture> {
    const { id, token } = await store.createKey();
    return new StoreFixture(store, store.client({ authorization: `Bearer ${token}` }), id);
  }

  newUser = (fields: object = {}) =>
    this.#create<User>('/users', { email: `user-${++this.#people}@people.example`, ...fields });

  /** A person with a role in the console, which no API key gives: by default a shop manager. */
  newStaff = async (staff_role_id = shopManagerId) => {
    const { id } = await this.newUser();
    const roles = ['affiliate', ...(staff_role_id === shopManagerId ? ['shop-manager'] : [])];
    await this.store.database.query(
      'update users set roles = $2, staff_role_id = $3, version = version + 1 where id = $1',
      [id, roles, staff_role_id],
    );
    return this.user(id);
  };

  newAffiliate = (fields: object = {}) => this.newUser({ roles: ['affiliate'], ...fields });

  /** An administrator, which no API key can make. */
  newAdministrator = async () => {
    const user = await this.newUser();
    await this.store.database.query(
      `update users set roles = '{administrator}', version = version + 1 where id = $1`,
      [user.id],
    );
    return { ...user, session: await this.store.session(user.id, { admin: true }) };
  };

  newProduct = (fields: object = {}) =>
    this.#create<Product>('/products', { title: 'Course', price: 15_000, ...fields });

  newOrder = async (fields: { product_id: number; user_id?: number; [field: string]: unknown }) =>
    this.#create<Order>('/orders', {
      ...fields,
      user_id: fields.user_id ?? (await this.newUser()).id,
    });

  order = (id: number) => this.#read<z.output<typeof OrderWithHistory>>(`/orders/${id}`);
  product = (id: number) => this.#read<Product>(`/products/${id}`);
  user = (id: number) => this.#read<User>(`/users/${id}`);

  /** Changes a setting, past the API. */
  async set(column: string, value: unknown): Promise<void> {
    await this.store.database.query(`update settings set ${column} = $1`, [value]);
  }

  async #create<T>(path: string, body: object): Promise<T> {
    const reply = await this.api.post(path, body);
    if (reply.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  }

  async #read<T>(path: string): Promise<T> {
    const reply = await this.api.get(path);
    if (reply.status !== 200) throw new Error(`GET ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  }
}

export function useStoreFixture(): { readonly fixture: StoreFixture } {
  const opened = useStore();
  let fixture: StoreFixture | undefined;
  beforeAll(async () => {
    fixture = await StoreFixture.open(opened.store);
  });
  return {
    get fixture() {
      if (!fixture) throw new Error('The fixture opens before the first test.');
      return fixture;
    },
  };
}
