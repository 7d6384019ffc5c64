import { Client } from 'pg';

/** How to reach the store that is filled. */
interface Address {
  readonly api_base: string;
  readonly api_key: string;
}

/** The users the demo tokens speak for. */
export interface People {
  readonly admin: number;
  readonly affiliate: number;
  readonly buyer: number;
}

type Created = { data: { id: number } };

/** Calls the running store as an integration would. Every write can be repeated. */
class Shop {
  readonly #address: Address;
  constructor(address: Address) {
    this.#address = address;
  }

  async send<T = Created>(method: string, path: string, body: object, key?: string): Promise<T> {
    const response = await fetch(this.#address.api_base + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#address.api_key}`,
        'content-type': 'application/json',
        ...(key && { 'idempotency-key': `demo-${key}` }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The demo store could not be filled: ${path} ${text}`);
    return JSON.parse(text) as T;
  }

  /** Creates a record once, however often the store is started. @returns its id */
  create = async (path: string, key: string, body: object): Promise<number> =>
    (await this.send('POST', path, body, key)).data.id;
}

/**
 * Fills the store on its first start, through its own API: an affiliate tree of four levels, a
 * product of each kind and orders in every state. Later starts find everything there.
 */
export async function fillStore(address: Address, databaseUrl: string): Promise<People> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const known = await findPeople(client);
    if (known) return known;
    await client.query(
      `update settings set store_name = 'Demo store', site_url = 'https://demo.example',
              timezone = 'Asia/Jakarta', currency = 'IDR', currency_exponent = 0,
              manual_accounts = $1`,
      [JSON.stringify(accounts)],
    );
    const shop = new Shop(address);
    const people = await createPeople(shop);
    // Only an administrator or someone at the command line makes administrators.
    await client.query("update users set roles = '{administrator}' where id = $1", [people.admin]);
    const products = await createProducts(shop);
    await createContent(shop, products);
    await createLicense(shop, people, products);
    await createOrders(shop, people, products);
    return people;
  } finally {
    await client.end();
  }
}

/** The demo people of an earlier start that was completed. */
async function findPeople(client: Client): Promise<People | undefined> {
  const { rows } = await client.query<{ provider: keyof People; user_id: string }>(
    `select external_id as provider, user_id from user_external_ids
      where provider = 'demo' and exists (select from orders where note = 'The last demo order')`,
  );
  const people = Object.fromEntries(rows.map((row) => [row.provider, Number(row.user_id)]));
  return people['admin'] ? (people as unknown as People) : undefined;
}

const accounts = [
  { id: 'BCA', bank: 'Bank Central', owner: 'Demo Store', account_number: '1234567890' },
  { id: 'BNI', bank: 'Bank Nusantara', owner: 'Demo Store', account_number: '9876543210' },
];

async function createPeople(shop: Shop) {
  const user = (key: string, first_name: string, last_name: string, more: object = {}) =>
    shop.create('/users', `user-${key}`, {
      email: `${first_name}.${last_name}@demo.example`.toLowerCase(),
      first_name,
      last_name,
      external_ids: { demo: key },
      ...more,
    });
  const affiliate = (key: string, first: string, last: string, sponsor?: number) =>
    user(key, first, last, {
      roles: ['affiliate', 'member'],
      phone: `+62811000${first.length}${last.length}${key.length}`,
      bank_info: `BCA 55${first.length}${last.length}${key.length}00`,
      ...(sponsor && { affiliate_id: sponsor }),
    });
  const admin = await user('admin', 'Ayu', 'Lestari');
  const first = await affiliate('affiliate', 'Budi', 'Santoso');
  const second = await affiliate('affiliate-2', 'Citra', 'Wijaya', first);
  const buyer = await user('buyer', 'Dewi', 'Kartika', {
    affiliate_id: second,
    phone: '+628120001111',
  });
  const third = await affiliate('affiliate-3', 'Eko', 'Prasetyo', second);
  const fourth = await affiliate('affiliate-4', 'Fitri', 'Handayani', third);
  const names = ['Gita', 'Hadi', 'Indah', 'Joko', 'Kirana', 'Lukman', 'Maya', 'Nanda'];
  const members: number[] = [];
  for (const [i, name] of names.entries()) {
    const affiliate_id = [first, second, third, fourth][i % 4];
    members.push(await user(`member-${i + 1}`, name, 'Putri', { affiliate_id }));
  }
  return { admin, affiliate: first, buyer, members };
}

const commission = (...fees: number[]) => ({
  enabled: true,
  hold_days: 7,
  tiers: fees.map((fee, i) => ({ tier: i + 1, fee, type: 'percentage' })),
});

async function createProducts(shop: Shop) {
  const product = (key: string, body: object) => shop.create('/products', `product-${key}`, body);
  const course = await product('course', {
    title: 'Selling Online, the Course',
    price: 350_000,
    regular_price: 500_000,
    description: 'Twelve lessons from the first product to the hundredth order.',
    affiliate: commission(20, 5, 2),
  });
  const software = await product('software', {
    title: 'Invoice Desk',
    price: 600_000,
    license: { active: true, count: 3, expires_days: 365 },
    affiliate: commission(25, 5),
  });
  const subscription = await product('subscription', {
    title: 'Seller Club',
    price: 99_000,
    payment_type: 'recurring',
    subscription: { active: true, regular: { duration: 1, period: 'monthly', price: 99_000 } },
    affiliate: commission(15),
  });
  const coffee = await product('coffee', {
    title: 'Gayo Coffee Beans',
    type: 'physical',
    price: 120_000,
    stock: 200,
    variants: [
      {
        id: 'grind',
        label: 'Grind',
        options: [
          { id: 'whole', label: 'Whole beans' },
          { id: 'ground', label: 'Ground', extra_price: 5000 },
        ],
      },
    ],
    shipping: {
      active: true,
      weight_g: 500,
      options: [
        {
          id: 'jne-reg',
          courier: 'JNE',
          service: 'REG',
          cost: 9000,
          per_kg: 9000,
          countries: ['ID'],
        },
        {
          id: 'jne-cod',
          courier: 'JNE',
          service: 'COD',
          cost: 15_000,
          countries: ['ID'],
          cod: true,
        },
      ],
    },
    cod: { active: true, fee: 5000 },
    tax: { enabled: true, rate: 11, inclusive: true },
    affiliate: commission(10),
  });
  const sample = await product('sample', { title: 'First Lesson, free', price: 0 });
  return { course, software, subscription, coffee, sample };
}

/** A licence made by hand and in use; orders make the others. */
async function createLicense(
  shop: Shop,
  { buyer: user_id }: { buyer: number },
  { software: product_id }: { software: number },
): Promise<void> {
  const body = { product_id, user_id, note: 'For a review of the product.' };
  const made = await shop.send<{ data: { code: string } }>('POST', '/licenses', body, 'license');
  const license = made.data.code;
  for (const string of ['https://www.toko-dewi.example/', 'localhost']) {
    await shop.send('POST', '/licenses/register', { license, string }, `license-${string}`);
  }
}

/** Two lessons of the course: one opens at once, the other a week after the purchase. */
async function createContent(shop: Shop, { course }: { course: number }): Promise<void> {
  const lesson = (n: number, title: string, drip_day: number) =>
    shop.create('/access/content', `lesson-${n}`, {
      title: `Lesson ${n}: ${title}`,
      url: `/lessons/${n}`,
      product_ids: [course],
      drip_day,
    });
  await lesson(1, 'the first product', 0);
  const second = await lesson(2, 'the first customer', 7);
  const title = 'Opens in {{days-left}} days';
  const message = '<p>{{product-name}} has a lesson a week. Until then: try the first one.</p>';
  const body = { messages: { 'drip-content': { title, message } } };
  await shop.send('POST', `/access/content/${second}/block-message`, body, 'lesson-2-message');
}

async function createOrders(
  shop: Shop,
  { buyer, members }: { buyer: number; members: number[] },
  products: Awaited<ReturnType<typeof createProducts>>,
): Promise<void> {
  const order = async (key: string, user_id: number, product_id: number, more: object = {}) =>
    shop.create('/orders', `order-${key}`, { user_id, product_id, ...more });
  const move = (id: number, status: string, more: object = {}) =>
    shop.send('PATCH', `/orders/${id}`, { status, ...more }, `order-${id}-${status}`);
  const member = (i: number) => members[i % members.length] ?? buyer;
  const parcel = (user_id: number, key: string, more: object = {}) =>
    order(key, user_id, products.coffee, {
      variants: ['whole'],
      shipping: { option_id: 'jne-reg', receiver: 'Home', address: 'Jl. Merdeka 1', country: 'ID' },
      ...more,
    });

  await move(await order('course', buyer, products.course), 'completed');
  await order('sample', buyer, products.sample);
  await move(await order('club', buyer, products.subscription), 'completed');
  await move(await order('software', buyer, products.software), 'payment-confirm');
  await move(await parcel(buyer, 'parcel'), 'in-progress');
  await move(await parcel(member(0), 'sent'), 'shipping', { tracking_number: 'JNE0012345' });
  await parcel(member(1), 'cod', {
    payment_gateway: 'cod',
    shipping: {
      option_id: 'jne-cod',
      receiver: 'Office',
      address: 'Jl. Sudirman 9',
      country: 'ID',
    },
  });
  const refunded = await order('refunded', member(2), products.software);
  await move(refunded, 'completed');
  await move(refunded, 'refunded');
  await move(await order('cancelled', member(3), products.course), 'cancelled');
  const catalogue = [products.course, products.software, products.subscription];
  for (let i = 0; i < 16; i++) {
    const id = await order(`more-${i}`, member(i), catalogue[i % 3] ?? products.course);
    if (i % 4 !== 3) await move(id, 'completed');
  }
  await order('last', member(7), products.course, { note: 'The last demo order' });
}

/** Tokens for the demo people, as a backend would ask for them. */
export async function issueTokens(address: Address, { admin, affiliate, buyer }: People) {
  const shop = new Shop(address);
  const token = async (user_id: number) => {
    const { data } = await shop.send<{ data: { token: string } }>('POST', '/sessions', { user_id });
    return data.token;
  };
  return {
    admin: await token(admin),
    affiliate: await token(affiliate),
    buyer: await token(buyer),
  };
}
