import { expect, test } from 'vitest';
import { csvOf } from '../../packages/console/src/lib/csv.ts';
import { besides, namedPeriods } from '../../packages/console/src/lib/periods.ts';
import { gatewayNames, gatewaysOf } from '../../src/providers/payments/index.ts';
import { configOf } from '../providers/payments/bench.ts';
import { nameErased } from '../../packages/console/src/api/erased.ts';
import { curlOf } from '../../packages/console/src/api/calls.ts';
import { amountOf, money, shortMoney } from '../../packages/console/src/lib/money.ts';
import { callTo, chatWith } from '../../packages/console/src/lib/phone.ts';
import {
  providerVariables,
  providers as providerIds,
} from '../../packages/console/src/screens/settings/providers.ts';
import { countriesIn, currenciesIn } from '../../packages/console/src/lib/places.ts';
import { ageText, sizeText } from '../../packages/console/src/lib/measure.ts';
import { isResendable } from '../../packages/console/src/screens/messages/resendable.ts';
import { barsOf, topOf } from '../../packages/console/src/lib/scale.ts';
import { instantIn, localIn } from '../../packages/console/src/lib/local-time.ts';
import { dateIn, distance, moment, zoneName } from '../../packages/console/src/lib/time.ts';

const rupiah = { currency: 'IDR', currency_exponent: 0 };
const euro = { currency: 'EUR', currency_exponent: 2 };
const dinar = { currency: 'KWD', currency_exponent: 3 };
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('amounts are shown in whole units, with the decimals of the store’s currency', () => {
  expect(plain(money(150_000, rupiah, 'id-ID'))).toBe('Rp 150.000');
  expect(plain(money(12_345, euro, 'en-GB'))).toBe('€123.45');
  expect(plain(shortMoney(1_250_000, rupiah, 'en-GB'))).toBe('Rp 1.3m');
  const none = { currency: null, currency_exponent: null };
  expect([money(15_000, none, 'en-GB'), shortMoney(0, none, 'en-GB')]).toEqual(['15,000', '0']);
});

test.each([
  ['150000', rupiah, 150_000],
  ['Rp 150.000', rupiah, 150_000],
  ['1,234.5', euro, 123_450],
  ['1.234,56', euro, 123_456],
  ['12', euro, 1200],
  ['1,234', euro, 123_400],
  ['1.234', dinar, 1234],
  ['0,500', dinar, 500],
  ['1234,567', dinar, 1_234_567],
  ['1.234,567', dinar, 1_234_567],
  ['1,234.5', dinar, 1_234_500],
  ['1,234', dinar, undefined],
  ['1,234,567', dinar, undefined],
  ['1.234.567', dinar, undefined],
  ['', euro, undefined],
  ['free', rupiah, undefined],
  ['-5', rupiah, undefined],
  ['−5', rupiah, undefined],
  ['Rp -5', rupiah, undefined],
  ['50%', rupiah, undefined],
  ['100rb', rupiah, undefined],
  ['1,5 jt', rupiah, undefined],
  ['2 x 50000', rupiah, undefined],
  ['1e5', rupiah, undefined],
  ['1.5', rupiah, undefined],
  ['1.2345', euro, undefined],
  ['1.234,567', euro, undefined],
  ['100 USD', euro, undefined],
  ['Rp. 150.000', rupiah, 150_000],
  ['150.000,00', rupiah, 150_000],
  ['IDR 150,000', rupiah, 150_000],
  ['1 234,50 €', euro, 123_450],
  ['12.5 EUR', euro, 1250],
  ['1,00,000', rupiah, 100_000],
])('an amount typed as %j in %o is %j', (text, currency, amount) => {
  expect(amountOf(text, currency)).toBe(amount);
});

const indonesia = { code: '62', trunk: '0' };

test.each([
  ['0812-5550-147', indonesia, '628125550147'],
  ['812 5550 147', indonesia, '628125550147'],
  ['62 812 5550 147', indonesia, '628125550147'],
  ['+62 (0)812 5550 147', indonesia, '628125550147'],
  ['+49 151 2345678', indonesia, '491512345678'],
  ['0065 8123 4567', indonesia, '6581234567'],
  ['0812 5550 147 ext. 9', indonesia, '628125550147'],
  ['8 912 345-67-89', { code: '7', trunk: '8' }, '79123456789'],
  ['8123 4567', { code: '65', trunk: '' }, '6581234567'],
  ['+62 812 5550 147', null, '628125550147'],
])(
  'the chat with the phone %j in a country with the prefixes %j is at %j',
  (phone, dialling, digits) => {
    expect(chatWith(phone, dialling)).toBe(`https://wa.me/${digits}`);
  },
);

test('a phone without a country code has no chat in a store without a country, but can be called', () => {
  expect(chatWith('0812-5550-147', null)).toBeUndefined();
  expect(callTo('0812-5550-147 (office)')).toBe('tel:08125550147');
  expect(callTo('+62 812 5550 147')).toBe('tel:+628125550147');
});

test('times are shown in the store’s zone, which is named', () => {
  const setting = { locale: 'en-GB', timezone: 'Asia/Jakarta' };
  const at = '2026-03-12T20:05:00.000Z';
  expect(moment(at, setting)).toBe('13 Mar 2026, 03:05');
  expect(zoneName(at, { ...setting, locale: 'id-ID' })).toBe('WIB');
  expect(dateIn('Asia/Jakarta', new Date(at))).toBe('2026-03-13');
});

test.each([
  ['2026-03-12T09:00:20Z', 'now'],
  ['2026-03-12T08:30:00Z', '30 minutes ago'],
  ['2026-03-12T06:00:00Z', '3 hours ago'],
  ['2026-03-11T09:00:00Z', 'yesterday'],
  ['2026-03-14T09:00:00Z', 'in 2 days'],
])('the moment %s is shown as “%s”', (at, text) => {
  expect(distance(at, new Date('2026-03-12T09:00:00Z'), 'en-GB')).toBe(text);
});

test('an axis ends at a round number above all bars, and bars stand within it', () => {
  expect([0, 3, 10, 11, 240, 900_000].map(topOf)).toEqual([2, 4, 10, 20, 400, 1_000_000]);
  const { step, bar } = barsOf(30, 600);
  expect(step * 30).toBe(600);
  expect(bar).toBeLessThan(step);
});

test('a call is shown for the command line without a key, quoted for the shell', () => {
  const curl = curlOf(
    { method: 'PATCH', path: '/orders/3', body: `{"reason":"it's"}` },
    'https://shop.example/api/svc/v1',
  );
  expect(curl).toContain(`-X PATCH 'https://shop.example/api/svc/v1/orders/3'`);
  expect(curl).toContain('Authorization: Bearer $KEY');
  expect(curl).toContain(`'{"reason":"it'\\''s"}'`);
});

test.each([
  ['Asia/Jakarta', '2026-03-12T23:59', '2026-03-12T16:59:00.000Z'],
  ['Europe/Berlin', '2026-03-29T03:30', '2026-03-29T01:30:00.000Z'],
  ['Europe/Berlin', '2026-10-25T12:00', '2026-10-25T11:00:00.000Z'],
  ['America/New_York', '2026-01-01T00:00', '2026-01-01T05:00:00.000Z'],
])('A moment of a store in %s is typed as its clocks show it: %s', (zone, local, instant) => {
  expect(instantIn(zone, local)).toBe(instant);
  expect(localIn(zone, instant)).toBe(local);
});

/** Values that pass each provider's own check. */
const lookingRight: Readonly<Record<string, string>> = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  XENDIT_SECRET_KEY: 'xnd_development_1',
};

test.each(providerIds)(
  'The variables that the settings name switch %s on, and all are needed',
  (id) => {
    const isOn = (names: readonly string[]) => {
      const variables = names.map((name) => [name, lookingRight[name] ?? 'a'] as const);
      return gatewaysOf(configOf(Object.fromEntries(variables))).some(
        (gateway) => gateway.id === id,
      );
    };
    const names: readonly string[] = providerVariables[id];
    expect(isOn(names)).toBe(true);
    for (const missing of names) {
      const isOnWithout = () => isOn(names.filter((name) => name !== missing));
      if (names.length > 1) expect(isOnWithout).toThrow(missing.slice(0, missing.indexOf('_')));
      else expect(isOnWithout()).toBe(false);
    }
  },
);

test('The settings name every payment provider', () => {
  expect([...providerIds].toSorted()).toEqual([...gatewayNames].toSorted());
});

test('The settings know every country and currency by its name', () => {
  const countries = new Map(countriesIn('id-ID'));
  expect(countries.get('DE')).toBe('Jerman');
  expect(countries.size).toBeGreaterThan(240);
  expect(['EU', 'UK', 'YU', 'ZZ'].filter((code) => countries.has(code))).toEqual([]);
  expect(new Map(currenciesIn('en-GB', 'XTS')).get('IDR')).toBe('IDR · Indonesian Rupiah');
});

test('Months are compared with months, other periods with as many days, and both with the year before', () => {
  const beside = (from: string, to: string, what: 'before' | 'year' = 'before') =>
    Object.values(besides({ from, to }, what)).join(' ');
  expect(beside('2026-03-01', '2026-03-12')).toBe('2026-02-01 2026-02-12');
  expect(beside('2026-03-01', '2026-03-31')).toBe('2026-02-01 2026-02-28');
  expect(beside('2026-02-01', '2026-02-28')).toBe('2026-01-01 2026-01-31');
  expect(beside('2026-03-01', '2026-03-30')).toBe('2026-02-01 2026-02-28');
  expect(beside('2026-03-06', '2026-03-12')).toBe('2026-02-27 2026-03-05');
  expect(beside('2026-01-01', '2026-03-12')).toBe('2025-10-22 2025-12-31');
  expect(beside('2028-02-01', '2028-02-29', 'year')).toBe('2027-02-01 2027-02-28');
  const { last_month, week } = namedPeriods('2026-03-12');
  expect(last_month).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(week).toEqual({ from: '2026-03-06', to: '2026-03-12' });
});

test('A cell of a file for spreadsheets is never a formula', () => {
  const file = csvOf([['=1+1', 'He said "hi"', 12.5]]);
  expect(file).toBe(`"'=1+1","He said ""hi""",12.5\r\n`);
});

test('durations and sizes are shown in their largest unit', () => {
  expect([90_000, 7200, 59].map((age) => ageText(age, 'id-ID'))).toEqual([
    '1 hari',
    '2 jam',
    '59 detik',
  ]);
  const sizes = [400, 4600, 12_340_000, 2_500_000_000];
  expect(sizes.map((size) => plain(sizeText(size, 'id-ID')))).toEqual([
    '400 byte',
    '4,6 kB',
    '12,3 MB',
    '2,5 GB',
  ]);
});

test('waiting messages and sign-in messages are not sent again', () => {
  const said = [
    { kind: 'order-placed', status: 'sent' },
    { kind: 'order-placed', status: 'failed' },
    { kind: 'order-placed', status: 'queued' },
    { kind: 'new-order', status: 'gathered' },
    { kind: 'sign-in-link', status: 'sent' },
    { kind: 'signed-in', status: 'sent' },
  ] as const;
  expect(said.map(isResendable)).toEqual([true, true, false, false, false, false]);
});

test('erased people are named in Indonesian wherever an answer names people, and nothing else is changed', () => {
  const erased = { display_name: 'Deleted user', email: '' };
  const answer = { data: [{ user: erased, title: 'Deleted user', actor_name: 'Deleted user' }] };
  nameErased(answer);
  expect(answer).toEqual({
    data: [
      {
        user: { display_name: 'Pengguna terhapus', email: '' },
        title: 'Deleted user',
        actor_name: 'Pengguna terhapus',
      },
    ],
  });
});
