import { beforeAll, describe, expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
let user_id: number;

beforeAll(async () => {
  user_id = (await opened.fixture.newUser()).id;
});

const quoteOf = async (cart: object) => {
  const query = new URLSearchParams(cart as Record<string, string>);
  return opened.fixture.api.get(`/checkout/quote?${query.toString()}`);
};

/** The fields of an order in the form of a cart. */
const asCart = ({ shipping, coupon_code, ...same }: Record<string, unknown>) => {
  const { option_id, country } = (shipping ?? {}) as { option_id?: string; country?: string };
  return {
    ...same,
    ...(coupon_code !== undefined && { coupon: coupon_code }),
    ...(option_id && { shipping_option_id: option_id }),
    ...(country && { country }),
  };
};

const parcel = {
  title: 'Beans',
  price: 5000,
  type: 'physical',
  cod: { active: true, fee: 100 },
  shipping: {
    active: true,
    weight_g: 500,
    options: [
      { id: 'post', courier: 'Post', cost: 10 },
      { id: 'van', courier: 'Van', cost: 20, cod: true },
      { id: 'home', courier: 'Home', cost: 30, countries: ['ID'], cod: true },
    ],
  },
};

describe('A cart whose order would be refused is invalid and gets no quote', () => {
  test.each<[string, object, object, number, string]>([
    ['an unknown coupon', {}, { coupon_code: 'NOPE' }, 404, 'coupon_not_found'],
    [
      'more licences than one order issues',
      { license: { active: true } },
      { quantity: 1001 },
      409,
      'license_quantity',
    ],
    ['more than there is', { stock: 2 }, { quantity: 3 }, 409, 'out_of_stock'],
    ['a gateway that is none', {}, { payment_gateway: 'nobody' }, 400, 'rest_invalid_param'],
    [
      'payment on delivery by a way to ship without it',
      parcel,
      { payment_gateway: 'cod', shipping: { option_id: 'post' } },
      400,
      'rest_invalid_param',
    ],
  ])('with %s', async (_, product, cart, status, code) => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct(product);
    const order = { product_id, user_id, ...cart };
    const quote = await quoteOf(asCart(order));
    expect(quote).toMatchObject({
      status: 200,
      body: { data: { valid: false, quote_token: null, expires_at: null } },
    });
    expect(quote.body.data.messages).toHaveLength(1);
    const priced = await fixture.api.post('/checkout/calculate', asCart(order));
    const { quote_token: _token, expires_at: _expires, ...same } = quote.body.data;
    expect(priced.body.data).toEqual(same);
    expect(await fixture.api.post('/orders', order)).toMatchObject({ status, body: { code } });
  });

  test('and names every obstacle', async () => {
    const { id: product_id } = await opened.fixture.newProduct({ stock: 1 });
    const quote = await quoteOf({ product_id, quantity: 2, coupon: 'NOPE', payment_gateway: 'no' });
    expect(quote.body.data.messages).toEqual([
      'No coupon has this code.',
      'payment_gateway is not a gateway of this store.',
      'Not enough units are left.',
    ]);
  });
});

describe('A quote that is valid', () => {
  test('can be ordered as it is', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ ...parcel, license: { active: true } });
    const cart = {
      product_id,
      user_id,
      quantity: 1000,
      shipping_option_id: 'home',
      country: 'ID',
      payment_gateway: 'cod',
    };
    const { body } = await quoteOf(cart);
    expect(body.data).toMatchObject({ valid: true, messages: [], quote_token: expect.any(String) });
    const { quote_token, grand_total } = body.data;
    const order = await fixture.newOrder({ product_id, user_id, quote_token });
    expect(order).toMatchObject({ grand_total, quantity: 1000, status: 'in-progress' });
  });
});

describe('A shipping option', () => {
  const ordered = async (shipping: object | undefined, payment_gateway: string) => {
    const { id: product_id } = await opened.fixture.newProduct(parcel);
    return opened.fixture.api.post('/orders', { product_id, user_id, payment_gateway, shipping });
  };

  test.each([['van'], ['home'], [undefined]])(
    'that allows payment on delivery, or no option at all, can be combined with it: %s',
    async (option_id) => {
      const shipping = option_id && { option_id, country: 'ID' };
      expect(await ordered(shipping as object | undefined, 'cod')).toMatchObject({
        status: 201,
        body: { data: { payment_gateway: 'cod', status: 'in-progress' } },
      });
    },
  );

  test('that does not allow it is refused with payment on delivery', async () => {
    expect(await ordered({ option_id: 'post' }, 'cod')).toMatchObject({
      status: 400,
      body: { data: { params: { payment_gateway: 'cannot be used with this way to ship' } } },
    });
    expect((await ordered({ option_id: 'post' }, 'manual')).status).toBe(201);
  });

  test('for certain countries requires the country', async () => {
    const params = { 'shipping.country': expect.stringContaining('is required') };
    const refused = { status: 400, body: { code: 'rest_invalid_param', data: { params } } };
    expect(await ordered({ option_id: 'home' }, 'manual')).toMatchObject(refused);
    expect((await ordered({ option_id: 'home', country: 'SG' }, 'manual')).status).toBe(400);
    expect((await ordered({ option_id: 'home', country: 'ID' }, 'manual')).status).toBe(201);
    const { id: product_id } = await opened.fixture.newProduct(parcel);
    const cart = { product_id, user_id, shipping_option_id: 'home' };
    expect(await quoteOf(cart)).toMatchObject(refused);
    expect(await opened.fixture.api.post('/checkout/calculate', cart)).toMatchObject(refused);
  });
});

describe('An empty field counts as no value', () => {
  test.each(
    ['quote_token', 'coupon_code', 'ref', 'access_code'].flatMap((name) => [
      [name, ''],
      [name, null],
    ]),
  )('of an order: %s %j', async (name, value) => {
    const { id: product_id } = await opened.fixture.newProduct();
    const order = { product_id, user_id, [name]: value };
    expect(await opened.fixture.api.post('/orders', order)).toMatchObject({
      status: 400,
      body: {
        code: 'rest_invalid_param',
        data: { params: { [name]: expect.any(String) } },
      },
    });
  });

  test.each(
    ['coupon', 'access_code'].flatMap((name) => [
      [name, ''],
      [name, null],
    ]),
  )('of a cart: %s %j', async (name, value) => {
    const { id: product_id } = await opened.fixture.newProduct();
    const cart = { product_id, [name]: value };
    expect((await opened.fixture.api.post('/checkout/calculate', cart)).status).toBe(400);
  });

  test('but in an address it counts as absent', async () => {
    const { id: product_id } = await opened.fixture.newProduct();
    expect(await quoteOf({ product_id, coupon: '', access_code: '' })).toMatchObject({
      status: 200,
      body: { data: { valid: true, coupon: null } },
    });
  });
});
