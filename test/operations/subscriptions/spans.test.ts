import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { subscriptionSpans } from '../../../src/cli/integrity/terms.ts';
import { isInstalment, spanOf } from '../../../src/domain/subscription/span.ts';
import type {
  SubscriptionChange,
  SubscriptionTerm as Term,
} from '../../../src/schema/subscriptions.ts';
import { runs } from '../../harness/long.ts';
import { useStore } from '../../harness/store.ts';

const opened = useStore();

/** Moments, often at the ends of months, where days are clamped. */
const moment = fc
  .tuple(
    fc.integer({ min: 2024, max: 2027 }),
    fc.integer({ min: 0, max: 11 }),
    fc.oneof(fc.integer({ min: -3, max: 1 }), fc.integer({ min: 1, max: 31 })),
    fc.integer({ min: 0, max: 86_399 }),
  )
  .map(([year, month, day, second]) => new Date(Date.UTC(year, month, day, 0, 0, second)));

const zone = fc.constantFrom('UTC', 'Asia/Jakarta', 'Europe/Berlin', 'America/New_York');

const anyChain = fc.array(
  fc.record({
    duration: fc.integer({ min: 1, max: 14 }),
    period: fc.constantFrom(
      'daily' as const,
      'monthly' as const,
      'monthly' as const,
      'yearly' as const,
    ),
    activated: moment,
    /** Days from its start to the moment at which its end is set. */
    given: fc.option(fc.integer({ min: 0, max: 70 })),
  }),
  { minLength: 1, maxLength: 7 },
);

/**
 * Pauses and ends set by hand in any order, also impossible ones, which must have equal effects in both calculations.
 */
const anyChanges = fc.array(
  fc.record({
    kind: fc.constantFrom('pause' as const, 'pause' as const, 'end' as const),
    at: moment,
    length: fc.option(fc.integer({ min: 0, max: 9_000_000_000 })),
  }),
  { maxLength: 4 },
);

const changeOf = (
  { kind, at, length }: { kind: 'pause' | 'end'; at: Date; length: number | null },
  i: number,
): SubscriptionChange => {
  const later = length === null ? null : new Date(at.getTime() + length).toISOString();
  const isEnd = kind === 'end';
  return {
    ...{ id: i + 1, first_order_id: 1, kind, at: at.toISOString() },
    until: isEnd ? (later ?? at.toISOString()) : null,
    resumed_at: isEnd ? null : later,
  };
};

const anyPlan = fc.record({
  payments: fc.integer({ min: 2, max: 7 }),
  after: fc.constantFrom('keep' as const, 'end' as const),
  grace_days: fc.integer({ min: 0, max: 10 }),
  price: fc.constant(50_000),
  duration: fc.integer({ min: 1, max: 3 }),
  period: fc.constantFrom('daily' as const, 'monthly' as const, 'yearly' as const),
});

test('Subscriptions with pauses, ends by hand and plans end as the integrity check calculates', async () => {
  const { database } = opened.store;
  await database.query(`
    create temp table if not exists orders (id bigint, agreed jsonb);
    create temp table if not exists subscription_terms as select * from subscription_terms limit 0;
    create temp table if not exists subscription_changes as select * from subscription_changes limit 0;
    create temp table if not exists subscriptions as select * from subscriptions limit 0;
    create temp table if not exists settings as select * from settings`);
  await fc.assert(
    fc.asyncProperty(
      anyChain,
      anyChanges,
      fc.option(anyPlan),
      fc.boolean(),
      zone,
      async (chain, changes, agreed, isTrial, timezone) => {
        const terms = chain.map(({ duration, period, activated }, i): Term => ({
          ...{ order_id: i + 1, first_order_id: 1, duration, period, until: null },
          type: i === 0 && isTrial ? 'subscription-tryout' : 'subscription-regular',
          activated_at: activated.toISOString(),
        }));
        const rows = changes.map(changeOf);
        const starts = terms.filter(isInstalment).map(({ activated_at }) => activated_at ?? '');
        const start = starts.sort()[0];
        const plan = agreed && start !== undefined ? { ...agreed, start } : undefined;
        const span = spanOf(terms, timezone, { changes: rows, plan });
        await database.query(
          'truncate orders, subscription_terms, subscription_changes, subscriptions',
        );
        await database.query('update settings set timezone = $1', [timezone]);
        const insert = (table: string, records: readonly object[]) =>
          database.query(
            `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`,
            [JSON.stringify(records)],
          );
        await insert('orders', [{ id: 1, agreed: { plan: agreed } }]);
        await insert('subscription_terms', terms);
        await insert('subscription_changes', rows);
        await insert('subscriptions', [
          {
            ...{ id: 1, first_order_id: 1, order_id: span?.last.order_id, start: span?.start },
            ...{ status: span?.pause ? 'paused' : 'active', end_date: span?.end_date },
            ...{ payments: agreed?.payments, paid: agreed && (span?.paid ?? 0) },
            ...{ plan_start: plan?.start, next_due: span?.next_due },
            ...{ paused_at: span?.pause?.at, resumes_at: span?.pause?.until },
          },
        ]);
        expect((await database.query(subscriptionSpans)).rows).toEqual([]);
      },
    ),
    { numRuns: runs(300) },
  );
});

test('Subscriptions end as the integrity check calculates in SQL', async () => {
  const { database } = opened.store;
  await database.query(`
    create temp table if not exists subscription_terms as select * from subscription_terms;
    create temp table if not exists subscriptions as select * from subscriptions;
    create temp table if not exists settings as select * from settings`);
  await fc.assert(
    fc.asyncProperty(anyChain, zone, async (chain, timezone) => {
      const terms = chain.map(({ duration, period, activated, given }, i): Term => ({
        ...{ order_id: i + 1, first_order_id: 1, type: 'subscription-regular', duration, period },
        activated_at: activated.toISOString(),
        until:
          given === null ? null : new Date(activated.getTime() + given * 86_400_000).toISOString(),
      }));
      const span = spanOf(terms, timezone);
      await database.query(
        'truncate subscription_terms, subscriptions, subscription_changes, orders',
      );
      await database.query('update settings set timezone = $1', [timezone]);
      await database.query(
        `insert into subscription_terms select * from json_populate_recordset(null::subscription_terms, $1)`,
        [JSON.stringify(terms)],
      );
      await database.query(
        `insert into subscriptions (id, first_order_id, order_id, status, start, end_date)
         values (1, 1, $1, 'active', $2, $3)`,
        [span?.last.order_id, span?.start, span?.end_date],
      );
      expect((await database.query(subscriptionSpans)).rows).toEqual([]);
    }),
    { numRuns: runs(200) },
  );
  await database.query(`update subscriptions set end_date = end_date + interval '1 day'`);
  expect((await database.query(subscriptionSpans)).rows).toHaveLength(1);
  await database.query(
    'drop table pg_temp.subscription_terms, pg_temp.subscriptions, pg_temp.settings',
  );
});
