import { afterAll, beforeEach, expect, test } from 'vitest';
import type { NoticeKind } from '../../../src/schema/lists.ts';
import { long } from '../../harness/long.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { untilWaiting } from '../../races/queue.ts';
import { seller, usePost } from './post.ts';

const opened = usePost(['resend']);
let earlier = 0;

beforeEach(async () => {
  const { post } = opened;
  await post.store.settled();
  await post.store.database.query('delete from messages; delete from message_senders');
  earlier = post.sender().sent().length;
});

afterAll(() => expectIntegrity(opened.post));

const notices = (count: number, kind: NoticeKind = 'new-order', medium = 'email') =>
  opened.post.store.database.query(
    `insert into messages (kind, medium, status, due_at, created_at, updated_at)
     select $1, $2, 'queued', $3, $3, $3 from generate_series(1, $4)`,
    [kind, medium, opened.post.store.clock.now(), count],
  );

async function states(kind: string): Promise<Record<string, number>> {
  const { rows } = await opened.post.store.database.query<{ status: string; total: number }>(
    `select status, count(*)::int as total from messages where kind = $1 group by 1`,
    [kind],
  );
  return Object.fromEntries(rows.map(({ status, total }) => [status, total]));
}

const toSeller = () =>
  opened.post
    .sender()
    .sent()
    .slice(earlier)
    .filter(({ to }) => to === seller.email);

test('The seller gets 20 notices of 25 orders, and one summary of the others an hour later', async () => {
  const { post } = opened;
  const { id: product_id } = await post.fixture.newProduct();
  const { id: user_id } = await post.newBuyer();
  for (let n = 0; n < 25; n++) await post.fixture.newOrder({ product_id, user_id });
  await post.store.settled();
  await post.later(0);
  expect([toSeller().length, await states('order-placed')]).toEqual([20, { sent: 25 }]);
  const [summary] = await post.log('kind=seller-summary');
  expect(summary).toMatchObject({ status: 'queued', user_id: null, gathered_in: null });
  const gathered = await post.log('kind=new-order&status=gathered');
  expect(gathered.map(({ gathered_in }) => gathered_in)).toEqual(
    Array.from({ length: 5 }, () => summary?.id),
  );
  await post.later(3600);
  expect(toSeller()).toHaveLength(21);
  expect(await post.message(summary?.id ?? 0)).toMatchObject({
    status: 'sent',
    recipient: seller.email,
    subject: '5 more notices from Toko Kue',
    text: expect.stringMatching(/\n5 new orders: https?:\/\/[^\s/]+\/console\/orders$/),
  });
});

test('A notice that is queued while others are gathered is not sent in addition to the 20', async () => {
  const { post } = opened;
  const { database } = post.store;
  await notices(25);
  await database.query('begin');
  await database.query(`select from messages where kind = 'new-order' for update`);
  const sending = post.later(0);
  await untilWaiting(post.store, 1);
  await notices(5);
  await database.query('commit');
  await sending;
  await post.later(0);
  expect([toSeller().length, await states('new-order')]).toEqual([20, { sent: 20, gathered: 10 }]);
});

test('A summary is in the language of the store, and links each kind to the console', async () => {
  const { post } = opened;
  await post.fixture.set('language', 'id');
  await notices(21, 'new-confirmation');
  await notices(22, 'unexpected-payment');
  await post.later(0);
  await post.later(3600);
  const [summary, ...others] = await post.log('kind=seller-summary');
  expect([others, summary?.subject]).toEqual([[], '3 pemberitahuan lain dari Toko Kue']);
  const lines = summary?.text?.split('\n').slice(-2);
  expect(lines).toEqual([
    expect.stringMatching(/^1 pembayaran yang perlu diperiksa: .*\/console\/proofs$/),
    expect.stringMatching(/^2 pembayaran yang menunggu keputusan Anda: .*\/console\/$/),
  ]);
  await post.fixture.set('language', 'en');
});

test('Twenty notices an hour go out one by one, hour after hour', async () => {
  await notices(20);
  await opened.post.later(0);
  opened.post.store.clock.advance(3600);
  await notices(20);
  await opened.post.later(0);
  expect(await states('new-order')).toEqual({ sent: 40 });
});

long('At most 20 notices of a kind go out one by one in an hour', async () => {
  for (let minute = 0; minute < 180; minute++) {
    await notices(1);
    await opened.post.later(60);
  }
  const { rows } = await opened.post.store.database.query<{ most: number }>(
    `select max((select count(*)::int from messages b
                  where b.kind = 'new-order' and b.status = 'sent'
                    and b.created_at > a.created_at - interval '1 hour' and b.created_at <= a.created_at)) as most
       from messages a`,
  );
  expect(rows).toEqual([{ most: 20 }]);
  expect((await states('seller-summary'))['sent']).toBeLessThanOrEqual(3);
});

test('A summary collects further notices until it is sent; later ones go into the next', async () => {
  await notices(21);
  await opened.post.later(0);
  await notices(5);
  await opened.post.later(1800);
  expect(await states('seller-summary')).toEqual({ queued: 1 });
  await opened.post.later(1800);
  expect(toSeller().at(-1)?.subject).toBe('6 more notices from Toko Kue');
  await notices(21);
  await opened.post.later(0);
  expect(await states('seller-summary')).toEqual({ sent: 1, queued: 1 });
});

test('A summary without any remaining notices is not sent', async () => {
  await notices(21);
  await opened.post.later(0);
  await opened.post.store.database.query(`delete from messages where status = 'gathered'`);
  await opened.post.later(3600);
  expect(await states('seller-summary')).toEqual({ cancelled: 1 });
});

test('Nothing is gathered while the summary is switched off', async () => {
  const at = '/message-templates/seller-summary/email';
  await opened.post.fixture.api.patch(at, { active: false });
  await notices(25);
  await opened.post.later(0);
  expect(await states('new-order')).toEqual({ sent: 25 });
  await opened.post.fixture.api.patch(at, { active: true });
});

test('A gathered notice is not resent on its own', async () => {
  const { post } = opened;
  await notices(21);
  await post.later(0);
  const [gathered] = await post.log('status=gathered');
  expect(await post.fixture.api.post(`/messages/${gathered?.id}/resend`)).toMatchObject({
    status: 409,
    body: { code: 'message_gathered' },
  });
});

test('A blocked account sends no more than 20 notices once it is unblocked', async () => {
  for (let refused = 0; refused < 30; refused++) opened.post.sender().refuse('setup');
  for (let n = 0; n < 5; n++) {
    await notices(10);
    await opened.post.later(10);
  }
  for (let pause = 0; pause < 10; pause++) await opened.post.later(300);
  expect(await states('new-order')).toEqual({ sent: 20, gathered: 30 });
});
