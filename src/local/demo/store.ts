import { Client } from 'pg';
import { createContent, createProducts } from './catalogue.ts';
import { createLicense, createOrders } from './orders.ts';
import { createPeople } from './people.ts';
import { createCoupons, createGroup, createTemplates } from './promotion.ts';
import { type Address, Shop } from './shop.ts';

/** The users the demo tokens speak for. */
export interface Speakers {
  readonly admin: number;
  readonly affiliate: number;
  readonly buyer: number;
}

/**
 * Fills the store on its first start, through its own API: an affiliate tree of four levels, a
 * product of each kind, coupons, orders in every state. Later starts find everything there.
 */
export async function fillStore(address: Address, databaseUrl: string): Promise<Speakers> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const known = await findPeople(client);
    if (known) return known;
    await client.query(
      `update settings set store_name = 'Demo store', site_url = 'https://demo.example',
              country = 'ID', timezone = 'Asia/Jakarta', currency = 'IDR', currency_exponent = 0,
              manual_accounts = $1`,
      [JSON.stringify(accounts)],
    );
    const shop = new Shop(address);
    const people = await createPeople(shop);
    // Only an administrator or someone at the command line makes administrators.
    await client.query("update users set roles = '{administrator}' where id = $1", [people.admin]);
    const products = await createProducts(shop);
    await createContent(shop, products);
    await createGroup(shop, people);
    await createCoupons(shop, people, products);
    await createTemplates(shop);
    await createLicense(shop, people, products);
    await createOrders(shop, people, products);
    return people;
  } finally {
    await client.end();
  }
}

/** The demo people of an earlier start that was completed. */
async function findPeople(client: Client): Promise<Speakers | undefined> {
  const { rows } = await client.query<{ provider: keyof Speakers; user_id: string }>(
    `select external_id as provider, user_id from user_external_ids
      where provider = 'demo' and exists (select from orders where note = 'The last demo order')`,
  );
  const people = Object.fromEntries(rows.map((row) => [row.provider, Number(row.user_id)]));
  return people['admin'] ? (people as unknown as Speakers) : undefined;
}

const accounts = [
  { id: 'BCA', bank: 'Bank Central', owner: 'Demo Store', account_number: '1234567890' },
  { id: 'BNI', bank: 'Bank Nusantara', owner: 'Demo Store', account_number: '9876543210' },
];

/** Tokens for the demo people, as a backend would ask for them. */
export async function issueTokens(address: Address, { admin, affiliate, buyer }: Speakers) {
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
