import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountKey, isSameAccount } from '../../src/domain/risk/kinds/account.ts';
import { isSameMailbox } from '../../src/domain/risk/kinds/mailbox.ts';
import { countryCodes, isSamePhone, lastDigits, phoneNumber } from '../../src/lib/phone.ts';
import { useAffiliateStore } from '../harness/affiliates.ts';

/** The database has its own copy of the rules in `src/domain/risk/kinds`. These tests compare the two. */
const stage = useAffiliateStore();

const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await stage.at.fixture.store.database.query<T>(text, values)).rows;

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.nat(9).map(String), minLength, maxLength });

const country = fc.constantFrom('', 'ID', 'ID', 'US', 'RU', 'HU', 'IT', 'AD', ...countryCodes());

/** Phones of a few numbers, short ones too, in all kinds of spellings. */
const phone = fc
  .tuple(
    fc.constantFrom('', '0', '00', '+', '+0', '0000', '０', '(0)'),
    fc.constantFrom('', '62', '62 ', '1', '7', '36', '39', '376', '62 (0)', '7 8', '36-06', '1 1'),
    fc.oneof(fc.constantFrom('812 3456 7890', '45678', '82345678', '06 1234567'), digits(1, 12)),
    fc.constantFrom('', '', ' ext 12', ' x3', '#4', ',5', ';6', ' доб. 7', '\u202c', '–8'),
  )
  .map((parts) => parts.join(''));

test('The database reads phones like the service', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(phone, country), { minLength: 300 }), async (cases) => {
      const rows = await query<{ number: string | null }>(
        `select p.number from unnest($1::text[], $2::text[]) with ordinality c (phone, country, n)
          cross join lateral svc_phone(c.phone, c.country) p order by n`,
        [cases.map(([text]) => text), cases.map(([, home]) => home)],
      );
      expect(
        rows.map(({ number }, i) => [...(cases[i] ?? []), number ? `+${number}` : '']),
      ).toEqual(cases.map(([text, home]) => [text, home, phoneNumber(text, home)]));
    }),
    { numRuns: 5 },
  );
});

/** Draws a number in two spellings: with and without its calling code, its trunk prefix and zeros. */
const spellings = fc
  .tuple(
    digits(3, 11),
    fc.array(fc.constantFrom('', '+', '00', '000', '0', '1', '8', '06'), {
      minLength: 2,
      maxLength: 2,
    }),
  )
  .chain(([number, [a = '', b = '']]) =>
    fc
      .tuple(
        fc.constantFrom('', '62', '1', '7', '36', '376', '620', '778', '3606', '11'),
        fc.constantFrom('', '62', '1', '7', '36', '376', '620', '78', '3606', '11'),
      )
      .map(([c, d]) => [a + c + number, b + d + number] as const),
  );

test('The database looks a phone up by its end in every spelling', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(spellings, country), { minLength: 1000 }), async (drawn) => {
      const same = drawn.filter(([[a, b], home]) => isSamePhone(a, b, home));
      const rows = await query<{ ends: string[] }>(
        `select p.ends from unnest($1::text[], $2::text[]) with ordinality c (phone, country, n)
          cross join lateral svc_phone(c.phone, c.country) p order by n`,
        [same.map(([[a]]) => a), same.map(([, home]) => home)],
      );
      for (const [i, [[a, b], home]] of same.entries())
        expect(rows[i]?.ends, `${a} ${b} ${home}`).toContain(lastDigits(b));
    }),
    { numRuns: 5 },
  );
});

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

const email = fc
  .tuple(
    fc.constantFrom('bo', 'b.o', 'bo+1', 'b.o+x.y', 'al'),
    fc.constantFrom('gmail.com', 'googlemail.com', 'mygmail.com', 'mygooglemail.com', 'x.example'),
  )
  .map((parts) => parts.join('@'));

const member = fc.record({
  email: fc.option(email),
  phone: fc.oneof(fc.constant(''), phone),
  account,
});

type Affiliate = ReturnType<typeof affiliatesOf>[number];

/** Gives each e-mail address to one person, as the table requires. */
const affiliatesOf = (
  drawn: readonly (typeof member extends fc.Arbitrary<infer T> ? T : never)[],
) =>
  drawn.map(({ email: own, phone: its, account: bank }, i) => {
    const isTaken = drawn.slice(0, i).some((other) => other.email === own);
    return { id: 1_000_000 + i, email: isTaken ? null : own, phone: its, ...bank };
  });

async function store(affiliates: readonly Affiliate[]): Promise<void> {
  await query('delete from users where id >= 1000000');
  await query(
    `insert into users (id, email, phone, bank_info, bank_account, roles, created_at, updated_at)
     select id, email, phone, bank_info, nullif(bank_account, 'null'), '{affiliate}', now(), now()
       from jsonb_to_recordset($1)
         as u (id bigint, email text, phone text, bank_info text, bank_account jsonb)`,
    [JSON.stringify(affiliates)],
  );
}

/** The most pairs that `svc_earners` returns. A pair of one mailbox and one phone may count twice. */
const limit = 10;

test('The database finds every other affiliate that a rule names, and nobody else', async () => {
  const { id: product } = await stage.at.newCourse();
  const people = fc.array(member, { minLength: 12, maxLength: 40 }).map(affiliatesOf);
  await fc.assert(
    fc.asyncProperty(people, country, async (affiliates, home) => {
      await stage.at.fixture.set('country', home);
      await store(affiliates);
      const found = await query<{ root: string; others: { id: number }[] }>(
        'select * from svc_earners($1, $2::bigint[], 0) where tier = 1',
        [product, affiliates.map(({ id }) => id)],
      );
      for (const { root, others } of found) {
        const ids = others.map(({ id }) => id);
        const own = affiliates.find(({ id }) => id === Number(root)) as Affiliate;
        const rest = affiliates.filter((other) => other !== own);
        const banks = rest.filter((other) => isSameAccount(own, other));
        const accounts = rest.filter(
          (other) =>
            isSameMailbox(own.email, other.email) || isSamePhone(own.phone, other.phone, home),
        );
        const named = new Set([...banks, ...accounts].map(({ id }) => id));
        if (banks.length + 2 * accounts.length <= limit) expect(new Set(ids)).toEqual(named);
        else expect(ids.every((id) => named.has(id)) && ids.length >= limit / 3).toBe(true);
      }
      expect(found).toHaveLength(affiliates.length);
    }),
    { numRuns: 15 },
  );
});

test.each([
  [
    'users_account',
    "users u where u.bank_info <> '' and svc_account_key(u.bank_info, u.bank_account) = $1::text",
  ],
  [
    'users_phone_end',
    `users u where u.phone <> '' and right(regexp_replace(substring(normalize(u.phone, NFKC)
       from '[+0-9][^[:alpha:]#*,\\u003B]*'), '[^0-9]', '', 'g'), 7) = any ($1::text[])`,
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
