import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useReceiver } from '../../kernel/events/receiver.ts';
import { useShop } from '../../harness/shop.ts';

const opened = useShop();
const provider = useReceiver();
let product_id: number;
let user_id: number;

beforeAll(async () => {
  const { shop } = opened;
  const environment = await shop.store.environment;
  environment['STRIPE_SECRET_KEY'] = 'sk_test_1';
  environment['STRIPE_WEBHOOK_SECRET'] = 'whsec_test_secret';
  environment['STRIPE_API_URL'] = provider.url('');
  product_id = (await shop.newProduct()).id;
  user_id = (await shop.newUser()).id;
});

afterEach(() => counted('USD', 2));

/** Has the store count in a unit. */
async function counted(currency: string, exponent: number) {
  await opened.shop.set('currency', currency);
  await opened.shop.set('currency_exponent', exponent);
}

const purchase = () => ({ product_id, user_id, payment_gateway: 'stripe' });

const isActive = async () => {
  const { body } = await opened.shop.api.get('/payments/gateways');
  return body.data.find(({ id }: { id: string }) => id === 'stripe').active;
};

describe('A gateway that counts a currency', () => {
  test.each([
    ['USD', 2],
    ['IDR', 2],
    ['JPY', 0],
    ['VND', 0],
  ])('in the unit of the store is offered: %s with exponent %i', async (currency, exponent) => {
    const { api } = opened.shop;
    await counted(currency, exponent);
    expect(await isActive()).toBe(true);
    const priced = await api.post('/checkout/calculate', purchase());
    expect(priced.body.data).toMatchObject({ valid: true, messages: [] });
    expect((await api.post('/orders', purchase())).status).toBe(201);
  });

  test.each([
    ['IDR', 0],
    ['USD', 0],
    ['JPY', 2],
    ['KWD', 3],
    ['KWD', 2],
    ['ISK', 0],
    ['ISK', 2],
    ['UGX', 0],
  ])('in another, or one of its own, is not: %s with exponent %i', async (currency, exponent) => {
    const { api } = opened.shop;
    await counted(currency, exponent);
    expect(await isActive()).toBe(false);
    const reason = 'does not count the currency in the unit the store does';
    const priced = await api.post('/checkout/calculate', purchase());
    expect(priced.body.data).toMatchObject({
      valid: false,
      messages: [`payment_gateway ${reason}.`],
    });
    const refused = {
      status: 400,
      body: { code: 'rest_invalid_param', data: { params: { payment_gateway: reason } } },
    };
    expect(await api.post('/orders', purchase())).toMatchObject(refused);
    const { id } = await opened.shop.newOrder({ product_id });
    const turned = await api.patch(`/orders/${id}`, { payment_gateway: 'stripe' });
    expect(turned).toMatchObject(refused);
  });

  test('in another is not asked for a payment', async () => {
    const { id } = await opened.shop.newOrder(purchase());
    await counted('IDR', 0);
    expect(await opened.shop.api.get(`/orders/${id}/payment-gateway`)).toMatchObject({
      status: 409,
      body: { code: 'order_not_payable' },
    });
    expect(provider.received).toEqual([]);
  });
});
