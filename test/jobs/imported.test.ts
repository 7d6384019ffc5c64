import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyPgTable } from 'drizzle-orm/pg-core';
import { findDue, runJobs } from '../../src/jobs/index.ts';
import { build } from '../../src/kernel/database/statements.ts';
import * as schema from '../../src/schema/index.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { order, person, product, sale } from '../harness/rows.ts';
import { usePost } from '../operations/messages/post.ts';

const opened = usePost(['resend']);

const day = (n: number) => `2019-06-${String(n).padStart(2, '0')}T08:00:00.000Z`;
const kept = (at: string) => ({ created_at: at, updated_at: at, version: 1 });
const soon = '2026-03-11T08:00:00.000Z';

/** Writes rows past the API. */
async function write<T extends AnyPgTable>(
  table: T,
  ...rows: readonly T['$inferInsert'][]
): Promise<void> {
  const { sql, params } = build
    .insert(table)
    .values([...rows])
    .toSQL();
  await opened.post.store.database.query(sql, params);
}

const [affiliate, buyer, course, club] = [11, 4, 1, 2];

type Fields = Parameters<typeof order>[0];

/** An order with its history and the access that it gives. */
async function imported(id: number, fields: NonNullable<Fields>): Promise<void> {
  const { status = 'on-hold', type = 'regular', order_parent_id = null } = fields;
  const at = day(id % 30);
  const row = order({ id, number: `OLD-${id}`, currency: 'IDR', ...kept(at), ...fields });
  await write(schema.orders, row);
  const step = { order_id: id, at, actor_type: 'system', actor_id: null, note: null } as const;
  await write(schema.orderHistory, { ...step, from: null, to: 'on-hold' });
  if (status !== 'on-hold') {
    await write(schema.orderHistory, { ...step, from: 'on-hold', to: status });
  }
  if (type !== 'regular' || order_parent_id !== null) return;
  const revoked = status === 'refunded' || status === 'cancelled';
  await write(schema.accessGrants, {
    user_id: buyer,
    product_id: course,
    order_id: id,
    source: 'order',
    status: status === 'completed' ? 'active' : revoked ? 'revoked' : 'pending',
    start: status === 'completed' ? at : null,
    ...kept(at),
  });
}

/** A subscription order of another shop, with its original end. */
async function term(id: number, first_order_id: number, until: string): Promise<void> {
  const type = 'subscription-regular';
  const order_parent_id = id === first_order_id ? null : first_order_id;
  await imported(id, {
    ...{ product_id: club, status: 'completed', type, order_parent_id, affiliate_id: null },
    ...{ paid_at: day(id % 30), completed_at: day(id % 30) },
  });
  const activated_at = day(id % 30);
  const duration = { duration: 1, period: 'monthly' } as const;
  await write(schema.subscriptionTerms, {
    ...{ order_id: id, first_order_id, type, ...duration, activated_at, until },
  });
}

/** A chain of such orders, and its access. */
async function subscription(
  [first, ...others]: readonly [number, ...number[]],
  end_date: string,
  fields: Pick<typeof schema.subscriptions.$inferInsert, 'status' | 'announced_end'>,
): Promise<void> {
  for (const id of [first, ...others]) await term(id, first, end_date);
  const of = { user_id: buyer, product_id: club };
  const span = { start: day(first % 30), end_date };
  await write(schema.subscriptions, {
    ...{ id: first, first_order_id: first, order_id: others.at(-1) ?? first },
    ...{ type: 'subscription-regular', ...of, ...span, ...kept(day(first % 30)), ...fields },
  });
  await write(schema.accessGrants, {
    ...{ ...of, order_id: first, subscription_id: first, source: 'subscription' },
    ...{ status: 'active', start: span.start, end_active: end_date, ...kept(span.start) },
  });
}

async function everything(): Promise<Record<string, string>> {
  const { database } = opened.post.store;
  const { rows } = await database.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = current_schema() order by 1',
  );
  const tables: Record<string, string> = {};
  for (const { name } of rows) {
    const all = await database.query<{ rows: string }>(
      `select coalesce(string_agg(t::text, e'\n' order by t::text), '') as rows from ${name} t`,
    );
    tables[name] = all.rows[0]?.rows ?? '';
  }
  return tables;
}

const runAll = async (): Promise<void> => {
  const problems: unknown[] = [];
  await runJobs(await opened.post.store.services(), (line) => problems.push(line));
  await opened.post.store.settled();
  expect(problems).toEqual([]);
};

beforeAll(async () => {
  const { post } = opened;
  await post.listen();
  // The rows of the senders are made by the first run.
  await runAll();
  const old = kept(day(1));
  await write(
    schema.users,
    person({ id: affiliate, email: 'affiliate@people.example', ...old }),
    person({ id: buyer, roles: ['member'], affiliate_id: affiliate, ...old }),
  );
  const subscribed = {
    active: true,
    regular: { duration: 1, period: 'monthly', price: 10_000 },
  } as const;
  await write(schema.products, product(), {
    ...product({ subscription: subscribed }),
    id: club,
    slug: 'club',
  });
  const paid = { paid_at: day(2), affiliate_id: affiliate };
  await imported(101, { ...paid, status: 'completed', completed_at: day(2) });
  await imported(102, { status: 'cancelled', cancelled_at: day(2) });
  await imported(103, {
    status: 'on-hold',
    payment_gateway: 'manual',
    unique_code: 147,
    grand_total: 10_147,
  });
  await imported(104, { status: 'payment-confirm' });
  await imported(105, { ...paid, status: 'refunded', refunded_total: 10_000, refunded_at: day(3) });
  await imported(106, { ...paid, status: 'in-progress' });
  await write(schema.payableClaims, { currency: 'IDR', amount: 10_147, order_id: 103 });
  await write(schema.refunds, {
    ...{ order_id: 105, amount: 10_000, currency: 'IDR', created_at: day(3) },
    actor_type: 'system',
  });
  const fixed = { rate_source: 'manual', rate_type: 'fixed', rate: 2000, currency: 'IDR' } as const;
  const earned = { ...fixed, ...kept(day(2)) };
  await write(
    schema.commissions,
    sale({ ...earned, id: 1, order_id: 101, status: 'added' }),
    sale({ ...earned, id: 2, order_id: 105, status: 'cancelled', cancellation: 'order' }),
    sale({ ...earned, id: 3, order_id: 106, status: 'pending' }),
  );
  await subscription([107, 108], day(28), { status: 'expired' });
  await subscription([109], soon, { status: 'active', announced_end: soon });
  await subscription([110], '2027-01-01T00:00:00.000Z', { status: 'active' });
});

test('a store with imported records passes the integrity check', () =>
  expectIntegrity(opened.post));

test('imported records cause no due work, and the jobs change no row', async () => {
  const now = opened.post.store.clock.now().getTime();
  const due = await findDue(await opened.post.store.services());
  expect(due.filter(({ at }) => at <= now)).toEqual([]);
  const before = await everything();
  await runAll();
  expect(await everything()).toEqual(before);
  expect([before['outbox'], before['messages']]).toEqual(['', '']);
});

test('an imported subscription is announced when it ends here', async () => {
  opened.post.store.clock.set(soon);
  await runAll();
  const { rows } = await opened.post.store.database.query('select event from outbox');
  expect(rows).toContainEqual({ event: 'subscription.expired' });
});

afterAll(() => expectIntegrity(opened.post));
