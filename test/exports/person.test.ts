import { getTableColumns, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { User } from '../../src/domain/user/schemas.ts';
import { personSections } from '../../src/queries/person.ts';
import * as schema from '../../src/schema/index.ts';
import { notExported } from '../../src/schema/personal.ts';
import { scopes } from '../../src/schema/scopes.ts';
import { useAffiliateStore } from '../harness/affiliates.ts';

const stage = useAffiliateStore();
let user: User;

type Rows = Record<string, Record<string, unknown>[]>;

/** Gives a person a row in every table with their data, and somebody else one in most. */
beforeAll(async () => {
  const { fixture } = stage.at;
  const { api } = fixture;
  const product = await stage.at.newCourse({}, { license: { active: true, count: 1 } });
  const live = async (email: string, phone: string) => {
    const { body } = await api.post('/users', {
      email,
      phone,
      external_ids: { crm: email },
      roles: ['affiliate'],
    });
    const person: User = body.data;
    const order = await stage.at.sell(product, { user_id: person.id });
    await api.post('/confirmations', { order_id: order.id, sender: email, total: 1 });
    await api.post('/reminders', { order_id: order.id, title: email, content: 'Please.' });
    await stage.at.change(order, { status: 'completed' });
    await stage.at.refund(order, 1);
    const [license] = (await api.get(`/licenses?user_id=${person.id}&reveal=true`)).body.data;
    await api.post('/licenses/register', { license: license.code, string: email, label: email });
    const code = `OWN${person.id}`;
    await api.post('/coupons', { code, user_id: person.id });
    const at = fixture.store.clock.now().toISOString();
    const group = (await api.post('/user-groups', { name: email })).body.data;
    for (const statement of [
      `insert into wishes (user_id, product_id, created_at) values (${person.id}, ${product.id}, '${at}')`,
      `insert into account_phones (user_id, phone, confirmed_at) values (${person.id}, '${phone.replaceAll(' ', '')}', '${at}')`,
      `insert into group_moves (order_id, user_id, group_id, moved)
       values (${order.id}, ${person.id}, ${group.id}, true)`,
      `insert into buyer_sponsors (user_id, order_id) values (${person.id}, ${order.id})`,
      `insert into coupon_redemptions (order_id, coupon_id, user_id, redeemed_at)
       select ${order.id}, id, ${person.id}, '${at}' from coupons where user_id = ${person.id}`,
      `insert into subscriptions (user_id, product_id, first_order_id, order_id, type, status, start, created_at, updated_at)
       values (${person.id}, ${product.id}, ${order.id}, ${order.id}, 'regular', 'active', '${at}', '${at}', '${at}')`,
      `insert into payment_sessions (order_id, gateway, reference, provider_id, payment_ref, amount,
         currency, url, status, refundable, expires_at, created_at, updated_at)
       values (${order.id}, 'card', '${email}', '${email}', '${email}', 1, 'USD', 'secret-page', 'paid', true, '${at}', '${at}', '${at}')`,
      `insert into unexpected_payments (session_id, order_id, gateway, amount, currency, reason, status,
         resolved_by, created_at, updated_at)
       select id, order_id, gateway, 77, currency, 'order_paid', 'open', 424242, '${at}', '${at}'
         from payment_sessions where order_id = ${order.id}`,
      `insert into subscription_terms (order_id, first_order_id, type, duration, period)
       values (${order.id}, ${order.id}, 'regular', 1, 'monthly')`,
      `insert into subscription_changes (first_order_id, kind, at)
       values (${order.id}, 'pause', '${at}')`,
      `insert into bank_mutations (source, mutation_id, account_number, amount, currency, occurred_at,
         direction, description, status, order_id, created_at, updated_at)
       values ('moota', '${email}', 'store-account', 1, 'USD', '${at}', 'credit', '${email}', 'matched', ${order.id}, '${at}', '${at}')`,
      `insert into commissions (order_id, product_id, affiliate_id, buyer_id, tier, kind, commission,
         currency, base_amount, rate_type, rate, rate_source, status, flags, created_at, updated_at)
       select order_id, product_id, ${person.id}, buyer_id, (select max(tier) + 1 from commissions), kind, commission, currency, base_amount,
         rate_type, rate, rate_source, status, flags, '${at}', '${at}' from commissions limit 1`,
      `insert into payouts
         (affiliate_id, amount, currency, commissions, method, reference, status, created_at, updated_at)
       values (${person.id}, 1, 'USD', 1, '', '${email}', 'paid', '${at}', '${at}')`,
      `insert into payout_runs (status, currency, minimum, left_over, confirmed_at, created_at, updated_at)
       values ('confirmed', 'USD', 0, 0, '${at}', '${at}', '${at}')`,
      `insert into payout_lines (run_id, affiliate_id, status, amount, issues)
       select max(id), ${person.id}, 'confirmed', 1, '{open-risk}' from payout_runs`,
      `update subscriptions set note = 'store-note' where user_id = ${person.id}`,
      `update licenses set note = 'store-note' where user_id = ${person.id}`,
      `update access_grants set note = 'store-note' where user_id = ${person.id}`,
      `update commissions set note = 'store-note', flags = '{same-bank}', status = 'cancelled', cancellation = 'risk'
        where affiliate_id = ${person.id}`,
      `insert into purchase_forms (key, order_id, name, email, phone, network, link_generation, created_at)
       values ('form-${person.id}', ${order.id}, '', '${email}', '', '', 0, '${at}')`,
      `insert into console_sessions
         (prefix, hash, user_id, authenticated_at, seen_at, expires_at, user_agent, country)
       values ('secret-prefix-${person.id}', 'secret-hash', ${person.id}, '${at}', '${at}', '${at}', '${email}', '')`,
      `insert into media (key, user_id, purpose, type, width, height, size, created_at)
       values ('face-${person.id}', ${person.id}, 'avatar', 'image/png', 1, 1, 1, '${at}')`,
      `insert into messages (kind, medium, user_id, recipient, status, due_at, created_at, updated_at)
       select 'welcome', 'email', ${person.id}, '${email}', 'sent', '${at}', '${at}', '${at}'
         from generate_series(1, 1500)`,
      `insert into message_suppressions (medium, address, reason, created_at)
       values ('email', '${email}', 'bounced', '${at}'),
              ('whatsapp', '${phone.replaceAll(' ', '')}', 'bounced', '${at}')`,
    ]) {
      await fixture.store.database.query(statement);
    }
    return person;
  };
  await live('other@mail.example', '+62 812 5550 100');
  user = await live('person@mail.example', '+62 812 5550 147');
});

const tables = Object.entries(schema as Record<string, unknown>).flatMap(([name, table]) =>
  is(table, PgTable) ? [{ name, table }] : [],
);

test('a table with the id of a user is in the data of a person, or left out for a reason', () => {
  const known = [...personSections.map(({ name }) => name), ...Object.keys(notExported)];
  const ofUsers = tables.filter(({ table }) =>
    Object.keys(getTableColumns(table)).some((of) => /^(user|affiliate|buyer)_id$/.test(of)),
  );
  expect(ofUsers.length).toBeGreaterThan(10);
  expect(known).toEqual(expect.arrayContaining(ofUsers.map(({ name }) => name)));
  expect(new Set(known).size).toBe(known.length);
});

test('a table with the id of an order is in the data of a person too, unless it holds amounts or commissions', () => {
  const known = [
    ...['payableClaims', 'risks', 'riskOrders'],
    ...personSections.map(({ name }) => name),
  ];
  const ofOrders = tables.filter(({ table }) => 'order_id' in getTableColumns(table));
  expect(ofOrders.length).toBeGreaterThan(10);
  expect(known).toEqual(expect.arrayContaining(ofOrders.map(({ name }) => name)));
});

describe('the data of a person', () => {
  const asked = async () => (await stage.at.fixture.api.get(`/users/${user.id}/export`)).body.data;

  test('has their rows of every table, and nothing of others', async () => {
    const { user_id, records } = (await asked()) as { user_id: number; records: Rows };
    expect(user_id).toBe(user.id);
    const empty = Object.entries(records).filter(([, rows]) => rows.length === 0);
    expect(empty.map(([table]) => table)).toEqual([]);
    expect(Object.keys(records)).toEqual(personSections.map(({ table }) => table));
    const text = JSON.stringify(records);
    expect(text).toContain('person@mail.example');
    expect(text).not.toContain('other@mail.example');
    expect(text).not.toMatch(/secret-|store-account|"hash"|424242/);
    expect(records['message_suppressions']?.map(({ address }) => address)).toEqual([
      'person@mail.example',
      '+628125550147',
    ]);
    expect(records['licenses']?.[0]).not.toHaveProperty('code');
  });

  test("leaves out the store's notes and risks, as the operations of /me do", async () => {
    const { records } = (await asked()) as { records: Rows };
    const noted = Object.entries(records).filter(([, rows]) => 'note' in (rows[0] ?? {}));
    expect(noted.map(([table]) => table)).toEqual(['orders', 'order_history']);
    expect(JSON.stringify(records)).not.toMatch(/store-note|same-bank|open-risk|"risk"/);
    expect(records['commissions']?.[0]).not.toHaveProperty('held');
  });

  test('has all rows of a table, however many', async () => {
    const { records } = (await asked()) as { records: Rows };
    const { rows } = await stage.at.fixture.store.database.query<{ id: string }>(
      'select id from messages where user_id = $1 order by id',
      [user.id],
    );
    expect(rows.length).toBeGreaterThan(1000);
    expect(records['messages']?.map(({ id }) => id)).toEqual(rows.map(({ id }) => Number(id)));
  });

  test('requires every scope that reads a part of it', async () => {
    const { store } = stage.at.fixture;
    const reply = await (
      await store.key('users:read', 'orders:read')
    ).get(`/users/${user.id}/export`);
    expect(reply).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
    expect(reply.body.data.missing_scopes).toContain('licenses:read');
    const reading = scopes.flatMap(({ name }) => (name.endsWith(':read') ? [name] : []));
    const withoutPayments = reading.filter((name) => name !== 'payments:read');
    const partly = await (await store.key(...withoutPayments)).get(`/users/${user.id}/export`);
    expect(partly.body.data.missing_scopes).toEqual(['payments:read']);
    const whole = await (await store.key(...reading)).get(`/users/${user.id}/export`);
    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-disposition')).toBe(
      `attachment; filename="user-${user.id}.json"`,
    );
  });

  test('is the same for the person, and closed to everybody else', async () => {
    const { store } = stage.at.fixture;
    const { body } = await (await store.session(user.id)).get('/me/export');
    expect(body.data).toEqual(await asked());
    expect(body.meta).toEqual({ effective_user_id: user.id });
  });

  test('is a 404 for an unknown person', async () => {
    const { api } = stage.at.fixture;
    expect((await api.get('/users/999999/export')).status).toBe(404);
  });
});
