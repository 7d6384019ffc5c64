import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatewaysOf } from '../../../src/providers/payments/index.ts';
import { decimalText } from '../../../src/lib/money.ts';
import { providerNames, providers } from '../../providers/index.ts';
import type { StoreFixture } from '../../harness/store-fixture.ts';
import { Till, useTill } from './till.ts';

/** Currencies with their decimals in stores. */
const currencies = [
  ['IDR', 0],
  ['IDR', 2],
  ['USD', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['UGX', 0],
] as const;

interface Limits {
  readonly min: number | null;
  readonly max: number | null;
}

function useTills(currency: string, exponent: number) {
  const tills = new Map<string, Till>();
  beforeAll(async () => {
    let fixture: StoreFixture | undefined;
    for (const name of providerNames) {
      const till = await Till.open(name, currency, exponent, fixture);
      fixture = till.fixture;
      tills.set(name, till);
    }
  });
  afterAll(async () => {
    const all = [...tills.values()];
    await Promise.all(all.map(({ provider }) => provider.close()));
    await all[0]?.store.close();
  });
  return (name: string): Till => {
    const till = tills.get(name);
    if (!till) throw new Error(`There is no till of ${name}.`);
    return till;
  };
}

describe.each(currencies)('A store that keeps %s with %i decimals', (currency, exponent) => {
  const tillOf = useTills(currency, exponent);
  const units = providerNames.map((name) => ({ name, unit: providers[name]?.().units[currency] }));

  for (const { name, unit = 0 } of units.filter(({ unit }) => unit !== undefined)) {
    test(`has ${name} request the order's amount, and reads it back as the same`, async () => {
      const till = tillOf(name);
      const { id } = await till.newOrder();
      const reference = await till.opened(id);
      till.provider.pay(reference);
      await till.bring();
      const { paid } = till.provider.books(reference);
      // Written as decimals, amounts are equal in any unit.
      const written = (amount: number, decimals: number) => Number(decimalText(amount, decimals));
      expect(written(paid, unit)).toBe(written(till.price, exponent));
      expect(await till.fixture.order(id)).toMatchObject({
        status: 'completed',
        grand_total: till.price,
      });
      expect(await till.unexpected(id)).toEqual([]);
    });

    test(`refuses to refund through ${name} what its unit cannot express, and names what it can`, async () => {
      const till = tillOf(name);
      const { api } = till.fixture;
      const { id } = await till.paid();
      const amount = till.price / 2 + 1;
      const reply = await api.post(`/orders/${id}/refunds`, { amount });
      const nearest = /take (\d+) or (\d+)/.exec(reply.body.data.params?.amount)?.slice(1);
      if (exponent > unit && (await api.get(`/refunds?order_id=${id}`)).body.data.length === 0) {
        expect(reply.status).toBe(400);
        expect(nearest?.map(Number)).toEqual([amount - 1, amount - 1 + 10 ** (exponent - unit)]);
      }
      if (nearest) await till.refund(id, Number(nearest[1]));
      await till.later(1);
      const { body } = await api.get(`/refunds?order_id=${id}`);
      expect(body.data).toMatchObject([{ state: expect.not.stringContaining('failed') }]);
    });

    test(`has ${name} request amounts only within its limits`, async () => {
      const till = tillOf(name);
      const { api } = till.fixture;
      const gateways: { id: string; active: boolean; limits: Limits }[] = (
        await api.get('/payments/gateways')
      ).body.data;
      const { active, limits } = gateways.find(({ id }) => id === name) ?? {};
      expect(active).toBe(true);
      const refused = [
        limits?.min && limits.min > 1 ? limits.min - 1 : undefined,
        limits?.max ? limits.max + 1 : undefined,
      ];
      for (const grand_total of refused) {
        if (grand_total === undefined) continue;
        const { id: product_id } = await till.fixture.newProduct({ price: grand_total });
        const { id: user_id } = await till.fixture.newUser({ phone: '081234567890' });
        const order = { product_id, user_id, payment_gateway: name };
        expect(await api.post('/orders', order)).toMatchObject({
          status: 400,
          body: { data: { params: { payment_gateway: expect.stringContaining('takes amounts') } } },
        });
      }
    });
  }

  for (const { name } of units.filter(({ unit }) => unit === undefined)) {
    test(`does not offer ${name}, and refuses it by name`, async () => {
      const till = tillOf(name);
      const { api } = till.fixture;
      const offered: { id: string; active: boolean }[] = (await api.get('/payments/gateways')).body
        .data;
      expect(offered.find(({ id }) => id === name)).toMatchObject({ active: false });
      const { id: user_id } = await till.fixture.newUser({ phone: '081234567890' });
      const cart = { product_id: till.product_id, user_id, payment_gateway: name };
      const refused = {
        status: 400,
        body: { data: { params: { payment_gateway: `does not take ${currency}` } } },
      };
      expect(await api.post('/orders', cart)).toMatchObject(refused);
      const { data: calculation } = (await api.post('/checkout/calculate', cart)).body;
      expect(calculation.valid).toBe(false);
      expect(JSON.stringify(calculation.messages)).toContain(`does not take ${currency}`);
      const { id } = await till.newOrder({ payment_gateway: 'manual' });
      expect(await api.patch(`/orders/${id}`, { payment_gateway: name })).toMatchObject(refused);
    });
  }
});

describe.each(providerNames)('A buyer who pays through %s', (name) => {
  const opened = useTill(name);

  test('has every field that the provider requires', async () => {
    const { till } = opened;
    const { config } = await till.store.services();
    const needs = gatewaysOf(config).flatMap((gateway) => gateway.needs);
    for (const field of ['email', 'phone'] as const) {
      const { id: user_id } = await till.fixture.newUser({ phone: '081234567890' });
      // Only imports create users without an address.
      await till.store.database.query(
        `update users set ${field} = ${field === 'email' ? 'null' : "''"} where id = $1`,
        [user_id],
      );
      const order = { product_id: till.product_id, user_id, payment_gateway: name };
      const reply = await till.fixture.api.post('/orders', order);
      if (needs.includes(field)) {
        expect(reply).toMatchObject({
          status: 400,
          body: { data: { params: { payment_gateway: `needs the ${field} of the buyer` } } },
        });
      } else {
        expect(reply.status).toBe(201);
        expect((await till.page(reply.body.data.id)).status).toBe(200);
      }
    }
  });
});
