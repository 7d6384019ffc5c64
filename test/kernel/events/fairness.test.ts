import { describe, expect, test } from 'vitest';
import { deliverNow } from '../../../src/kernel/events/delivery.ts';
import { long } from '../../harness/long.ts';
import { useStore } from '../../harness/store.ts';
import { PostOffice, sweep } from './post-office.ts';
import { useReceiver } from './receiver.ts';

const opened = useStore();
const receiver = useReceiver();

async function withBacklog(office: PostOffice, path: string, events: number) {
  const webhook = await office.webhook(receiver.url(path), { events: ['user.deleted'] });
  await opened.store.database.query(
    `insert into outbox (webhook_id, event_id, event, object_id, data, created_at, next_attempt_at)
     select $1, gen_random_uuid(), 'user.deleted', n, '{}', $2, $2 from generate_series(1, $3) n`,
    [webhook.id, opened.store.clock.now(), events],
  );
  return webhook;
}

/** Counts the claims of the service, one sweep a minute, until a path has that many deliveries. */
async function claimsUntil(office: PostOffice, path: string, deliveries: number) {
  let claims = 0;
  opened.store.neon.faults.next({
    match: ({ parameters }) => {
      if (parameters.some((text) => text?.includes('set lease_token'))) claims++;
      return false;
    },
  });
  const done = Promise.withResolvers<number>();
  const { answer } = receiver;
  receiver.answer = (delivery) => {
    if (receiver.at(path).length === deliveries) done.resolve(claims);
    return answer(delivery);
  };
  while (receiver.at(path).length < deliveries) await office.sweepAfter(60);
  receiver.answer = answer;
  opened.store.neon.faults.clear();
  return done.promise;
}

describe('A dead endpoint', () => {
  long('slows another by no more than 1.2 times', async () => {
    const office = await PostOffice.open(opened.store);
    receiver.answer = ({ path }) => (path === '/dead' ? null : {});
    const events = 100;
    const alone = await withBacklog(office, '/alone', events);
    const claimsAlone = await claimsUntil(office, '/alone', events);
    const dead = await withBacklog(office, '/dead', events);
    const beside = await withBacklog(office, '/beside', events);
    const claimsBeside = await claimsUntil(office, '/beside', events);
    expect(claimsBeside / claimsAlone).toBeLessThanOrEqual(1.2);
    for (const { id } of [alone, dead, beside]) await office.api.delete(`/webhooks/${id}`);
  });

  test('gets one attempt per sweep, and none after a write, once it has failed', async () => {
    const office = await PostOffice.open(opened.store);
    receiver.answer = () => ({ status: 500 });
    const dead = await withBacklog(office, '/known', 20);
    await office.sweepAfter(0);
    const failed = receiver.at('/known').length;
    expect(failed).toBeLessThanOrEqual(6);
    await deliverNow(await opened.store.services());
    expect(receiver.at('/known')).toHaveLength(failed);
    for (const sweeps of [1, 2, 3]) {
      await office.sweepAfter(0);
      expect(receiver.at('/known')).toHaveLength(failed + sweeps);
    }
    await office.api.delete(`/webhooks/${dead.id}`);
  });

  test('gets its attempt though other attempts are cut off, which the sweep reports', async () => {
    const office = await PostOffice.open(opened.store);
    receiver.answer = () => ({ status: 500 });
    const dead = await withBacklog(office, '/later', 20);
    await office.sweepAfter(0);
    const failed = receiver.at('/later').length;
    const cut = { statement: 'set lease_token', cut: 'before parse' } as const;
    opened.store.neon.faults.next(cut);
    await expect(office.sweepAfter(0)).rejects.toThrow('the database did not answer');
    expect(receiver.at('/later')).toHaveLength(failed + 1);
    opened.store.neon.faults.next(cut);
    await expect(deliverNow(await opened.store.services())).resolves.toBeUndefined();
    await office.api.delete(`/webhooks/${dead.id}`);
  });

  long('has no second attempt while one is under way', async () => {
    const office = await PostOffice.open(opened.store);
    receiver.answer = () => ({ status: 500 });
    const dead = await withBacklog(office, '/hanging', 20);
    await office.sweepAfter(0);
    const failed = receiver.at('/hanging').length;
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    receiver.answer = async () => {
      reached.resolve();
      await released.promise;
      return {};
    };
    const service = await opened.store.services();
    const first = sweep(service);
    await reached.promise;
    await sweep(service);
    expect(receiver.at('/hanging')).toHaveLength(failed + 1);
    released.resolve();
    await first;
    await office.api.delete(`/webhooks/${dead.id}`);
  });
});

test('An endpoint that hangs holds up no deliveries that were claimed together with its own', async () => {
  const office = await PostOffice.open(opened.store);
  const released = Promise.withResolvers<void>();
  const healthy = Promise.withResolvers<void>();
  receiver.answer = async ({ path }) => {
    if (path === '/hangs') await released.promise;
    else if (receiver.at('/lively').length === 5) healthy.resolve();
    return {};
  };
  const hangs = await withBacklog(office, '/hangs', 5);
  const lively = await withBacklog(office, '/lively', 5);
  const delivering = deliverNow(await opened.store.services());
  // Times out if one delivery delays the other.
  await healthy.promise;
  released.resolve();
  await delivering;
  expect(receiver.at('/hangs')).toHaveLength(5);
  for (const { id } of [hangs, lively]) await office.api.delete(`/webhooks/${id}`);
});

test('An endpoint that fails gets no further deliveries of the same claim', async () => {
  const office = await PostOffice.open(opened.store);
  const arrived = Promise.withResolvers<void>();
  receiver.answer = async ({ path }) => {
    if (path === '/spared') return { status: 500 };
    // The five lanes first take three deliveries of one webhook and two of the other.
    if (receiver.at('/other').length === 5) arrived.resolve();
    await arrived.promise;
    return {};
  };
  const spared = await withBacklog(office, '/spared', 5);
  const other = await withBacklog(office, '/other', 5);
  await deliverNow(await opened.store.services());
  expect(receiver.at('/spared')).toHaveLength(3);
  const rows = await office.outbox(spared);
  expect(rows.filter(({ attempts }) => attempts === 1)).toHaveLength(3);
  expect(rows.every(({ lease_until }) => lease_until === null)).toBe(true);
  for (const { id } of [spared, other]) await office.api.delete(`/webhooks/${id}`);
});

test('A deliverer has five requests under way at most, and takes at most five events of a webhook', async () => {
  const office = await PostOffice.open(opened.store);
  const released = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let flying = 0;
  let most = 0;
  receiver.answer = async () => {
    most = Math.max(most, ++flying);
    if (flying === 5) reached.resolve();
    await released.promise;
    flying--;
    return {};
  };
  const webhooks = [await withBacklog(office, '/one', 8), await withBacklog(office, '/two', 3)];
  const delivering = deliverNow(await opened.store.services());
  await reached.promise;
  const leased = await Promise.all(
    webhooks.map(async (webhook) =>
      (await office.outbox(webhook)).filter((row) => row.lease_until),
    ),
  );
  expect(leased.map(({ length }) => length)).toEqual([5, 3]);
  released.resolve();
  await delivering;
  expect(most).toBe(5);
  expect([receiver.at('/one').length, receiver.at('/two').length]).toEqual([8, 3]);
  for (const { id } of webhooks) await office.api.delete(`/webhooks/${id}`);
});

long('Many deliverers at once send nothing twice', async () => {
  const office = await PostOffice.open(opened.store);
  receiver.answer = () => ({});
  const webhook = await withBacklog(office, '/shared', 150);
  const service = await opened.store.services();
  await Promise.all(Array.from({ length: 8 }, () => sweep(service)));
  // On a busy machine some deliveries are returned for lack of time.
  await sweep(service);
  const ids = receiver.at('/shared').map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(150);
  expect(new Set(ids).size).toBe(150);
  const pages = [await office.feed(webhook), await office.feed(webhook, { since_id: 100 })];
  const logged = pages.flatMap(({ body }) => body.data.map(({ id }: { id: number }) => id));
  expect(logged).toEqual(Array.from({ length: 150 }, (_, i) => i + 1));
});
