import { beforeAll, beforeEach, expect } from 'vitest';
import type { License } from '../../../src/domain/license/schemas.ts';
import { addSeconds } from '../../../src/lib/instant.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

/** A product with two seats per licence, a buyer, and licences made by hand. */
export function useLicenses() {
  const opened = useStoreFixture();
  let product: number;
  let buyer: number;

  beforeAll(async () => {
    const { fixture } = opened;
    const license = { active: true, count: 2, expires_days: 365, max_resets: 2 };
    product = (await fixture.newProduct({ title: 'Invoice Desk', license })).id;
    buyer = (await fixture.newUser()).id;
  });

  async function newLicense(fields: object = {}): Promise<License> {
    const body = { product_id: product, user_id: buyer, ...fields };
    const reply = await opened.fixture.api.post('/licenses', body);
    expect(reply.status).toBe(201);
    return reply.body.data;
  }

  const register = (license: string, string: string, more: object = {}) =>
    opened.fixture.api.post('/licenses/register', { license, string, ...more });
  const validate = (license: string, more: object = {}) =>
    opened.fixture.api.post('/licenses/validate', { license, ...more });

  return {
    ...{ opened, product: () => product, buyer: () => buyer },
    ...{ newLicense, register, validate },
  };
}

/** A product whose licences last 30 days, and a new buyer for each test. */
export function useLicensedOrders() {
  const opened = useStoreFixture();
  let product_id: number;
  let user_id: number;

  beforeAll(async () => {
    const license = { active: true, count: 2, expires_days: 30, max_resets: 3 };
    product_id = (await opened.fixture.newProduct({ license })).id;
  });

  beforeEach(async () => {
    user_id = (await opened.fixture.newUser()).id;
  });

  const order = async (fields: object = {}) =>
    (await opened.fixture.newOrder({ product_id, user_id, ...fields })).id;

  async function renewal(order_parent_id: number): Promise<number> {
    const id = await order();
    await opened.fixture.store.database.query(
      'update orders set order_parent_id = $2, version = version + 1 where id = $1',
      [id, order_parent_id],
    );
    return id;
  }

  const licensesOf = async (order_id: number): Promise<License[]> =>
    (await opened.fixture.api.get(`/licenses?order_id=${order_id}&sort=id&reveal=true`)).body.data;

  const today = (days = 0) =>
    addSeconds(opened.fixture.store.clock.now().toISOString(), days * 86_400);
  const pass = (days: number) => opened.fixture.store.clock.advance(days * 86_400);

  return {
    ...{ opened, product_id: () => product_id, user_id: () => user_id },
    ...{ order, renewal, licensesOf, today, pass },
  };
}
