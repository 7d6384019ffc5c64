import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { subscriptionSpans } from '../../../src/cli/integrity/terms.ts';
import { type Term, spanOf } from '../../../src/domain/subscription/rules.ts';
import { useStore } from '../../harness/store.ts';

const opened = useStore();

/** Moments at the ends of months more often than elsewhere, where days are clamped. */
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

test('Subscriptions end where the check of integrity, which is SQL, lays their terms to', async () => {
  const { database } = opened.store;
  await database.query(`
    create temp table subscription_terms as select * from subscription_terms;
    create temp table subscriptions as select * from subscriptions;
    create temp table settings as select * from settings`);
  await fc.assert(
    fc.asyncProperty(anyChain, zone, async (chain, timezone) => {
      const terms = chain.map(({ duration, period, activated, given }, i): Term => ({
        ...{ order_id: i + 1, first_order_id: 1, type: 'subscription-regular', duration, period },
        activated_at: activated.toISOString(),
        until:
          given === null ? null : new Date(activated.getTime() + given * 86_400_000).toISOString(),
      }));
      const span = spanOf(terms, timezone);
      await database.query('truncate subscription_terms, subscriptions');
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
    { numRuns: 200 },
  );
  await database.query(`update subscriptions set end_date = end_date + interval '1 day'`);
  expect((await database.query(subscriptionSpans)).rows).toHaveLength(1);
  await database.query(
    'drop table pg_temp.subscription_terms, pg_temp.subscriptions, pg_temp.settings',
  );
});
