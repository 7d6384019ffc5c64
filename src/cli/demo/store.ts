import type { Client } from 'pg';
import { withDatabase } from '../support/database.ts';
import { createContent, createProducts } from './catalogue.ts';
import { completing, isEmpty } from './database.ts';
import { createLicense, createOrders } from './orders.ts';
import { createMonth } from './month.ts';
import { createPeople } from './people.ts';
import { createCoupons, createGroup, createTemplates } from './promotion.ts';
import { templateKinds, templateMedia } from '../../schema/lists.ts';
import { type Address, DemoClient } from './client.ts';

/** Ids of the demo users who get tokens; a user may have been removed. */
export type Speakers = Readonly<Partial<Record<Speaker, number>>>;
type Speaker = 'admin' | 'affiliate' | 'buyer';

/** Fills the store on its first start, through its own API. */
export async function fillStore(address: Address, databaseUrl: string): Promise<Speakers> {
  return withDatabase(databaseUrl, async (client) => {
    if (await isEmpty(client)) {
      await completing(client, () => quietly(client, () => fill(new DemoClient(address), client)));
    }
    return findSpeakers(client);
  });
}

/** Sends no messages about the demo records: their people have no mailboxes. */
async function quietly(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query(
    `insert into message_templates (kind, medium, active, texts, updated_at, version)
     select kind, medium, false, '{}', now(), 1
       from unnest($1::text[]) kind cross join unnest($2::text[]) medium`,
    [templateKinds, templateMedia],
  );
  await work();
  await client.query('delete from message_templates');
}

async function fill(shop: DemoClient, client: Client): Promise<void> {
  await client.query(
    `update settings set store_name = 'Demo store', site_url = 'https://demo.example',
            country = 'ID', timezone = 'Asia/Jakarta', currency = 'IDR', currency_exponent = 0,
            manual_accounts = $1`,
    [JSON.stringify(accounts)],
  );
  const people = await createPeople(shop);
  // No API key can make an administrator.
  await client.query("update users set roles = '{administrator}' where id = $1", [people.admin]);
  const products = await createProducts(shop);
  await createContent(shop, products);
  await createGroup(shop, people);
  await createCoupons(shop, people, products);
  await createTemplates(shop);
  await createMonth(shop, client, people, products);
  await createLicense(shop, client, people, products);
  await createOrders(shop, people, products);
}

async function findSpeakers(client: Client): Promise<Speakers> {
  const { rows } = await client.query<{ speaker: Speaker; user_id: string }>(
    `select external_id as speaker, user_id from user_external_ids
       join users on users.id = user_id and status = 'active'
      where provider = 'demo' and external_id in ('admin', 'affiliate', 'buyer')`,
  );
  return Object.fromEntries(rows.map(({ speaker, user_id }) => [speaker, Number(user_id)]));
}

const accounts = [
  { id: 'BCA', bank: 'Bank Central', owner: 'Demo Store', account_number: '1234567890' },
  { id: 'BNI', bank: 'Bank Nusantara', owner: 'Demo Store', account_number: '9876543210' },
];

export async function issueTokens(address: Address, people: Speakers) {
  const shop = new DemoClient(address);
  const tokens: Partial<Record<Speaker, string>> = {};
  for (const speaker of ['admin', 'affiliate', 'buyer'] as const) {
    const user_id = people[speaker];
    if (user_id === undefined) continue;
    const made = await shop.send<{ data: { token: string } }>('POST', '/sessions', { user_id });
    tokens[speaker] = made.data.token;
  }
  return tokens;
}
