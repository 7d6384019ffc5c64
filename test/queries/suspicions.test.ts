import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountKey } from '../../src/domain/risk/kinds/account.ts';
import { useAffiliateStore } from '../harness/affiliates.ts';

const stage = useAffiliateStore();

const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await stage.at.fixture.store.database.query<T>(text, values)).rows;

const number = fc.constantFrom(
  '5501234700',
  '5501-2347-00',
  '05501234700',
  '5501 234 700',
  '77',
  '7 7',
  '00000000',
  '５５０１２３４７００',
  'GB29 NWBK 6016',
  'bo7@mail.example',
  'PayPal Bo7@mail.example',
);
const words = fc.constantFrom('', 'BCA', 'KCP 2', 'a.n. Citra 2', 'Bo-3', 'dana', '2', '12345678');

const account = fc.oneof(
  fc.constant({ bank_info: '', bank_account: null }),
  fc.array(fc.oneof(number, words), { minLength: 1, maxLength: 4 }).map((parts) => ({
    bank_info: parts.join(' '),
    bank_account: null,
  })),
  fc
    .record({
      bank_code: fc.constantFrom('014', '14', '008', 'BCA', 'Bank 8'),
      bank_name: words,
      number,
      holder: words,
    })
    .map((bank_account) => ({ bank_info: 'x', bank_account })),
);

test('The database compares bank accounts by the same key as the service', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(account, { minLength: 100 }), async (accounts) => {
      const rows = await query<{ key: string }>(
        `select svc_account_key(a.info, a.account) as key
           from unnest($1::text[], $2::jsonb[]) with ordinality a (info, account, n) order by n`,
        [
          accounts.map(({ bank_info }) => bank_info),
          accounts.map(({ bank_account }) => bank_account && JSON.stringify(bank_account)),
        ],
      );
      expect(rows.map(({ key }) => key)).toEqual(accounts.map(accountKey));
    }),
    { numRuns: 10 },
  );
});

test.each([
  [
    'users_account',
    "users u where u.bank_info <> '' and svc_account_key(u.bank_info, u.bank_account) = $1::text",
  ],
  [
    'orders_user_affiliate',
    'orders where user_id = $1::bigint and affiliate_id = 1 order by id desc limit 20',
  ],
])('The index %s answers the query that needs it', async (index, from) => {
  const { database } = stage.at.fixture.store;
  await database.query('begin');
  await database.query('set local enable_seqscan = off');
  await database.query('set local plan_cache_mode = force_generic_plan');
  const rows = await query<{ 'QUERY PLAN': string }>(`explain (generic_plan) select from ${from}`);
  await database.query('rollback');
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain(index);
  expect(plan).toContain('Index Cond');
});
