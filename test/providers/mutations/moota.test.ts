import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { moota } from '../../../src/providers/mutations/moota.ts';

const needed = {
  DATABASE_URL: 'postgres://service:secret@db.example.test/store',
  API_KEY_PEPPERS: '1:',
  SESSION_KEYS: '{}',
  BASE_URL: 'https://shop.example',
};

const sourceWith = (variables: object) => moota(readConfig({ ...needed, ...variables }));

/** A request of Moota's webhook: moota-co/moota-php-sdk (MIT), tests/Mocking/Webhook/MockWebhookResponse.json. */
const sample = readFileSync(join(import.meta.dirname, '../moota/webhook.txt'), 'utf8');

const read = (text: string, signature: string) =>
  sourceWith({ MOOTA_SECRET_TOKEN: 'AElSnSQj' })?.read({
    text,
    header: (name) => (name === 'signature' ? signature : undefined),
  });

/** The HMAC of the sample under that secret, by openssl. */
const proof = '08b0c237eb830bcb321726fa2c6378122f6357a0b1b60cf4c4d362aa93380cca';

describe('A callback of Moota', () => {
  test('is verified by the HMAC of its exact bytes', async () => {
    expect(await read(sample, proof)).toEqual([
      {
        id: '3ykVJxnwYkN',
        account_number: '11111111111',
        amount: 500_000,
        currency: 'IDR',
        occurred_at: '2021-09-29T22:23:04.000Z',
        direction: 'credit',
        description: 'Pembayaran point moota',
        unread: null,
      },
      expect.objectContaining({ id: 'Arz6JMxm6zK', amount: 1_000_000 }),
    ]);
    expect(await read(`${sample} `, proof)).toBe('forged');
    expect(await read(sample, proof.toUpperCase())).toBe('forged');
    expect(await read(sample, '')).toBe('forged');
  });

  const line = {
    mutation_id: 'a',
    account_number: '1',
    date: '2026-03-10 00:00:00',
    created_at: '2026-03-10 11:51:49',
    description: 'x',
    amount: '12111.00',
    type: 'CR',
  };

  const mutationsOf = async (text: string) => {
    const found = await read(text, createHmac('sha256', 'AElSnSQj').update(text).digest('hex'));
    if (found === undefined || found === 'forged') throw new Error('It was not taken.');
    return found;
  };

  const mutationOf = async (changed: object) =>
    (await mutationsOf(JSON.stringify([{ ...line, ...changed }])))[0];

  test.each([
    [12_111, 1_211_100],
    ['12111.00', 1_211_100],
    ['12111.5', 1_211_150],
    [0, 0],
    ['9000000000000', 900_000_000_000_000],
  ])('with the amount %s has this many hundredths of a rupiah', async (amount, units) => {
    expect(await mutationOf({ amount })).toMatchObject({ amount: units });
  });

  test.each([
    { amount: '-1' },
    { amount: '12.111' },
    { amount: '1,000,000.00' },
    { amount: -5 },
    { amount: 1e30 },
    { amount: null },
    { type: 'XX' },
    { date: 'today' },
    { date: '2026-03-10T08:15:30+07:00' },
    { date: '2026-13-40 00:00:00' },
    { date: '0000-01-01 00:00:00' },
    { date: '0001-01-01' },
  ])('passes on a line that says %o as unreadable', async (changed) => {
    expect(await mutationOf(changed)).toEqual({
      id: 'a',
      account_number: '1',
      amount: null,
      currency: 'IDR',
      occurred_at: null,
      direction: 'credit',
      description: 'x',
      unread: JSON.stringify({ ...line, ...changed }),
    });
  });

  test('passes on outgoing money as such, even if the rest is unreadable', async () => {
    expect(await mutationOf({ amount: 'all', type: 'DB' })).toMatchObject({
      direction: 'debit',
      unread: expect.any(String),
    });
  });

  test('passes on the lines beside an unreadable one', async () => {
    const lines = [{ ...line, date: '0000-01-01' }, null, 7, { ...line, mutation_id: 'b' }];
    const found = await mutationsOf(JSON.stringify(lines));
    expect(found.map(({ unread, amount }) => [unread !== null, amount])).toEqual([
      [true, null],
      [true, null],
      [true, null],
      [false, 1_211_100],
    ]);
    expect(new Set(found.map(({ id }) => id)).size).toBe(4);
  });

  test.each(['{"data":[]}', 'not JSON', '"\\u0000"', 'null'])(
    'passes on %s as unreadable, under the same id each time',
    async (text) => {
      const [found, ...others] = await mutationsOf(text);
      expect(found).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{32}$/), amount: null });
      expect(others).toEqual([]);
      expect(await mutationsOf(text)).toEqual([found]);
    },
  );

  test('passes on nothing if the list is empty', async () => {
    expect(await mutationsOf('[]')).toEqual([]);
  });

  test.each([
    ['2026-03-10 08:15:30', '2026-03-10 11:51:49', '2026-03-10T01:15:30.000Z'],
    // A day without a time: the recorded time if it is on that day, otherwise the end of the day.
    ['2026-03-10 00:00:00', '2026-03-10 11:51:49', '2026-03-10T04:51:49.000Z'],
    ['2026-03-10', '2026-03-10 11:51:49', '2026-03-10T04:51:49.000Z'],
    ['2026-03-10 00:00:00', '2026-03-12 11:51:49', '2026-03-10T16:59:59.000Z'],
    ['2026-03-10 00:00:00', null, '2026-03-10T16:59:59.000Z'],
  ])('dated %s and recorded %s means %s', async (date, created_at, occurred_at) => {
    expect(await mutationOf({ date, created_at })).toMatchObject({ occurred_at });
  });

  test('may contain text that a database refuses', async () => {
    const found = await mutationOf({ description: 'a\0b\ud800'.padEnd(5000, 'x') });
    expect(found).toMatchObject({ description: expect.stringMatching(/^ab\ufffdx{997}$/) });
  });
});

describe('Moota', () => {
  test('is off until it is configured', () => {
    expect(sourceWith({})).toBeUndefined();
  });

  test.each([{ MOOTA_TOKEN: 't' }, { MOOTA_API_URL: 'https://app.moota.co' }])(
    'says what is missing beside %o',
    (variables) => {
      expect(() => sourceWith(variables)).toThrow(/^MOOTA_SECRET_TOKEN is missing: /);
    },
  );

  test('lists only with a token', () => {
    expect(sourceWith({ MOOTA_SECRET_TOKEN: 's' })).not.toHaveProperty('list');
    expect(sourceWith({ MOOTA_SECRET_TOKEN: 's', MOOTA_TOKEN: 't' })).toHaveProperty('list');
  });
});
