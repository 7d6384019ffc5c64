import { beforeEach, describe, expect, test } from 'vitest';
import journal from '../../../drizzle/meta/_journal.json' with { type: 'json' };
import { Simulated } from '../../jobs/simulated.ts';
import { useStore } from '../../harness/store.ts';

const opened = useStore();
const hour = 3600;

let scheduler: Simulated;

beforeEach(() => {
  scheduler = new Simulated(opened.store);
  opened.store.scheduler = { getByName: () => scheduler };
  opened.store.restart();
});

/**
 * Requests /readyz.
 * @returns the status and the number of trips
 */
async function ready(path = '//readyz', client = opened.store.client()) {
  const { status, trips } = await client.get(path);
  await opened.store.settled();
  return [status, trips];
}

test.for(['//healthz', '//readyz'])(
  'GET %s names the version, the commit and the schema',
  async (path) => {
    expect((await opened.store.client().get(path)).body).toEqual({
      status: 'ok',
      version: '0.1.0',
      commit: null,
      schema: journal.entries.at(-1)?.tag,
    });
  },
);

describe('GET /readyz', () => {
  test('called each minute of a day makes one trip an hour', async () => {
    let made = 0;
    for (let minute = 0; minute < 24 * 60; minute++) {
      const [status, trips] = await ready();
      expect(status).toBe(200);
      made += Number(trips);
      opened.store.clock.advance(60);
    }
    expect(made).toBeLessThanOrEqual(24);
    expect(made).toBeGreaterThan(22);
  });

  test('queries the database each time without a scheduler, or with an unreachable one', async () => {
    scheduler.lastContact = () => Promise.reject(new Error('away'));
    scheduler.keepContact = () => Promise.reject(new Error('away'));
    for (let n = 0; n < 2; n++) expect(await ready()).toEqual([200, 1]);
    opened.store.scheduler = undefined;
    opened.store.restart();
    for (let n = 0; n < 2; n++) expect(await ready()).toEqual([200, 1]);
  });

  test('with fresh queries at once for callers with an API key, and for nobody else', async () => {
    const key = await opened.store.key();
    await ready();
    expect(await ready('//readyz?fresh')).toEqual([200, 0]);
    expect(await ready('//readyz?fresh', opened.store.client({ 'x-svc-key': 'key' }))).toEqual([
      200, 0,
    ]);
    expect(await ready('//readyz?fresh', key)).toEqual([200, 1]);
    expect(await ready('//readyz', key)).toEqual([200, 0]);
  });

  test('queries again if the last answer was for another version or another database', async () => {
    await ready();
    const contact = scheduler.contact;
    if (contact) scheduler.contact = { ...contact, of: contact.of.replace('0.1.0', '0.0.9') };
    expect(await ready()).toEqual([200, 1]);
  });

  test('queries again at once after any failure of the database, until it answers', async () => {
    const key = await opened.store.key();
    await ready();
    const { neon } = opened.store;
    neon.faults.next({
      answer: { status: 500, body: 'suspended' },
      times: Infinity,
      match: () => true,
    });
    expect((await key.get('/orders')).status).toBe(503);
    expect(await ready()).toEqual([503, expect.any(Number)]);
    neon.faults.clear();
    expect(await ready()).toEqual([200, 1]);
    expect(await ready()).toEqual([200, 0]);
    opened.store.clock.advance(hour + 1);
    expect(await ready()).toEqual([200, 1]);
  });
});
