import { beforeAll, expect, test, vi } from 'vitest';
import { alertOf, statusOf } from '../../src/actions/status/rules.ts';
import { findDue } from '../../src/jobs/index.ts';
import { alertSeller } from '../../src/jobs/alert.ts';
import type { StatusRow } from '../../src/queries/status.ts';
import { seller, usePost } from '../operations/messages/post.ts';

const opened = usePost(['resend']);

beforeAll(() =>
  opened.post.store.database.query("insert into store_mark (store_id) values ('own')"),
);

const mails = () =>
  opened.post
    .sender()
    .sent()
    .filter(({ to }) => to === seller.email)
    .map(({ text }) => text);

/** Sets the last backup to some days ago. */
const backedUp = (days: number) =>
  opened.post.store.database.query('update store_mark set backed_up_at = $1', [
    new Date(opened.post.store.clock.now().getTime() - days * 86_400_000),
  ]);

/**
 * Checks again some hours later.
 * @returns the number of mails
 */
async function lookAfter(hours: number, backup: number): Promise<number> {
  const { post } = opened;
  post.store.clock.advance(hours * 3600);
  await backedUp(backup);
  await alertSeller(await post.store.services());
  await post.later(0);
  return mails().length;
}

test('The seller gets one mail when a figure goes out of order, and another only after a day in order', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
  expect(await lookAfter(0, 1)).toBe(0);
  expect(await lookAfter(1, 9)).toBe(1);
  expect(mails()[0]).toContain('The last backup is 9 days old.');
  expect(log.mock.calls.flat().join()).toContain('"figures":["backup_age"]');
  expect(await lookAfter(1, 9)).toBe(1);
  expect(await lookAfter(10, 1)).toBe(1);
  expect(await lookAfter(10, 9)).toBe(1);
  for (let day = 0; day < 3; day++) expect(await lookAfter(23, 9)).toBe(1);
  expect(await lookAfter(1, 1)).toBe(1);
  expect(await lookAfter(25, 9)).toBe(2);
  log.mockRestore();
});

test('The figures are checked once an hour, while the database is awake anyway, and only in a marked database', async () => {
  const { store } = opened.post;
  const isDue = async () =>
    (await findDue(await store.services())).some(({ job }) => job === 'alerts');
  expect(await isDue()).toBe(false);
  store.clock.advance(3600);
  expect(await isDue()).toBe(true);
  await store.database.query('delete from store_mark');
  expect(await isDue()).toBe(false);
});

test('Of two checks at the same moment only one sends the alert', async () => {
  const { store } = opened.post;
  await store.database.query("insert into store_mark (store_id) values ('own')");
  await backedUp(9);
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
  const before = mails().length;
  await Promise.all([alertSeller(await store.services()), alertSeller(await store.services())]);
  await opened.post.later(0);
  log.mockRestore();
  expect(mails().length).toBe(before + 1);
});

test('A second figure that goes out of order gets a message of its own', () => {
  const row = { failing_webhooks: 1, backup_age: 800_000 } as unknown as StatusRow;
  const status = statusOf({ ...emptyRow, ...row });
  const now = new Date('2026-11-26T12:00:00Z');
  const before = { backup_age: { value: 700_000, at: '2026-11-26T11:00:00.000Z' } };
  expect(alertOf(status, before, now)).toEqual({
    told: ['failing_webhooks'],
    troubles: {
      backup_age: { value: 800_000, at: now.toISOString() },
      failing_webhooks: { value: 1, at: now.toISOString() },
    },
  });
});

const emptyRow: StatusRow = {
  undelivered_event_age: null,
  failing_webhooks: 0,
  stuck_payments: 0,
  stuck_messages: 0,
  unsent_refunds: 0,
  backup_age: null,
  database_size: 0,
};
