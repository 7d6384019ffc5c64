import type { StoreFixture } from '../../harness/store-fixture.ts';

/** The limit, in milliseconds, for drafting and for confirming a run of 100,000 commissions. */
const goal = 5000;
const trips = { draft: 3, confirm: 2 };

const affiliates = 1000;
const each = 100;

/**
 * Pays 1,000 affiliates 100 commissions each in one run.
 * @returns the missed goals
 */
export async function payMany({ api, store }: StoreFixture): Promise<string[]> {
  const people = Array.from({ length: affiliates }, (_, k) => k + 10);
  const { database } = store;
  await database.query(
    `update users set bank_info = 'BCA 55', status = 'active' where id = any ($1)`,
    [people],
  );
  await database.query(
    `insert into commissions (order_id, product_id, affiliate_id, buyer_id, tier, kind, commission,
       currency, base_amount, rate_type, rate, rate_source, status, flags, created_at, updated_at)
     select o.id, o.product_id, p.id, o.user_id, 1, 'manual', 1000, 'USD', 0, 'fixed', 1000,
            'manual', 'added', '{}', '2000-01-01', '2000-01-01'
       from unnest($1::bigint[]) p (id) cross join generate_series(1, $2) n
       join orders o on o.id = 1 + (p.id * 7 + n) % 1000`,
    [people, each],
  );
  await database.query('analyze commissions');
  const draft = await timed(() => api.post('/payout-runs', { until: '2000-01-02' }));
  const { id, totals } = draft.body.data;
  const confirm = await timed(() => api.post(`/payout-runs/${id}/confirm`));
  console.table({ draft: shown(draft), confirm: shown(confirm) });
  return [
    ...(totals.commissions === affiliates * each ? [] : [`A run took ${totals.commissions}.`]),
    ...(draft.time > goal || draft.trips > trips.draft ? ['Drafting a run missed its goal.'] : []),
    ...(confirm.time > goal || confirm.trips > trips.confirm
      ? ['Confirming a run missed its goal.']
      : []),
  ];
}

type Timed = Awaited<ReturnType<typeof timed>>;

async function timed(ask: () => ReturnType<StoreFixture['api']['post']>) {
  const start = performance.now();
  const reply = await ask();
  if (reply.status >= 300) throw new Error(JSON.stringify(reply.body));
  return { ...reply, time: performance.now() - start };
}

const shown = ({ time, trips: made }: Timed) => ({ ms: Math.round(time), trips: made });
