import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import type { Client } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { restoreArchive } from '../../src/cli/archive/restore.ts';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { moves, records, withdrawals } from '../../src/cli/store/changes.ts';
import { differencesText, findDifferences } from '../../src/cli/store/undone.ts';
import * as schema from '../../src/schema/index.ts';
import { formOf } from '../harness/client.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { emptyDatabase } from '../upgrade/old-store.ts';
import { nobody } from './archives.ts';

const opened = useStoreFixture();

beforeAll(() => opened.fixture.store.clock.set(new Date().toISOString()));

/**
 * Backs a store up, changes it, and compares it with what a restore of the backup makes.
 * @param later changes of the restored store
 */
async function compareAfter(
  change: () => Promise<unknown>,
  later: (restored: Client) => Promise<unknown> = async () => undefined,
) {
  const { store } = opened.fixture;
  await using folder = await mkdtempDisposable(join(tmpdir(), 'returned-'));
  const backup = join(folder.path, 'backup');
  const { exported_at } = await writeArchive(store.database, backup, nobody);
  store.clock.advance(60);
  await change();
  const { url, client } = await emptyDatabase();
  try {
    await restoreArchive(url, backup, nobody, undefined);
    await later(client);
    const differences = await findDifferences([store.databaseUrl], client, exported_at);
    expect(differences.unread).toEqual([]);
    return { found: differences.found, text: differencesText(differences) };
  } finally {
    await client.end();
  }
}

test('A restore names the people who sign in again by a phone that somebody else has confirmed since', async () => {
  const { fixture } = opened;
  const phone = '+628125550222';
  const former = await fixture.newUser({ phone });
  const holder = await fixture.newUser({ phone });
  const other = await fixture.newUser();
  const confirm = (id: number, number: string) =>
    fixture.store.database.query('insert into account_phones values ($1, $2, now())', [id, number]);
  await confirm(former.id, phone);
  await confirm(other.id, '+628125550333');
  const confirmNew = (restored: Client) =>
    restored.query(
      `insert into account_phones values ($1, '+628125550444', now() + interval '1 day')`,
      [holder.id],
    );
  const { found, text } = await compareAfter(async () => {
    await fixture.store.database.query('delete from account_phones where phone = $1', [phone]);
    await confirm(holder.id, phone);
  }, confirmNew);
  expect(found.phones).toEqual([String(former.id)]);
  expect(text).toContain(
    `  people who sign in again by a phone that was taken from their account: 1 (id ${former.id})`,
  );
  expect(text).not.toContain('5550222');
});

test('A restore names imports of other shops that began or went on after the backup', async () => {
  const { database } = opened.fixture.store;
  const note = (shop: string, entity: string, done: number, finished: boolean) =>
    database.query(
      `insert into imports (fingerprint, entity, kind, done, started_at, finished_at)
       values ($1, $2, 'sejoli', $3, '2026-01-01', case when $4 then now() end)
           on conflict (fingerprint, entity)
           do update set done = excluded.done, finished_at = excluded.finished_at`,
      [shop, entity, done, finished],
    );
  await note('whole', 'order', 7, true);
  await note('begun', 'user', 40, true);
  await note('begun', 'order', 500, false);
  await note('unended', 'order', 9, false);
  const { found, text } = await compareAfter(async () => {
    await note('begun', 'order', 700, true);
    await note('begun', 'coupon', 5, true);
    await note('unended', 'order', 9, true);
    await note('new', 'user', 30, false);
  });
  expect(found.imports).toEqual([
    'sejoli: 205 rows missing',
    'sejoli: 30 rows missing',
    'sejoli: not ended',
  ]);
  expect(text).toContain(
    '  imports of other shops that began or went on, to be run again first: 3 (sejoli: 205 rows missing, sejoli: 30 rows missing, sejoli: not ended)',
  );
});

test('A restore names what was deleted, released, decided or switched off after the backup', async () => {
  const { fixture } = opened;
  const { api, store } = fixture;
  const made = async (path: string, body: object) => {
    const reply = await api.post(path, body);
    expect(reply, path).toMatchObject({ status: 201 });
    return reply.body.data;
  };
  const product = await fixture.newProduct({
    ...{ price: 100_000, license: { active: true, count: 1, max_resets: 3 } },
    affiliate: { enabled: true, hold_days: 0, tiers: [{ tier: 1, fee: 20, type: 'percentage' }] },
  });
  const affiliate = await fixture.newAffiliate({ bank_info: 'BRI 77' });
  const sold = await fixture.newOrder({
    ...{ product_id: product.id, affiliate_id: affiliate.id, status: 'completed' },
  });
  const unpaid = await fixture.newOrder({ product_id: product.id });
  const [licence] = (await api.get(`/licenses?reveal=true&order_id=${sold.id}`)).body.data;
  const seat = { license: licence.code, string: 'the former computer' };
  expect((await api.post('/licenses/register', seat)).status).toBe(200);
  const form = formOf({ product_id: product.id });
  form.append('file', new File(['secret'], 'a.txt', { type: 'text/plain' }));
  const file = await made('/files', form);
  const content = await made('/access/content', {
    ...{ title: 'Lesson', url: 'https://docs.example/1', product_ids: [product.id] },
  });
  const reminders = { type: 'order', offset: 1, hour: 9, media: ['email'] };
  const newTemplate = (title: string) =>
    made('/reminder-templates', { ...reminders, title, content: 'Pay.' });
  const [deleted, off, on] = [
    await newTemplate('A'),
    await newTemplate('B'),
    await newTemplate('C'),
  ];
  const later = new Date(store.clock.now().getTime() + 86_400_000).toISOString();
  const reminder = await made('/reminders', {
    ...{ order_id: unpaid.id, media_type: 'email', title: 'Pay', content: 'Please pay.' },
    scheduled_at: later,
  });
  const confirmation = await made('/confirmations', {
    order_id: (await fixture.newOrder({ product_id: product.id })).id,
    ...{ sender: 'Sari', total: 1 },
  });
  const group = await made('/user-groups', { name: 'Gold' });
  const [role] = (
    await store.database.query<{ id: number }>(
      `insert into staff_roles (name, scopes, built_in, created_at, updated_at, version)
       values ('Helpers', '{orders:read}', false, now(), now(), 1) returning id`,
    )
  ).rows as [{ id: number }];
  const run = await made('/payout-runs', { affiliates: [affiliate.id] });
  await store.database.query(
    `insert into message_suppressions (medium, address, reason, created_at)
     values ('email', 'sari@mail.example', 'unsubscribed', now())`,
  );
  const [suppression] = (await api.get('/message-suppressions')).body.data;
  const key = { id: 0 };
  const { found, text } = await compareAfter(async () => {
    for (const path of [
      `/access/content/${content.id}`,
      `/reminder-templates/${deleted.id}`,
      ...[`/reminders/${reminder.id}`, `/user-groups/${group.id}`],
      `/message-suppressions/${suppression.id}`,
    ])
      expect(await api.delete(path), path).toMatchObject({ status: 200 });
    for (const [path, body] of [
      ['/licenses/reset', { license: licence.code }],
      [`/reminder-templates/${off.id}`, { active: false }],
      ['/message-templates/order-placed/email', { active: false }],
      [`/confirmations/${confirmation.id}`, { status: 'rejected' }],
      [`/payout-runs/${run.id}/discard`, {}],
    ] as const)
      expect(await api.post(path, body), path).toMatchObject({ status: 200 });
    await store.database.query('delete from staff_roles where id = $1', [role.id]);
    // The job that removes a deleted file also deletes its row.
    await store.database.query('delete from files where id = $1', [file.id]);
    key.id = (await store.createKey()).id;
  });
  const ids = (...all: { id: number }[]) => all.map(({ id }) => String(id));
  expect(found).toMatchObject({
    ...{ released: ids(licence), files: ids(file), content: ids(content) },
    reminderTemplates: ids(deleted, off),
    ...{ reminders: ids(reminder), confirmations: ids(confirmation) },
    ...{ deletedGroups: ids(group), deletedRoles: ids(role), discarded: ids(run) },
    ...{ lifted: ids(suppression), anyKey: ids(key), templates: ['order-placed email'] },
  });
  expect(found.reminderTemplates).not.toContain(String(on.id));
  expect(text).toContain(`  deleted files: 1 (id ${file.id})`);
  expect(text).toContain('and have their former text and state: 1 (order-placed email)');
  expect(text).not.toContain('sari@mail.example');
});

/** Tables that a restore does not compare. */
const notCompared = {
  'their rows follow from compared ones': [
    ...['access_ends', 'affiliate_days', 'affiliate_figures', 'affiliate_sales', 'buyer_sponsors'],
    ...['commission_days', 'commission_rollups', 'coupon_copies', 'coupon_redemptions'],
    ...['coupon_usage', 'coupon_user_usage', 'group_moves', 'license_terms', 'list_totals'],
    ...['media', 'order_history', 'order_rollups', 'product_days', 'risk_orders'],
    ...['sale_commissions', 'subscription_changes', 'subscription_terms', 'user_external_ids'],
  ],
  'sessions and codes, which end at a restore or within hours': [
    ...['account_codes', 'account_links', 'account_sessions', 'console_codes', 'console_links'],
    ...['console_sessions', 'revoked_sessions'],
  ],
  'compared or stopped by other parts of a restore': [
    ...['api_key_secrets', 'messages', 'new_buyers', 'payable_claims'],
  ],
  'records of what happened, which give nobody anything': [
    ...['affiliate_clicks', 'api_key_refusals', 'api_key_use', 'file_downloads'],
    ...['idempotency_keys', 'outbox', 'purchase_forms', 'webhook_days', 'webhook_log'],
    ...['webhook_states', 'wishes'],
  ],
  'states of the machine': [
    ...['backfills', 'message_senders', 'mutation_sources', 'store_mark', 'stored_functions'],
  ],
};

test('Each table is compared after a restore, or has a reason why not', () => {
  const sql = Object.values({ ...moves, ...withdrawals, ...records })
    .map(({ ids, lost }) => `${ids} ${lost}`)
    .join(' ');
  const left = Object.values(schema)
    .filter((table) => is(table, PgTable))
    .map(getTableName)
    .filter((name) => !new RegExp(`\\b(from|join)\\s+${name}\\b`).test(sql));
  expect(left.toSorted()).toEqual(Object.values(notCompared).flat().toSorted());
});
