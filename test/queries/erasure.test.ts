import { getTableColumns, getTableName } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { beforeAll, expect, test } from 'vitest';
import type { User } from '../../src/domain/user/schemas.ts';
import { removeGone } from '../../src/jobs/remove-files.ts';
import * as schema from '../../src/schema/index.ts';
import { deleted, erased, kept } from '../../src/schema/personal.ts';
import { useAffiliateStore } from '../harness/affiliates.ts';

// Compares the lists of personal data with the database before and after an erasure.

const stage = useAffiliateStore();
let user: User;

const tables: Readonly<Record<string, unknown>> = schema;

const tableOf = (name: string) => tables[name] as PgTable;

/** Names of a list with their tables: `orders.shipping.phone`. */
const namesOf = (list: Readonly<Record<string, object>>) =>
  Object.entries(list).flatMap(([table, columns]) =>
    Object.keys(columns).map((name) => `${table}.${name}`),
  );

/** Columns of numbers, which can't contain a word. */
const numbers = ['purchaseForms.link_generation'];
const personal = [...new Set([...namesOf(erased), ...namesOf(kept)])].filter(
  (name) => !numbers.includes(name),
);

/** A unique word, which is a valid code of a coupon, too. */
const wordIn = (name: string) => `WORD-${personal.indexOf(name)}-`;

const query = async (text: string, values?: unknown[]) =>
  (await stage.at.fixture.store.database.query<Record<string, string>>(text, values)).rows;

/** Writes its word into every row of a column or key; for users only into theirs. */
async function mark(name: string) {
  const [file = '', column = '', key = 'word'] = name.split('.');
  const table = tableOf(file);
  const isDocument = getTableColumns(table)[column]?.getSQLType() === 'jsonb';
  const value = isDocument
    ? `coalesce("${column}", '{}') || jsonb_build_object('${key}', $1::text)`
    : '$1';
  const theirs = table === schema.users ? `where id = ${user.id}` : '';
  await query(`update ${getTableName(table)} set "${column}" = ${value} ${theirs}`, [wordIn(name)]);
}

async function found(): Promise<string[]> {
  const [all] = await query(`select schema_to_xml('public', false, true, '') as text`);
  return personal.filter((name) => all?.['text']?.includes(wordIn(name)));
}

/** Counts the rows of the tables whose rows are deleted with a user. */
const rowsOfDeleted = () =>
  Promise.all(
    deleted.map(async (table) => {
      const [row] = await query(`select count(*) from ${getTableName(tableOf(table))}`);
      return [table, Number(row?.['count'])];
    }),
  );

/** Gives the user, and nobody else, a row in every table with personal data. */
beforeAll(async () => {
  const { fixture, seller } = stage.at;
  const { api } = fixture;
  const headers = { 'idempotency-key': 'personal' };
  const person = { email: 'personal@mail.example', external_ids: { crm: 'c-1' } };
  user = (await api.post('/users', person, { headers })).body.data;
  const product = await stage.at.newCourse({}, { license: { active: true, count: 1 } });
  const order = await stage.at.sell(product, { user_id: user.id });
  await api.post('/confirmations', { order_id: order.id, sender: 'Anna', total: 1 });
  await api.post('/reminders', { order_id: order.id, title: 'Pay', content: 'Please.' });
  await stage.at.change(order, { status: 'completed' });
  await stage.at.refund(order, 1);
  const [license] = (await api.get(`/licenses?user_id=${user.id}&reveal=true`)).body.data;
  await api.post('/licenses/register', { license: license.code, string: 'host', label: 'Home' });
  await api.post('/coupons', { code: 'ANNA', user_id: user.id });
  const at = fixture.store.clock.now().toISOString();
  for (const statement of [
    `insert into files (product_id, name, release, position, type, status, key, created_at, updated_at)
       values (${product.id}, 'a', '', 0, 'a/b', 'imported', 'a', '${at}', '${at}')`,
    `insert into file_downloads (user_id, file_id, day, links)
       select ${user.id}, id, '${at}', array[gen_random_uuid()] from files`,
    `insert into account_links (prefix, hash, user_id, created_at, expires_at)
       values ('a', 'a', ${user.id}, '${at}', '${at}')`,
    `insert into account_codes (id, user_id, purpose, phone, hash, created_at, expires_at)
       values ('a', ${user.id}, 'confirm', '+62', 'a', '${at}', '${at}')`,
    `insert into account_phones (user_id, phone, confirmed_at) values (${user.id}, '+62', '${at}')`,
    `insert into new_buyers (user_id, created_at) values (${user.id}, '${at}')`,
    `insert into account_sessions (prefix, hash, user_id, created_at, expires_at)
       values ('a', 'a', ${user.id}, '${at}', '${at}')`,
    `insert into purchase_forms (key, order_id, name, email, phone, network, link_generation, created_at)
       values ('a', ${order.id}, '', '', '', '', 0, '${at}')`,
    `insert into wishes (user_id, product_id, created_at) values (${user.id}, ${product.id}, '${at}')`,
    `insert into affiliate_clicks (ref, affiliate_id, product_id, target, at, visitor)
     values ('r', ${user.id}, ${product.id}, 'checkout', '${at}', '')`,
    `insert into payment_sessions (order_id, gateway, reference, provider_id, payment_ref, amount,
       currency, url, status, refundable, expires_at, created_at, updated_at)
     values (${order.id}, 'card', 'a', '', '', 1, 'USD', '', 'paid', true, '${at}', '${at}', '${at}')`,
    `insert into provider_refunds
       (session_id, amount, state, made_there, provider_ref, created_at, updated_at)
     values (1, 1, 'succeeded', false, '', '${at}', '${at}')`,
    `insert into bank_mutations (source, mutation_id, account_number, amount, currency, occurred_at,
       direction, description, status, order_id, created_at, updated_at)
     values ('moota', 'm', '1', 1, 'USD', '${at}', 'credit', '', 'matched', ${order.id}, '${at}', '${at}')`,
    `insert into payouts
       (affiliate_id, amount, currency, commissions, method, reference, status, created_at, updated_at)
     values (${user.id}, 1, 'USD', 1, '', '', 'paid', '${at}', '${at}')`,
    `insert into payout_runs
       (status, currency, minimum, left_over, confirmed_at, created_at, updated_at)
     values ('confirmed', 'USD', 0, 0, '${at}', '${at}', '${at}')`,
    `insert into payout_lines (run_id, affiliate_id, status, amount)
     values (1, ${user.id}, 'confirmed', 1)`,
    `insert into risks (kind, affiliate_id, other_id, tier, status, created_at, updated_at)
     values ('velocity', ${seller.id}, ${user.id}, 1, 'cleared', '${at}', '${at}')`,
    `insert into audit_log (at, actor_type, actor_id, user_id, sid, operation, subject_type, request_id)
     values ('${at}', 'user', ${seller.id}, ${user.id}, gen_random_uuid(), 'me.switch-user', 'users', '')`,
    `insert into subscriptions (user_id, product_id, first_order_id, order_id, type, status, created_at, updated_at)
     values (${user.id}, ${product.id}, ${order.id}, ${order.id}, 'regular', 'expired', '${at}', '${at}')`,
    `insert into console_links (prefix, hash, pepper_version, user_id, created_at, expires_at)
     values ('l', '', 1, ${user.id}, '${at}', '${at}')`,
    `insert into console_sessions
       (prefix, hash, user_id, authenticated_at, seen_at, expires_at, user_agent, country)
     values ('s', '', ${user.id}, '${at}', '${at}', '${at}', '', '')`,
    `insert into console_codes (hash, user_id, session_id, created_at, expires_at)
     values ('', ${user.id}, (select max(id) from console_sessions), '${at}', '${at}')`,
    `insert into media (key, user_id, purpose, type, width, height, size, created_at)
     values ('face', ${user.id}, 'avatar', 'image/png', 1, 1, 1, '${at}')`,
    `insert into messages (kind, medium, user_id, content, status, due_at, created_at, updated_at)
     values ('welcome', 'email', ${user.id}, '{}', 'sent', '${at}', '${at}', '${at}')`,
    `insert into message_suppressions (medium, address, reason, message_id, created_at)
     values ('email', 'old@mail.example', 'bounced', 1, '${at}')`,
    `insert into webhooks (name, url, events, status, secret, created_at, updated_at)
     values ('', '', '{*}', 'active', '', '${at}', '${at}')`,
    `insert into outbox (webhook_id, event_id, event, object_id, data, created_at, next_attempt_at)
     values (1, gen_random_uuid(), 'user.created', ${user.id}, '{}', '${at}', '${at}')`,
    `insert into webhook_log
       (webhook_id, id, outbox_id, event, at, status, code, attempt, milliseconds, error, answer)
     values (1, 1, 1, 'user.created', '${at}', 'failed', 500, 1, 1, '', '')`,
  ]) {
    await query(statement);
  }
});

test('erasing a user leaves only personal data that have a reason to stay', async () => {
  const { fixture } = stage.at;
  for (const name of personal) await mark(name);
  expect(await found()).toEqual(personal);
  for (const [table, rows] of await rowsOfDeleted()) expect(rows, String(table)).toBeGreaterThan(0);

  expect((await fixture.api.delete(`/users/${user.id}`)).status).toBe(200);
  await removeGone(await fixture.store.services());
  expect((await found()).sort()).toEqual(namesOf(kept).sort());
  expect(await rowsOfDeleted()).toEqual(deleted.map((table) => [table, 0]));
});
